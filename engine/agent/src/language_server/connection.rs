//! The wire to a server: requests with their answers, notifications, and the end of it.
//!
//! One task writes and one reads. A request waits at most for its time limit, whatever the server does.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::timeout;

use super::ServerError;
use super::diagnostics::Diagnostic;
use super::{framing, uri};

/// Bytes and messages a server may send before it is asked something again.
const MAX_UNASKED_BYTES: usize = 128 * 1024 * 1024;
const MAX_UNASKED_MESSAGES: usize = 200_000;

/// Files whose diagnostics are remembered.
const MAX_FILES: usize = 2_000;

/// The two directions to a server.
pub(super) struct Streams {
    pub(super) input: Box<dyn AsyncWrite + Send + Unpin>,
    pub(super) output: Box<dyn AsyncRead + Send + Unpin>,
}

/// What a server has published of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Published {
    /// How many times it has published diagnostics of the file.
    pub(super) count: u64,
    /// The version of the text they are about, if it says so.
    pub(super) version: Option<i64>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A connection to a server.
#[derive(Debug)]
pub(super) struct Connection {
    server: String,
    sender: mpsc::UnboundedSender<Vec<u8>>,
    next_id: AtomicI64,
    shared: Arc<Shared>,
}

type Answer = Result<Value, ServerError>;

/// What both tasks and the callers share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<ConnectionState>,
    /// Something was published, or the connection failed.
    changed: Notify,
    unasked_bytes: AtomicUsize,
    unasked_messages: AtomicUsize,
}

#[derive(Debug, Default)]
struct ConnectionState {
    waiting: HashMap<i64, oneshot::Sender<Answer>>,
    published: HashMap<PathBuf, Published>,
    /// Work that the server reports and has not ended.
    progress: HashSet<String>,
    failed: Option<ServerError>,
}

impl Connection {
    /// Begins to read and write.
    pub(super) fn new(server: &str, streams: Streams) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared::default());
        tokio::spawn(write(streams.input, receiver));
        tokio::spawn(read(
            server.to_owned(),
            streams.output,
            Arc::clone(&shared),
            sender.clone(),
        ));
        Self {
            server: server.to_owned(),
            sender,
            next_id: AtomicI64::new(1),
            shared,
        }
    }

    /// Sends a request and waits for its answer.
    pub(super) async fn request(&self, method: &str, params: Value, limit: Duration) -> Answer {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        {
            let mut state = self.shared.state();
            if let Some(failed) = &state.failed {
                return Err(failed.clone());
            }
            state.waiting.insert(id, sender);
        }
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        if let Ok(answer) = timeout(limit, answer).await {
            return answer.unwrap_or_else(|_| Err(self.closed()));
        }
        self.shared.state().waiting.remove(&id);
        self.notify("$/cancelRequest", &json!({"id": id}));
        Err(ServerError::TimedOut {
            server: self.server.clone(),
            seconds: limit.as_secs(),
        })
    }

    /// Sends a notification.
    pub(super) fn notify(&self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// What was published of a file; nothing yet is the default.
    pub(super) fn published(&self, path: &Path) -> Published {
        self.shared
            .state()
            .published
            .get(path)
            .cloned()
            .unwrap_or_default()
    }

    /// Whether the server reports work that has not ended.
    pub(super) fn is_busy(&self) -> bool {
        !self.shared.state().progress.is_empty()
    }

    /// Why the connection ended.
    pub(super) fn failure(&self) -> Option<ServerError> {
        self.shared.state().failed.clone()
    }

    /// Waits until `done`, or until the limit. Says whether it is done.
    pub(super) async fn wait(&self, limit: Duration, done: impl Fn(&Self) -> bool) -> bool {
        let waiting = async {
            loop {
                let changed = self.shared.changed.notified();
                if done(self) || self.failure().is_some() {
                    return;
                }
                changed.await;
            }
        };
        // Whether it is done counts, not whether the time is up.
        let _ = timeout(limit, waiting).await;
        done(self)
    }

    fn send(&self, message: &Value) {
        self.shared.unasked_bytes.store(0, Ordering::Relaxed);
        self.shared.unasked_messages.store(0, Ordering::Relaxed);
        // When the server has ended, the reader says so.
        let _ = self.sender.send(framing::encode(message));
    }

    fn closed(&self) -> ServerError {
        let closed = || ServerError::Failed {
            server: self.server.clone(),
            reason: "its connection is closed".to_owned(),
        };
        self.failure().unwrap_or_else(closed)
    }
}

impl Shared {
    /// A panic elsewhere leaves maps that are still true.
    fn state(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, error: &ServerError) {
        let mut state = self.state();
        for (_, waiting) in state.waiting.drain() {
            // A caller that gave up no longer listens.
            let _ = waiting.send(Err(error.clone()));
        }
        state.progress.clear();
        state.failed.get_or_insert_with(|| error.clone());
        drop(state);
        self.changed.notify_waiters();
    }

