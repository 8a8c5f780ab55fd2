//! A call of Git, and how it is run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::configuration::storage_of;
use super::error::GitError;
use super::repository::{Repository, small_text};
use super::view::View;
use crate::isolation::{OwnAccess, contain_own};
use crate::process::{
    ExecutionEnvironment, Exit, Job, JobResult, Output, OutputStream, find_program, is_incomplete,
};

/// Most time for a call that names none.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Settings that win over every configuration there may be.
const SETTINGS: [(&str, &str); 14] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("credential.helper", ""),
    ("protocol.allow", "never"),
    ("submodule.recurse", "false"),
    ("diff.ignoreSubmodules", "dirty"),
    ("commit.gpgSign", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

/// The environment; nothing else of that of this program is passed on but the variables in [`INHERITED`].
const ENVIRONMENT: [(&str, &str); 16] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TEMPLATE_DIR", ""),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", "false"),
    ("GIT_SEQUENCE_EDITOR", "false"),
    ("GIT_ASKPASS", "false"),
    ("GIT_SSH_COMMAND", "false"),
    ("LC_ALL", "C.UTF-8"),
];

const INHERITED: [&str; 2] = ["PATH", "TZ"];

/// A call of Git.
#[derive(Debug, Clone, Default)]
pub struct Call {
    folder: PathBuf,
    arguments: Vec<String>,
    settings: Vec<(String, String)>,
    /// Git again, with these arguments, which reads what the call writes.
    then: Option<Vec<String>>,
    writable: Vec<PathBuf>,
    read_only: Vec<PathBuf>,
    timeout: Option<Duration>,
}

impl Call {
    /// A call that changes nothing.
    pub fn read(
        folder: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            folder: folder.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// With folders that it may write.
    #[must_use]
    pub fn writes(mut self, folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.writable.extend(folders.into_iter().map(Into::into));
        self
    }

    /// With what it cannot write in those folders, in a sandbox that can say so.
    #[must_use]
    pub(super) fn keeps(mut self, paths: &[PathBuf]) -> Self {
        self.read_only.extend_from_slice(paths);
        self
    }

    /// With the hooks of a repository, which cannot change themselves.
    #[must_use]
    pub(super) fn with_hooks(mut self, repository: &Repository) -> Self {
        let hooks = repository.common_dir().join("hooks");
        let settings = ["config", "config.worktree"].map(|name| repository.common_dir().join(name));
        let hooks_path = (
            "core.hooksPath".to_owned(),
            hooks.to_string_lossy().into_owned(),
        );
        self.settings.push(hooks_path);
        self.read_only.extend(settings);
        self.read_only.push(hooks);
        self
    }

    /// With settings, as `("user.name", "Ada")`.
    #[must_use]
    pub fn settings(mut self, settings: impl IntoIterator<Item = (String, String)>) -> Self {
        self.settings.extend(settings);
        self
    }

    /// Gives what it writes to Git with other arguments.
    #[must_use]
    pub fn then(mut self, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.then = Some(arguments.into_iter().map(Into::into).collect());
        self
    }

    /// With another limit of time.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    fn command(&self) -> String {
        self.arguments.first().cloned().unwrap_or_default()
    }
}

/// Git in a repository.
#[derive(Debug, Clone, Copy)]
pub struct Git<'g> {
    pub(super) repository: &'g Repository,
    pub(super) execution: &'g dyn ExecutionEnvironment,
}

impl<'g> Git<'g> {
    /// `execution` is that of the engine, without a sandbox: this one sets up its own.
    pub const fn new(repository: &'g Repository, execution: &'g dyn ExecutionEnvironment) -> Self {
        Self {
            repository,
            execution,
        }
    }

    /// What a call writes to its standard output.
    ///
    /// # Errors
    /// The repository was changed since it was found, Git cannot be run, or it fails.
    pub async fn text(&self, call: Call) -> Result<String, GitError> {
        let command = call.command();
        let done = self.run(call).await?;
        text_of_result(command, done)
    }

    /// Runs a call that is not about the repository.
    pub(super) async fn outside(&self, call: &Call) -> Result<(), GitError> {
        let done = self.start(call, &[]).await?;
        text_of_result(call.command(), done).map(drop)
    }

