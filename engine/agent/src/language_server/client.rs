//! One running server: the handshake, the texts it sees, questions and diagnostics.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use attractor_exec::Service;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::connection::{Connection, Streams};
use super::documents::Documents;
use super::{Diagnostic, ServerError, uri};

/// The time to start.
const START: Duration = Duration::from_secs(30);

/// The time for an answer.
const ANSWER: Duration = Duration::from_secs(20);

/// The time for the first look at a project, on top of that.
const INDEXING: Duration = Duration::from_mins(1);

/// How long after its start a server may begin to read the project: until then an empty answer is not the last word,
/// even if the server does not report work. On a busy machine, as many times its handshake.
const YOUNG: Duration = Duration::from_secs(10);
const YOUNG_HANDSHAKES: u32 = 5;

/// How many times its handshake a server may take for diagnostics, where that is longer than usual.
const SLOW_HANDSHAKES: u32 = 10;

/// How long further diagnostics may follow those that came first.
const SETTLE: Duration = Duration::from_millis(300);

/// The same for a list without any: servers clear a list before they check types. On a busy machine, as long as the list
/// itself took.
const SETTLE_EMPTY: Duration = Duration::from_secs(1);

/// The content changed while the server worked: the same question again may have an answer.
const CONTENT_MODIFIED: i64 = -32801;

/// A running server.
pub(super) struct Client {
    name: String,
    connection: Connection,
    documents: Mutex<Documents>,
    started: Instant,
    /// How long the handshake took: how fast the machine is at the moment.
    handshake: Duration,
    /// Ends the process when it is dropped; none in tests.
    service: Option<Service>,
}

/// A text that was sent, and what was published before.
pub(super) struct Synced {
    path: PathBuf,
    version: i64,
    /// Publications before.
    count: u64,
    /// Nothing was sent: what is published is about this text.
    is_unchanged: bool,
}

impl Client {
    /// Does the handshake.
    pub(super) async fn start(
        name: &str,
        root: &Path,
        streams: Streams,
        service: Option<Service>,
    ) -> Result<Self, ServerError> {
        let mut client = Self {
            name: name.to_owned(),
            connection: Connection::new(name, streams),
            documents: Mutex::default(),
            started: Instant::now(),
            handshake: Duration::ZERO,
            service,
        };
        let folder = uri::of(root).unwrap_or_default();
        let params = json!({
            // In a sandbox the id of this process is that of no process: servers that watch it would end.
            "processId": null,
            "clientInfo": {"name": "attractor"},
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": "workspace"}],
            "capabilities": {
                "general": {"positionEncodings": ["utf-16"]},
                "window": {"workDoneProgress": true},
                "workspace": {"configuration": true, "workspaceFolders": true},
                "textDocument": {
                    "synchronization": {"didSave": true},
                    "publishDiagnostics": {"versionSupport": true},
                    "definition": {"linkSupport": true},
                    "references": {},
                    "hover": {"contentFormat": ["markdown", "plaintext"]},
                    "completion": {"completionItem": {"snippetSupport": false}},
                },
            },
        });
        let started = client.connection.request("initialize", params, START).await;
        if let Err(error) = started {
            return Err(client.explained(error).await);
        }
        client.handshake = client.started.elapsed();
        client.connection.notify("initialized", &json!({}));
        Ok(client)
    }

    /// Why it ended.
    pub(super) fn failure(&self) -> Option<ServerError> {
        self.connection.failure()
    }

    /// Shows the server a text of a file.
    pub(super) fn sync(&self, path: &Path, language: &str, text: &str) -> Synced {
        let address = uri::of(path).unwrap_or_default();
        let count = self.connection.published(path).count;
        let update = {
            let mut documents = self
                .documents
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            documents.update(path, &address, language, text)
        };
        let is_unchanged = update.notifications.is_empty();
        for (method, params) in update.notifications {
            self.connection.notify(method, &params);
        }
        Synced {
            path: path.to_owned(),
            version: update.version,
            count,
            is_unchanged,
        }
    }