    /// Counts a message. Says whether there are too many.
    fn is_flooded(&self, length: usize) -> bool {
        let bytes = self.unasked_bytes.fetch_add(length, Ordering::Relaxed);
        let messages = self.unasked_messages.fetch_add(1, Ordering::Relaxed);
        bytes > MAX_UNASKED_BYTES || messages > MAX_UNASKED_MESSAGES
    }
}

async fn write(
    mut input: Box<dyn AsyncWrite + Send + Unpin>,
    mut messages: mpsc::UnboundedReceiver<Vec<u8>>,
) {
    while let Some(message) = messages.recv().await {
        let written = input.write_all(&message).await;
        if written.is_err() || input.flush().await.is_err() {
            return;
        }
    }
}

async fn read(
    server: String,
    output: Box<dyn AsyncRead + Send + Unpin>,
    shared: Arc<Shared>,
    sender: mpsc::UnboundedSender<Vec<u8>>,
) {
    let mut reader = BufReader::new(output);
    let reason = loop {
        match framing::read(&mut reader).await {
            Ok(Some((_, length))) if shared.is_flooded(length) => {
                break "it sends more messages than can be read".to_owned();
            }
            Ok(Some((message, _))) => take(&server, &message, &shared, &sender),
            Ok(None) => break "it ended".to_owned(),
            Err(reason) => break reason,
        }
    };
    shared.fail(&ServerError::Failed { server, reason });
}

fn take(server: &str, message: &Value, shared: &Shared, sender: &mpsc::UnboundedSender<Vec<u8>>) {
    let params = message.get("params").unwrap_or(&Value::Null);
    match (
        message.get("method").and_then(Value::as_str),
        message.get("id"),
    ) {
        (Some(method), Some(id)) => {
            let _ = sender.send(framing::encode(&reply(method, id, params)));
        }
        (Some("textDocument/publishDiagnostics"), None) => publish(shared, params),
        (Some("$/progress"), None) => progress(shared, params),
        (Some(_), None) => {}
        (None, id) => {
            let id = id.and_then(Value::as_i64);
            let waiting = id.and_then(|id| shared.state().waiting.remove(&id));
            if let Some(waiting) = waiting {
                let _ = waiting.send(answer(server, message));
            }
        }
    }
}

fn answer(server: &str, message: &Value) -> Answer {
    let Some(error) = message.get("error") else {
        return Ok(message.get("result").cloned().unwrap_or_default());
    };
    let text = error.get("message").and_then(Value::as_str);
    Err(ServerError::Refused {
        server: server.to_owned(),
        code: error
            .get("code")
            .and_then(Value::as_i64)
            .unwrap_or_default(),
        message: text.unwrap_or("an error without a message").to_owned(),
    })
}

/// The answer to a request of the server: no settings, and whatever it registers is fine.
fn reply(method: &str, id: &Value, params: &Value) -> Value {
    let result = match method {
        "workspace/configuration" => {
            let items = params
                .get("items")
                .and_then(Value::as_array)
                .map_or(0, Vec::len);
            json!(vec![Value::Null; items])
        }
        "client/registerCapability"
        | "client/unregisterCapability"
        | "window/workDoneProgress/create"
        | "window/showMessageRequest"
        | "workspace/workspaceFolders" => Value::Null,
        _ => {
            let error = json!({"code": -32601, "message": "not supported"});
            return json!({"jsonrpc": "2.0", "id": id, "error": error});
        }
    };
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn publish(shared: &Shared, params: &Value) {
    // Servers write the same address in different ways.
    let address = params.get("uri").and_then(Value::as_str);
    let Some(path) = address.and_then(uri::path) else {
        return;
    };
    let diagnostics = params.get("diagnostics").unwrap_or(&Value::Null);
    let mut state = shared.state();
    if state.published.len() >= MAX_FILES && !state.published.contains_key(&path) {
        return;
    }
    let published = state.published.entry(path).or_default();
    published.count += 1;
    published.version = params.get("version").and_then(Value::as_i64);
    published.diagnostics = Diagnostic::read(diagnostics);
    drop(state);
    shared.changed.notify_waiters();
}

fn progress(shared: &Shared, params: &Value) {
    let token = params
        .get("token")
        .map(Value::to_string)
        .unwrap_or_default();
    let kind = params.pointer("/value/kind").and_then(Value::as_str);
    let mut state = shared.state();
    match kind {
        Some("begin") if state.progress.len() < MAX_FILES => {
            state.progress.insert(token);
        }
        Some("end") => {
            state.progress.remove(&token);
        }
        _ => return,
    }
    drop(state);
    shared.changed.notify_waiters();
}
