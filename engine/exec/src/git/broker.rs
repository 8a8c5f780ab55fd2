//! Git for the commands of an agent: they cannot write `.git`, and hand what they want to write to the engine over a
//! socket. The engine decides by permission and runs it as it runs Git itself.
//!
//! A command can write anything to the socket: what arrives is judged here, whatever the program at the other end has
//! checked before.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::call::{Call, Git};
use super::protection::Protection;
use super::repository::Repository;
use super::request::{Kind, Request};
use crate::isolation::HookAccess;
use crate::process::{ExecutionEnvironment, Exit, GitPermission};

/// Most time for one call.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Hooks that people expect to run with these subcommands.
const HOOKS: [&str; 8] = [
    "commit-msg",
    "post-checkout",
    "post-commit",
    "pre-commit",
    "prepare-commit-msg",
    "reference-transaction",
    "post-index-change",
    "post-rewrite",
];

/// Changes of a stash go to the files that they were made in, and not to some that look alike.
const SETTINGS: [(&str, &str); 2] = [
    ("merge.renames", "false"),
    ("merge.directoryRenames", "false"),
];

/// A call, as a command sends it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HandedCall {
    pub(super) folder: PathBuf,
    pub(super) arguments: Vec<String>,
}

/// What the command gets.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HandedResult {
    pub(super) code: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl HandedResult {
    pub(super) fn refused(reason: &str) -> Self {
        Self {
            code: 128,
            stderr: format!("git: {reason}\n"),
            ..Self::default()
        }
    }
}

/// Calls Git for commands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Broker<'b> {
    /// The workspace.
    pub(crate) root: &'b Path,
    pub(crate) permission: &'b dyn GitPermission,
    /// That of the engine, without a sandbox.
    pub(crate) execution: &'b dyn ExecutionEnvironment,
    /// Whether the files of the workspace may be changed.
    pub(crate) may_write: bool,
    pub(crate) hooks: HookAccess,
    /// Files and folders of the workspace that nothing writes for a command.
    pub(crate) kept: &'b [PathBuf],
}

