//! Commands in the background: started by `shell`, known by an id, read and ended by tools of their own. They live as long
//! as the session; where the sandbox does not protect files, only as long as its work on an input.

mod command;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_exec::{ExecutionEnvironment, Job};
use futures::future::join_all;
use indexmap::IndexMap;

pub(crate) use command::{BackgroundCommand, CommandStatus};

/// Most commands that run at the same time.
const RUNNING: usize = 8;

/// Most commands that are known, those that have ended included.
const KNOWN: usize = 32;

/// The commands of a session.
#[derive(Debug, Default)]
pub struct BackgroundCommands {
    commands: Mutex<IndexMap<String, Arc<BackgroundCommand>>>,
    started: AtomicU64,
}

/// Why a command was not started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error(
        "{RUNNING} commands run in the background, which is the limit; end one by `shell_stop`: {0}"
    )]
    TooMany(String),
    #[error("the command could not be started: {0}")]
    NotStarted(#[from] io::Error),
}

impl BackgroundCommands {
    /// Starts a command, and gives its id.
    ///
    /// # Errors
    /// Too many run, or it could not be started.
    pub(crate) fn start(
        &self,
        job: Job,
        environment: &dyn ExecutionEnvironment,
    ) -> Result<String, StartError> {
        let mut commands = self.commands();
        let running: Vec<&str> = commands
            .iter()
            .filter(|(_, one)| one.is_running())
            .map(|(id, _)| id.as_str())
            .collect();
        if running.len() >= RUNNING {
            return Err(StartError::TooMany(running.join(", ")));
        }
        let command = BackgroundCommand::start(job, environment)?;
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        let id = format!("shell_{number}");
        let ended = commands.iter().position(|(_, one)| !one.is_running());
        if let (true, Some(oldest)) = (commands.len() >= KNOWN, ended) {
            commands.shift_remove_index(oldest);
        }
        commands.insert(id.clone(), Arc::new(command));
        Ok(id)
    }

    /// The command with that id.
    ///
    /// # Errors
    /// There is none; the text names those that there are.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<BackgroundCommand>, String> {
        let commands = self.commands();
        commands.get(id).cloned().ok_or_else(|| {
            let known: Vec<&str> = commands.keys().map(String::as_str).collect();
            let known = match known.as_slice() {
                [] => "none was started since this session began or was resumed".to_owned(),
                known => format!("known are: {}", known.join(", ")),
            };
            format!("unknown command `{id}`; {known}")
        })
    }

    /// How many run.
    pub(crate) fn running(&self) -> usize {
        self.commands()
            .values()
            .filter(|one| one.is_running())
            .count()
    }

    /// Ends all of them, and gives how many ran.
    pub(crate) async fn end_all(&self) -> usize {
        let running: Vec<Arc<BackgroundCommand>> = {
            let commands = self.commands();
            let running = commands.values().filter(|one| one.is_running());
            running.cloned().collect()
        };
        join_all(running.iter().map(|one| one.stop())).await;
        running.len()
    }

    fn commands(&self) -> MutexGuard<'_, IndexMap<String, Arc<BackgroundCommand>>> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
