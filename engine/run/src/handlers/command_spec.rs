//! A command that the work of a handler runs, and what comes of it.

use std::path::PathBuf;
use std::time::Duration;

use attractor_exec::{Exit, JobResult};

/// A command for [`HandlerEnv::exec`](super::HandlerEnv::exec).
///
/// ```
/// use attractor_run::CommandSpec;
///
/// let test = CommandSpec::program("cargo").args(["test", "--quiet"]).env("CI", "1");
/// let build = CommandSpec::shell("make -j4 && make check");
/// ```
#[derive(Debug, Clone)]
pub struct CommandSpec {
    pub(super) argv: Vec<String>,
    pub(super) directory: Option<PathBuf>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) stdin: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) is_shown: bool,
}

impl CommandSpec {
    /// A program, which gets its arguments as they are.
    pub fn program(name: impl Into<String>) -> Self {
        Self {
            argv: vec![name.into()],
            directory: None,
            environment: Vec::new(),
            stdin: None,
            timeout: None,
            is_shown: true,
        }
    }

    /// A script for `sh`. A value that is put into its text becomes code: hand values over by [`CommandSpec::env`].
    pub fn shell(script: impl Into<String>) -> Self {
        Self::program("sh").args(["-c".to_owned(), script.into()])
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<String>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.argv.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Adds a variable to the environment.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// What it reads; nothing if this is not called.
    #[must_use]
    pub fn stdin(mut self, text: impl Into<String>) -> Self {
        self.stdin = Some(text.into());
        self
    }

    /// Where it runs, relative to where the node works.
    #[must_use]
    pub fn directory(mut self, folder: impl Into<PathBuf>) -> Self {
        self.directory = Some(folder.into());
        self
    }

    /// How long it may take. The time of the node counts, too.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Keeps its output out of the output of the node.
    #[must_use]
    pub fn quiet(mut self) -> Self {
        self.is_shown = false;
        self
    }

    /// Why it cannot be started.
    pub(super) fn invalid(&self) -> Option<&'static str> {
        let has_nul = |text: &String| text.contains('\0');
        let is_bad = |(name, value): &(String, String)| {
            name.is_empty() || name.contains(['\0', '=']) || has_nul(value)
        };
        (self.argv.iter().any(has_nul) || self.environment.iter().any(is_bad))
            .then_some("a NUL character, or an invalid name of a variable")
    }
}

/// How a command ended, and what it wrote, without secrets. Of a long output the beginning and the end are kept, and a
/// line says how much is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandOutput {
    /// How it ended.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl CommandOutput {
    /// Whether it ended with exit code 0.
    pub fn is_success(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

impl From<JobResult> for CommandOutput {
    fn from(result: JobResult) -> Self {
        Self {
            exit: result.exit,
            stdout: result.stdout.text,
            stderr: result.stderr.text,
        }
    }
}
