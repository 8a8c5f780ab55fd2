//! A command to run, and how it ends.

use attractor_redact::Redactor;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::capture::CapturedOutput;
use super::git_permission::GitPermission;
use crate::isolation::Confinement;

/// A command to run.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Variables to add; they win over the filter.
    pub environment: Vec<(String, String)>,
    /// What it reads; nothing if absent.
    pub stdin: Option<String>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// Marks everything it starts: the run, and the attempt within it.
    pub run: String,
    /// See `run`.
    pub step: String,
    /// Where to write what it writes.
    pub stdout_log: Option<PathBuf>,
    /// See `stdout_log`.
    pub stderr_log: Option<PathBuf>,
    /// Masks secrets in its output.
    pub redactor: Arc<Redactor>,
    /// The file that names its process group while it runs, so that a later process can end it.
    pub footprint: Option<PathBuf>,
    /// Decides about what it wants to write by Git, which a sandbox keeps it from; nobody if absent.
    pub git: Option<Arc<dyn GitPermission>>,
    /// What it is confined to, and all that it starts; nothing if absent.
    pub confinement: Option<Confinement>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// Exhaustive: operating systems end a process in these ways.
pub enum Exit {
    /// By itself, with this code; 128 + n for signal n, as shells report it.
    Code(i32),
    /// It took longer than its `timeout`.
    TimedOut,
    /// The caller stopped it.
    Stopped,
}

/// How a command ended, and its output.
#[derive(Debug, Clone)]
pub struct JobResult {
    /// How it ended.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: CapturedOutput,
    /// Its standard error.
    pub stderr: CapturedOutput,
}

/// One of the two streams of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Receives output while a command runs.
pub trait Output: Send + Sync {
    /// A piece of a stream, in order, without secrets.
    fn piece(&self, stream: OutputStream, bytes: &[u8]);
}

/// What was found when the work of an agent ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettledWork {
    /// The write-protected files that were changed.
    pub changes: Vec<ProtectedChange>,
    /// Whether something that a command left running could not be ended.
    pub has_survivor: bool,
}

/// A write-protected file that was changed after the command had ended that the change belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedChange {
    /// The file, in the workspace if it is there.
    pub path: PathBuf,
    /// Whether it has its content again.
    pub is_restored: bool,
}

/// A file that was moved out of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The path it had, in the workspace.
    pub path: PathBuf,
    /// The folder that it is in now, under that path; none where it could not be moved.
    pub folder: Option<PathBuf>,
}