    /// Runs a call to its end.
    ///
    /// # Errors
    /// The repository was changed since it was found, or Git cannot be run.
    pub async fn run(&self, call: Call) -> Result<JobResult, GitError> {
        self.repository.verify()?;
        let view = View::new(self.repository)?;
        let configuration = self.repository.common_dir().join("config");
        let configuration = small_text(&configuration).unwrap_or_default();
        view.configure(&storage_of(&configuration))?;
        let place = [
            ("GIT_DIR", self.repository.git_dir().into()),
            ("GIT_COMMON_DIR", view.path().into()),
            ("GIT_WORK_TREE", self.repository.work_tree().into()),
        ];
        self.start(&call, &place).await
    }

    async fn start(&self, call: &Call, place: &[(&str, OsString)]) -> Result<JobResult, GitError> {
        let program = find_program("git").ok_or(GitError::Missing)?;
        let mut argv = vec!["env".to_owned(), "-i".to_owned()];
        let inherited = INHERITED.iter().filter_map(|name| {
            let value = std::env::var(name).ok()?;
            Some(format!("{name}={value}"))
        });
        argv.extend(inherited);
        argv.extend(ENVIRONMENT.map(|(name, value)| format!("{name}={value}")));
        let place = place.iter();
        argv.extend(place.map(|(name, value)| format!("{name}={}", value.to_string_lossy())));
        argv.extend(variables(&call.settings));
        let program = text_of(&program)?;
        match &call.then {
            None => {
                argv.push(program);
                argv.extend(call.arguments.iter().cloned());
            }
            Some(then) => {
                let script = format!(
                    "{} | {}",
                    command_line(&program, &call.arguments),
                    command_line(&program, then)
                );
                argv.extend(["sh".to_owned(), "-c".to_owned(), script]);
            }
        }
        let job = Job {
            argv,
            directory: call.folder.clone(),
            timeout: Some(call.timeout.unwrap_or(TIMEOUT)),
            ..Job::default()
        };
        let access = OwnAccess {
            writable: &call.writable,
            read_only: &call.read_only,
        };
        let job = contain_own(job, access)?;
        let stop = CancellationToken::new();
        Ok(self.execution.run(job, &Silent, &stop).await?)
    }
}

fn text_of_result(command: String, done: JobResult) -> Result<String, GitError> {
    match done.exit {
        Exit::Code(0) if is_incomplete(&done.stdout.text) => Err(GitError::Failed {
            command,
            message: "it wrote too much".to_owned(),
        }),
        Exit::Code(0) => Ok(done.stdout.text),
        Exit::Code(_) => Err(GitError::Failed {
            command,
            message: done.stderr.text.trim().to_owned(),
        }),
        Exit::TimedOut | Exit::Stopped => Err(GitError::TimedOut { command }),
    }
}

/// The settings as variables, which also programs that Git starts for itself obey.
fn variables(settings: &[(String, String)]) -> Vec<String> {
    let fixed = SETTINGS.iter().map(|(name, value)| (*name, *value));
    let own = settings.iter().map(|(name, value)| (&**name, &**value));
    let mut variables = vec![format!(
        "GIT_CONFIG_COUNT={}",
        SETTINGS.len().saturating_add(settings.len())
    )];
    for (at, (name, value)) in fixed.chain(own).enumerate() {
        variables.push(format!("GIT_CONFIG_KEY_{at}={name}"));
        variables.push(format!("GIT_CONFIG_VALUE_{at}={value}"));
    }
    variables
}

fn command_line(program: &str, arguments: &[String]) -> String {
    let words = std::iter::once(program).chain(arguments.iter().map(String::as_str));
    let quoted = words.map(|word| format!("'{}'", word.replace('\'', "'\\''")));
    quoted.collect::<Vec<_>>().join(" ")
}

/// The output is read at the end.
pub(super) struct Silent;

impl Output for Silent {
    fn piece(&self, _: OutputStream, _: &[u8]) {}
}

/// Whether a path can be given to Git as text.
pub(super) fn text_of(path: &Path) -> Result<String, GitError> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| std::io::Error::other(format!("{} is not UTF-8", path.display())).into())
}