    /// Asks about a position of a file. While the server still reads the project, an empty answer is not the last word.
    pub(super) async fn ask(
        &self,
        method: &str,
        path: &Path,
        position: &Value,
        extra: Value,
    ) -> Result<Value, ServerError> {
        let mut params = json!({
            "textDocument": {"uri": uri::of(path)},
            "position": position,
        });
        if let (Some(params), Value::Object(extra)) = (params.as_object_mut(), extra) {
            params.extend(extra);
        }
        let deadline = Instant::now() + INDEXING;
        let mut refusals_left = 3;
        loop {
            let answer = self
                .connection
                .request(method, params.clone(), ANSWER)
                .await;
            let again = match &answer {
                Ok(answer) => is_empty(answer) && self.becomes_ready(deadline).await,
                Err(ServerError::Refused { code, .. }) => {
                    refusals_left -= 1;
                    *code == CONTENT_MODIFIED && refusals_left > 0
                }
                Err(_) => false,
            };
            if again && Instant::now() < deadline {
                continue;
            }
            return match answer {
                Ok(answer) => Ok(answer),
                Err(error) => Err(self.explained(error).await),
            };
        }
    }

    /// Waits for the diagnostics of a text; none if they do not come in time.
    pub(super) async fn diagnostics(
        &self,
        synced: &Synced,
        limit: Duration,
    ) -> Option<Vec<Diagnostic>> {
        let is_current = |connection: &Connection| {
            let published = connection.published(&synced.path);
            match published.version {
                Some(version) => version >= synced.version,
                None => {
                    published.count > synced.count || (synced.is_unchanged && published.count > 0)
                }
            }
        };
        let begun = Instant::now();
        if !self.connection.wait(limit, is_current).await {
            return None;
        }
        let took = begun.elapsed();
        let mut was_busy = false;
        // Servers publish in steps: what is quick to find first.
        loop {
            let published = self.connection.published(&synced.path);
            let is_empty = published.diagnostics.is_empty();
            // A server that still reads the project has found nothing yet, which is not the same as nothing.
            let is_busy = is_empty && self.connection.is_busy();
            let settle = match (is_busy, was_busy) {
                (true, _) => limit,
                (false, true) => self.settle(synced, is_empty, took).max(SETTLE_EMPTY),
                (false, false) => self.settle(synced, is_empty, took),
            };
            let left = limit.saturating_sub(begun.elapsed()).min(settle);
            let more = |connection: &Connection| {
                let has_more = connection.published(&synced.path).count > published.count;
                has_more || is_busy && !connection.is_busy()
            };
            if left.is_zero() || !self.connection.wait(left, more).await {
                let last = self.connection.published(&synced.path).diagnostics;
                return (!is_busy || !last.is_empty()).then_some(last);
            }
            was_busy = is_busy;
        }
    }

    /// How long a list of diagnostics may not be the last of its text.
    fn settle(&self, synced: &Synced, is_empty: bool, took: Duration) -> Duration {
        let youth = self.youth();
        match (is_empty, synced.is_unchanged) {
            (true, false) => youth.max(SETTLE_EMPTY).max(took),
            (true, true) => youth,
            (false, false) => SETTLE,
            (false, true) => Duration::ZERO,
        }
    }

    /// For how long an empty answer is not the last word.
    fn youth(&self) -> Duration {
        let young = YOUNG.max(self.handshake * YOUNG_HANDSHAKES);
        young.saturating_sub(self.started.elapsed())
    }

    /// A limit on the time for diagnostics, on this machine at the moment.
    pub(super) fn on_this_machine(&self, limit: Duration) -> Duration {
        limit.max(self.handshake * SLOW_HANDSHAKES)
    }

    /// What is published of a file right now.
    pub(super) fn known_diagnostics(&self, path: &Path) -> Option<Vec<Diagnostic>> {
        let published = self.connection.published(path);
        (published.count > 0).then_some(published.diagnostics)
    }

    /// Waits while the server reads the project: until the work that it reports has ended. Says whether there was any.
    async fn becomes_ready(&self, deadline: Instant) -> bool {
        let youth = self.youth();
        let begins = youth.max(SETTLE);
        let is_busy = self.connection.wait(begins, Connection::is_busy).await;
        let left = deadline.saturating_duration_since(Instant::now());
        let is_idle = |connection: &Connection| !connection.is_busy();
        is_busy && self.connection.wait(left, is_idle).await
    }

    /// An end of the server, with what it wrote last.
    async fn explained(&self, error: ServerError) -> ServerError {
        let (ServerError::Failed { reason, .. }, Some(service)) = (&error, &self.service) else {
            return error;
        };
        match service.last_errors().await {
            written if written.is_empty() => error,
            written => ServerError::Failed {
                server: self.name.clone(),
                reason: format!("{reason}; it wrote: {written}"),
            },
        }
    }
}

fn is_empty(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}
