//! The servers of a workspace: which one is for a file, and starting it when it is first needed.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use attractor_exec::{EntryKind, ExecutionEnvironment, Job, Redactor, Service};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::client::{Client, Synced};
use super::connection::Streams;
use super::diagnostics::{Diagnostic, new_ones};
use super::position::Place;
use super::servers::ServerDefinition;
use super::{ServerError, render};
use crate::workspace::Workspace;

/// How often a server is started that ends by itself.
const MAX_STARTS: u32 = 3;

/// Bytes of a file that is shown to a server.
const MAX_FILE: usize = 4 * 1024 * 1024;

/// The time that the diagnostics of an edit may take, in two parts: before and after it. An edit does not wait longer.
#[derive(Debug, Clone, Copy)]
pub(super) struct EditPatience {
    pub(super) before: Duration,
    pub(super) after: Duration,
}

impl Default for EditPatience {
    fn default() -> Self {
        Self {
            before: Duration::from_millis(1500),
            after: Duration::from_millis(3500),
        }
    }
}

/// The time that diagnostics may take when they are asked for.
const DIAGNOSTICS: Duration = Duration::from_secs(15);

/// Whether code of a folder may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FolderTrust {
    /// A person trusts it.
    Trusted,
    /// Nobody has said so: no server is started.
    Untrusted,
}

/// How the processes of servers are started.
#[derive(Debug, Clone)]
pub struct ServerProcess {
    /// Runs them, in its sandbox if it has one.
    pub environment: Arc<dyn ExecutionEnvironment>,
    /// Masks secrets in what they write.
    pub redactor: Arc<Redactor>,
    /// Marks the processes: the run, and the attempt within it.
    pub run: String,
    /// See `run`.
    pub step: String,
}

/// What is known of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStatus {
    /// Its name.
    pub name: String,
    /// The folder of its project, relative to the root.
    pub project: PathBuf,
    /// `starting`, `running`, or why it does not run.
    pub state: String,
}

/// A question about a place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Definition,
    References,
    Hover,
    Completions,
}

/// Opens the streams to a server.
type Launcher =
    dyn Fn(&ServerDefinition, &Path) -> std::io::Result<(Streams, Option<Service>)> + Send + Sync;

type Started = Option<Result<Arc<Client>, ServerError>>;

/// A server that was started.
struct Slot {
    starts: u32,
    /// Nothing while it starts.
    client: watch::Receiver<Started>,
}

/// The language servers of a workspace.
pub struct LanguageServers {
    workspace: Arc<Workspace>,
    trust: FolderTrust,
    servers: Vec<ServerDefinition>,
    launcher: Box<Launcher>,
    slots: Mutex<HashMap<(String, PathBuf), Slot>>,
    patience: EditPatience,
}

impl fmt::Debug for LanguageServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LanguageServers")
            .field("trust", &self.trust)
            .finish_non_exhaustive()
    }
}

/// A file with the server that is for it.
struct Target {
    client: Arc<Client>,
    path: PathBuf,
    language: String,
}

impl LanguageServers {
    /// Servers for a workspace, which run as commands of the environment do.
    pub fn new(
        workspace: Arc<Workspace>,
        trust: FolderTrust,
        servers: Vec<ServerDefinition>,
        process: ServerProcess,
    ) -> Self {
        let launch = move |server: &ServerDefinition, folder: &Path| {
            // In a sandbox, a program that does not exist is found out late.
            if !server.is_installed() {
                return Err(std::io::ErrorKind::NotFound.into());
            }
            let job = process.environment.confine(Job {
                argv: server.command.clone(),
                directory: folder.to_owned(),
                run: process.run.clone(),
                step: format!("{}/{}", process.step, server.name),
                redactor: Arc::clone(&process.redactor),
                ..Job::default()
            })?;
            let (service, pipes) = Service::start(job)?;
            let streams = Streams {
                input: Box::new(pipes.stdin),
                output: Box::new(pipes.stdout),
            };
            Ok((streams, Some(service)))
        };
        Self::with_launcher(workspace, trust, servers, Box::new(launch))
    }