impl Broker<'_> {
    pub(super) async fn answer(&self, call: HandedCall, ended: &CancellationToken) -> HandedResult {
        match self.run(&call, ended).await {
            Ok(result) => result,
            Err(reason) => HandedResult::refused(&reason),
        }
    }

    async fn run(
        &self,
        call: &HandedCall,
        ended: &CancellationToken,
    ) -> Result<HandedResult, String> {
        let request = match Kind::of(&call.folder, &call.arguments) {
            Kind::Handed(request) => request,
            Kind::Refused(reason) => return Err(reason),
            Kind::InSandbox => return Err("this call is not for the engine".to_owned()),
        };
        if !self.may_write {
            return Err("files must not be changed here".to_owned());
        }
        self.inside(&request.folder)?;
        for path in &request.paths {
            self.inside(path)?;
        }
        let repository =
            Repository::discover(&request.folder).map_err(|error| error.to_string())?;
        let repository = repository.ok_or("not a git repository")?;
        if !repository.belongs_here() {
            return Err(format!(
                "`{}` leads to the repository of another folder",
                repository.work_tree().join(".git").display()
            ));
        }
        self.check_size(&request, &repository)?;
        tokio::select! {
            permitted = self.permission.permit(request.subcommand.name) => permitted?,
            // A person may take longer than the command.
            () = ended.cancelled() => return Err("the command ended before it was allowed".to_owned()),
        }
        let git = Git::new(&repository, self.execution);
        self.check_contents(&request, &git, &repository).await?;
        let protection = Protection {
            root: self.root,
            kept: self.kept,
        };
        protection.check(&request, &git).await?;
        self.call(&request, &git, &repository).await
    }

    /// A path must be in the workspace, where links lead, too.
    fn inside(&self, path: &Path) -> Result<(), String> {
        let mut existing = path;
        let real = loop {
            match std::fs::canonicalize(existing) {
                Ok(real) => break real,
                Err(_) => existing = existing.parent().ok_or("it has no folder")?,
            }
        };
        if path.starts_with(self.root) && real.starts_with(self.root) {
            return Ok(());
        }
        Err(format!(
            "`{}` is outside the working folder",
            path.display()
        ))
    }

    /// Where the workspace is a part of its repository, nothing that is about all of the repository's files.
    fn check_size(&self, request: &Request, repository: &Repository) -> Result<(), String> {
        if repository.work_tree().starts_with(self.root) {
            return Ok(());
        }
        let is_about_all =
            matches!(request.subcommand.name, "stash" | "switch") || request.takes_all();
        if is_about_all {
            return Err(format!(
                "the working folder is a part of its repository; name the files to `git {}`",
                request.subcommand.name
            ));
        }
        Ok(())
    }

    /// Contents that only a program of the configuration can write (`filter=lfs`), and repositories in the repository,
    /// which Git would call itself in.
    async fn check_contents(
        &self,
        request: &Request,
        git: &Git<'_>,
        repository: &Repository,
    ) -> Result<(), String> {
        if !request.touches_contents() {
            return Ok(());
        }
        let top = repository.work_tree();
        let failed = |error: super::GitError| error.to_string();
        let staged = git
            .text(Call::read(top, ["ls-files", "-z", "--stage"]))
            .await;
        let staged = staged.map_err(failed)?;
        let links = staged.split('\0').filter(|line| line.starts_with("160000"));
        let mut links = links.filter_map(|line| line.split_once('\t').map(|(_, path)| path));
        if let Some(path) = links.find(|path| top.join(path).join(".git").exists()) {
            let names_files =
                request.subcommand.name == "add" || request.subcommand.name == "commit";
            let is_apart = names_files
                && !request.paths.is_empty()
                && !request
                    .paths
                    .iter()
                    .any(|one| top.join(path).starts_with(one) || one.starts_with(top.join(path)));
            if !is_apart {
                return Err(format!(
                    "`{path}` is a repository in the repository; name the files, without it"
                ));
            }
        }
        let changed = [
            "ls-files",
            "-z",
            "-m",
            "-o",
            "-c",
            "--exclude-standard",
            "--",
        ];
        let mut arguments: Vec<String> = changed.map(str::to_owned).to_vec();
        if request.paths.is_empty() {
            arguments.push(".".to_owned());
        }
        let paths = request.paths.iter();
        arguments.extend(paths.map(|path| path.to_string_lossy().into_owned()));
        let attributes = ["check-attr", "-z", "--stdin", "filter"];
        let list = Call::read(top, arguments).then(attributes);
        let list = git.text(list).await.map_err(failed)?;
        let mut words = list.split('\0');
        let mut filtered = BTreeSet::new();
        while let (Some(path), Some(_), Some(value)) = (words.next(), words.next(), words.next()) {
            if !matches!(value, "unspecified" | "unset") {
                filtered.insert((path.to_owned(), value.to_owned()));
            }
        }
        match filtered.first() {
            Some((path, filter)) => Err(format!(
                "`{path}` has the filter `{filter}`, a program of the configuration, which is not run here; leave it to a person"
            )),
            None => Ok(()),
        }
    }

    async fn call(
        &self,
        request: &Request,
        git: &Git<'_>,
        repository: &Repository,
    ) -> Result<HandedResult, String> {
        let top = repository.work_tree();
        let folder = if request.folder.starts_with(top) {
            &request.folder
        } else {
            top
        };
        let identity = git.identity().await;
        let settings = SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let call = Call::read(folder, request.arguments(folder))
            .settings(identity)
            .settings(settings)
            .writes([self.root, repository.git_dir(), repository.common_dir()])
            .keeps(self.kept)
            .timeout(TIMEOUT);
        let runs_hooks = self.hooks == HookAccess::Run;
        let call = if runs_hooks {
            call.with_hooks(repository)
        } else {
            call
        };
        let done = git.run(call).await.map_err(|error| error.to_string())?;
        // What a hook runs may be the work of an agent.
        repository.verify().map_err(|error| error.to_string())?;
        let (code, note) = match done.exit {
            Exit::Code(code) => (code, String::new()),
            Exit::TimedOut | Exit::Stopped => (128, "git: it did not end in time\n".to_owned()),
        };
        let hooks = hooks_of(repository);
        let did = if runs_hooks {
            "may have run"
        } else {
            "did not run"
        };
        let unrun = if code == 0 && !hooks.is_empty() {
            format!("[hooks of the repository {did}: {}]\n", hooks.join(", "))
        } else {
            String::new()
        };
        Ok(HandedResult {
            code,
            stdout: done.stdout.text,
            stderr: format!("{}{note}{unrun}", done.stderr.text),
        })
    }
}

/// The hooks that a person has set up.
fn hooks_of(repository: &Repository) -> Vec<String> {
    let folder = repository.common_dir().join("hooks");
    let set_up = HOOKS.iter().filter(|name| folder.join(name).is_file());
    set_up.map(|name| (*name).to_owned()).collect()
}