    pub(super) fn with_launcher(
        workspace: Arc<Workspace>,
        trust: FolderTrust,
        servers: Vec<ServerDefinition>,
        launcher: Box<Launcher>,
    ) -> Self {
        Self {
            workspace,
            trust,
            servers,
            launcher,
            slots: Mutex::default(),
            patience: EditPatience::default(),
        }
    }

    /// The same; edits wait for diagnostics as long as they take.
    #[cfg(test)]
    pub(super) fn patient(self) -> Self {
        let long = Duration::from_mins(5);
        Self {
            patience: EditPatience {
                before: long,
                after: long,
            },
            ..self
        }
    }

    /// The servers that were started, by name.
    pub fn status(&self) -> Vec<ServerStatus> {
        let slots = self.slots();
        let mut status: Vec<_> = slots
            .iter()
            .map(|((name, project), slot)| ServerStatus {
                name: name.clone(),
                project: project.clone(),
                state: match &*slot.client.borrow() {
                    None => "starting".to_owned(),
                    Some(Err(error)) => error.to_string(),
                    Some(Ok(client)) => match client.failure() {
                        Some(error) => error.to_string(),
                        None => "running".to_owned(),
                    },
                },
            })
            .collect();
        status.sort_by(|a, b| (&a.name, &a.project).cmp(&(&b.name, &b.project)));
        status
    }

    /// Asks about a place of a file.
    pub(crate) async fn ask(
        &self,
        question: Question,
        below: &Path,
        place: &Place,
    ) -> Result<String, ServerError> {
        let target = self.target(below).await?;
        let text = self.text(below)?;
        let position = place.in_text(&text).map_err(ServerError::Request)?;
        target.client.sync(&target.path, &target.language, &text);
        let (method, extra) = match question {
            Question::Definition => ("textDocument/definition", Value::Null),
            Question::References => {
                let context = json!({"context": {"includeDeclaration": true}});
                ("textDocument/references", context)
            }
            Question::Hover => ("textDocument/hover", Value::Null),
            Question::Completions => ("textDocument/completion", Value::Null),
        };
        let answer = target
            .client
            .ask(method, &target.path, &position, extra)
            .await?;
        Ok(match question {
            Question::Definition | Question::References => {
                render::locations(&answer, &self.workspace)
            }
            Question::Hover => render::hover(&answer),
            Question::Completions => render::completions(&answer),
        })
    }

    /// The diagnostics of a file; none if the server publishes nothing in time.
    pub(crate) async fn diagnostics(
        &self,
        below: &Path,
    ) -> Result<Option<Vec<Diagnostic>>, ServerError> {
        let target = self.target(below).await?;
        let synced = self.sync(&target, below)?;
        let diagnostics = target
            .client
            .diagnostics(&synced, target.client.on_this_machine(DIAGNOSTICS))
            .await;
        match target.client.failure() {
            Some(failure) => Err(failure),
            None => Ok(diagnostics.or_else(|| target.client.known_diagnostics(&target.path))),
        }
    }

    /// The diagnostics of a file before an edit, to compare with those after it. None if they are not known in time, or
    /// there is no server; a new file has none.
    pub(crate) async fn before_edit(&self, below: &Path) -> Option<Vec<Diagnostic>> {
        let known = async {
            let target = self.target(below).await.ok()?;
            if self.workspace.kind(below).is_none() {
                return Some(Vec::new());
            }
            let synced = self.sync(&target, below).ok()?;
            target
                .client
                .diagnostics(&synced, self.patience.before)
                .await
        };
        tokio::time::timeout(self.patience.before, known)
            .await
            .ok()
            .flatten()
    }

    /// The diagnostics that a file has since an edit, and had not before.
    pub(crate) async fn after_edit(&self, below: &Path, before: &[Diagnostic]) -> Vec<Diagnostic> {
        let new = async {
            let target = self.target(below).await.ok()?;
            let synced = self.sync(&target, below).ok()?;
            let after = target
                .client
                .diagnostics(&synced, self.patience.after)
                .await?;
            Some(new_ones(before, after))
        };
        let new = tokio::time::timeout(self.patience.after, new).await;
        new.ok().flatten().unwrap_or_default()
    }

    fn sync(&self, target: &Target, below: &Path) -> Result<Synced, ServerError> {
        let text = self.text(below)?;
        Ok(target.client.sync(&target.path, &target.language, &text))
    }

    fn text(&self, below: &Path) -> Result<String, ServerError> {
        let read = self.workspace.read_stored(below);
        let read = read.map_err(|error| ServerError::Request(error.to_string()))?;
        let content = read.content.unwrap_or_default();
        if content.len() > MAX_FILE {
            let message = format!("`{}` is too large for a language server", below.display());
            return Err(ServerError::Request(message));
        }
        Ok(String::from_utf8_lossy(&content).into_owned())
    }

    /// The server of a file, running.
    async fn target(&self, below: &Path) -> Result<Target, ServerError> {
        if self.trust == FolderTrust::Untrusted {
            return Err(ServerError::Untrusted);
        }
        let unknown = || ServerError::Unknown(below.display().to_string());
        let mut servers = self.servers.iter();
        let found = servers.find_map(|one| one.language(below).map(|language| (one, language)));
        let (server, language) = found.ok_or_else(unknown)?;
        let exists = |file: &Path| self.workspace.kind(file) == Some(EntryKind::File);
        let project = server
            .project(below, exists)
            .ok_or_else(|| ServerError::NoProject {
                server: server.name.clone(),
                needs: server.project_files.join(" or "),
            })?;
        let mut client = self.slot(server, &project);
        let started = client.wait_for(Option::is_some).await;
        let started = started.ok().and_then(|started| started.clone());
        let client = started.ok_or_else(|| ServerError::Start {
            server: server.name.clone(),
            reason: "its start was interrupted".to_owned(),
        })??;
        Ok(Target {
            client,
            path: self.workspace.root().join(below),
            language: language.to_owned(),
        })
    }

    /// The server of a project: running, starting, or started now. One that ended is started again, a few times.
    fn slot(&self, server: &ServerDefinition, project: &Path) -> watch::Receiver<Started> {
        let mut slots = self.slots();
        let key = (server.name.clone(), project.to_owned());
        let starts = match slots.get(&key) {
            Some(slot) => {
                let has_ended = match &*slot.client.borrow() {
                    None => false,
                    Some(Err(_)) => true,
                    Some(Ok(client)) => client.failure().is_some(),
                };
                if !has_ended || slot.starts >= MAX_STARTS {
                    return slot.client.clone();
                }
                slot.starts
            }
            None => 0,
        };
        let (sender, client) = watch::channel(None);
        let folder = self.workspace.root().join(project);
        let launched = (self.launcher)(server, &folder).map_err(|error| ServerError::Start {
            server: server.name.clone(),
            reason: reason(&error, server),
        });
        let name = server.name.clone();
        // It starts also when the caller does not wait for it.
        tokio::spawn(async move {
            let started = match launched {
                Ok((streams, service)) => Client::start(&name, &folder, streams, service).await,
                Err(error) => Err(error),
            };
            sender.send_replace(Some(started.map(Arc::new)));
        });
        let slot = Slot {
            starts: starts + 1,
            client: client.clone(),
        };
        slots.insert(key, slot);
        client
    }

    /// A panic elsewhere leaves a map that is still true.
    fn slots(&self) -> MutexGuard<'_, HashMap<(String, PathBuf), Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn reason(error: &std::io::Error, server: &ServerDefinition) -> String {
    let program = server.command.first().map_or("", String::as_str);
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("`{program}` is not installed"),
        _ => error.to_string(),
    }
}
