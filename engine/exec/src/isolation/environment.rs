//! An execution environment whose commands run in a sandbox.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_permissions::SandboxMode;
use futures::FutureExt;
use futures::future::{BoxFuture, join};
use tokio_util::sync::CancellationToken;

use super::approved::Approved;
use super::bubblewrap;
use super::capabilities::Capabilities;
use super::landlock;
use super::protected::{Protected, ProtectedFiles};
use super::repositories::{Repositories, folder_aside};
use super::sandbox_place::Place;
use super::seatbelt::{self, SeatbeltPolicy};
use super::settings::{Confinement, LandlockRules, RepositoryAccess, SandboxSettings};
use super::support::SandboxSupport;
use crate::RootDirectory;
use crate::git::{Broker, BrokerSocket, NAME, SOCKET, client_program};
use crate::process::{
    ExecutionEnvironment, Exit, Job, JobResult, OrphanBaseline, Output, OutputStream,
    ProtectedChange, Service, ServicePipes, SetAside, SettledWork,
};
use crate::temporary_folder::TemporaryFolder;

/// Runs commands in a sandbox, and undoes their changes of protected files.
#[derive(Debug)]
pub struct SandboxedEnvironment {
    inner: Arc<dyn ExecutionEnvironment>,
    support: SandboxSupport,
    settings: SandboxSettings,
    root: PathBuf,
    /// The same folder, held open.
    workspace: Arc<RootDirectory>,
    temporary: TemporaryFolder,
    configuration: Option<PathBuf>,
    /// What ran before the first command.
    earlier: OrphanBaseline,
    last: Mutex<Option<LastState>>,
    repositories: Repositories,
    /// What tools were allowed to write of files that other programs run on their own.
    approved: Approved,
    /// Where files of the workspace are moved that other programs would run on their own.
    aside: Option<PathBuf>,
}

/// The protected files when a command last ended; while something it left is running, when it began.
#[derive(Debug)]
struct LastState {
    protected: Protected,
    files: ProtectedFiles,
    /// Whether something was left running.
    is_open: bool,
    /// Whether a command was started that runs on.
    has_started: bool,
    /// What could not be undone.
    lost: Vec<ProtectedChange>,
}

impl SandboxedEnvironment {
    /// Commands of `inner` in the sandbox of this machine; they work beneath `root`.
    ///
    /// # Errors
    /// The private temporary folder cannot be created.
    pub fn new(
        inner: Arc<dyn ExecutionEnvironment>,
        root: &Path,
        settings: SandboxSettings,
    ) -> io::Result<Self> {
        let support = SandboxSupport::of_this_machine().clone();
        Self::with_support(inner, root, settings, support)
    }

    /// The same in a certain sandbox.
    ///
    /// # Errors
    /// The private temporary folder cannot be created.
    pub fn with_support(
        inner: Arc<dyn ExecutionEnvironment>,
        root: &Path,
        settings: SandboxSettings,
        support: SandboxSupport,
    ) -> io::Result<Self> {
        Ok(Self {
            inner,
            support,
            settings,
            root: fs::canonicalize(root)?,
            workspace: Arc::new(RootDirectory::open(root)?),
            temporary: TemporaryFolder::create("sandbox")?,
            configuration: None,
            earlier: OrphanBaseline::now(),
            last: Mutex::default(),
            repositories: Repositories::find(&fs::canonicalize(root)?),
            approved: Approved::default(),
            aside: None,
        })
    }

    /// With a folder, outside of the workspace or protected in it, for files that other programs would run on their own.
    #[must_use]
    pub fn setting_aside_in(mut self, folder: PathBuf) -> Self {
        self.aside = Some(folder);
        self
    }

    /// With a folder that commands must not read: that of the user's configuration, which may hold keys.
    #[must_use]
    pub fn hiding(mut self, folder: Option<PathBuf>) -> Self {
        self.configuration = folder;
        self
    }

    /// Whether commands are kept from what they must not do, and not only checked afterwards.
    pub fn is_contained(&self) -> bool {
        self.settings.mode != SandboxMode::Off
            && !matches!(self.support, SandboxSupport::Nothing(_))
    }

    /// Whether protected files cannot be changed at all, so that no comparison is needed after a command. What runs
    /// until it is ended, such as a language server, needs that.
    pub fn protects_files(&self) -> bool {
        self.is_contained() && matches!(self.support, SandboxSupport::Bubblewrap(_))
    }

    /// The command as it runs in the sandbox.
    fn contain(
        &self,
        mut job: Job,
        protected: &Protected,
        git: Option<&BrokerSocket>,
    ) -> io::Result<Job> {
        if self.settings.mode == SandboxMode::Off {
            return Ok(job);
        }
        let home = std::env::home_dir();
        let socket = git.map(BrokerSocket::path);
        let place = Place {
            root: &self.root,
            temporary: self.temporary.path(),
            home: home.as_deref(),
            configuration: self.configuration.clone(),
            protected,
            git: client_program().zip(socket.as_deref()),
        };
        let temporary = self.temporary.path().to_string_lossy().into_owned();
        let temporary = ("TMPDIR".to_owned(), temporary);
        match &self.support {
            SandboxSupport::Bubblewrap(program) => {
                if place.git.is_some() {
                    offer_git(&mut job, bubblewrap::GIT_FOLDER, bubblewrap::GIT_SOCKET);
                }
                // Its parents need not exist in the sandbox, so that `..` cannot be followed there.
                let directory =
                    fs::canonicalize(&job.directory).unwrap_or_else(|_| job.directory.clone());
                let arguments = bubblewrap::arguments(&place, &self.settings, &directory);
                let words = std::iter::once(program.clone().into_os_string()).chain(arguments);
                let mut argv: Vec<String> = words
                    .map(OsString::into_string)
                    .collect::<Result<_, _>>()
                    .map_err(|word| {
                        io::Error::other(format!("{} is not UTF-8", word.to_string_lossy()))
                    })?;
                argv.append(&mut job.argv);
                job.argv = argv;
                job.confinement = Some(Confinement::Namespace);
            }
            SandboxSupport::Landlock(_) => {
                let mut writable = vec![self.temporary.path().to_owned()];
                writable.extend(landlock::DEVICES.map(PathBuf::from));
                writable.extend(self.settings.writable.iter().cloned());
                if self.settings.mode == SandboxMode::WorkspaceWrite {
                    writable.push(self.root.clone());
                    writable.extend(protected.repository());
                }
                job.environment.push(temporary);
                job.confinement = Some(Confinement::Landlock(LandlockRules {
                    writable,
                    network: self.settings.network,
                    capabilities: Capabilities::for_work_in(&self.root),
                }));
            }
            SandboxSupport::Seatbelt(program) => {
                if let Some((client, socket)) = place.git
                    && let Some(folder) = socket.parent()
                {
                    std::os::unix::fs::symlink(client, folder.join(NAME))?;
                    offer_git(
                        &mut job,
                        &folder.to_string_lossy(),
                        &socket.to_string_lossy(),
                    );
                }
                job.environment.push(temporary);
                let policy = SeatbeltPolicy::of_agent(&place, &self.settings);
                seatbelt::contain(program, &policy, &mut job)?;
            }
            SandboxSupport::Nothing(_) => {}
        }
        Ok(job)
    }

    fn protected(&self) -> Protected {
        self.protected_by(self.protects_files())
    }

    /// `mounts`: the sandbox keeps commands from writing what is there.
    fn protected_by(&self, mounts: bool) -> Protected {
        let access = self.settings.repository;
        Protected::of(
            &self.root,
            &self.repositories,
            &self.approved.paths(),
            access,
            mounts,
        )
    }

    /// Whether commands cannot write `.git`.
    fn protects_repositories(&self) -> bool {
        let has_paths = matches!(
            self.support,
            SandboxSupport::Bubblewrap(_) | SandboxSupport::Seatbelt(_)
        );
        self.is_contained() && has_paths
    }

    /// Where commands hand calls of Git to the engine, in a sandbox that keeps them from writing `.git`.
    fn git_socket(&self, job: &Job) -> io::Result<Option<BrokerSocket>> {
        let is_needed = job.git.is_some()
            && self.protects_repositories()
            && self.settings.repository == RepositoryAccess::ReadOnly
            && client_program().is_some();
        is_needed.then(BrokerSocket::open).transpose()
    }

    /// Runs a command, and Git for it.
    async fn run_with_git(
        &self,
        job: Job,
        protected: &Protected,
        output: &dyn Output,
        stop: &CancellationToken,
    ) -> io::Result<JobResult> {
        let permission = job.git.clone();
        let socket = self.git_socket(&job)?;
        let job = self.contain(job, protected, socket.as_ref())?;
        let (Some(permission), Some(socket)) = (permission, socket) else {
            return self.inner.run(job, output, stop).await;
        };
        let kept = self.protected_by(true);
        let broker = Broker {
            root: &self.root,
            permission: permission.as_ref(),
            execution: self.inner.as_ref(),
            hooks: self.settings.hooks,
            may_write: self.settings.mode == SandboxMode::WorkspaceWrite,
            kept: kept.kept(),
        };
        let ended = CancellationToken::new();
        let running = async {
            let result = self.inner.run(job, output, stop).await;
            ended.cancel();
            result
        };
        let (result, ()) = join(running, socket.serve(broker, &ended)).await;
        result
    }

    /// Undoes changes of protected files since `before`.
    fn undo(&self, protected: &Protected, before: &ProtectedFiles) -> Vec<ProtectedChange> {
        let aside = folder_aside(self.aside.as_deref());
        let changed = protected
            .restore(before, &self.workspace, &aside)
            .into_iter();
        changed
            .map(|(path, is_restored)| ProtectedChange {
                path: path.strip_prefix(&self.root).unwrap_or(&path).to_owned(),
                is_restored,
            })
            .collect()
    }

    /// What is compared after a command: the state before it, or before an earlier one that left something running.
    fn before(&self, protected: &Protected) -> ProtectedFiles {
        match &*self.last() {
            Some(last) if last.is_open => last.files.clone(),
            _ => protected.read(),
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<LastState>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has the command find the `git` that hands calls to the engine, in this folder, and the engine at this socket.
fn offer_git(job: &mut Job, folder: &str, socket: &str) {
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{folder}:{path}");
    job.environment.push(("PATH".to_owned(), path));
    job.environment.push((SOCKET.to_owned(), socket.to_owned()));
}

/// Reports to the model what was undone, and makes it an error of the command.
fn report(changes: &[ProtectedChange], result: &mut JobResult, output: &dyn Output) {
    for change in changes {
        let shown = change.path.display();
        let note = if change.is_restored {
            format!("[undone: the command changed `{shown}`, which is write-protected]\n")
        } else {
            format!(
                "[the command changed `{shown}`, which is write-protected, and that cannot be undone]\n"
            )
        };
        output.piece(OutputStream::Stderr, note.as_bytes());
        if result.exit == Exit::Code(0) {
            result.exit = Exit::Code(1);
        }
    }
}

impl ExecutionEnvironment for SandboxedEnvironment {
    fn run<'a>(
        &'a self,
        job: Job,
        output: &'a dyn Output,
        stop: &'a CancellationToken,
    ) -> BoxFuture<'a, io::Result<JobResult>> {
        async move {
            let protected = self.protected();
            let approved = self.approved.count();
            let mut before = self.before(&protected);
            let mut result = self.run_with_git(job, &protected, output, stop).await?;
            // Those of other tools, meanwhile.
            self.approved.add_since(approved, &mut before);
            let changes = self.undo(&protected, &before);
            report(&changes, &mut result, output);
            let mut last = self.last();
            let earlier = last.take();
            let has_started = earlier.as_ref().is_some_and(|last| last.has_started);
            let is_open = has_started || !self.protects_files() && self.earlier.has_more();
            let mut unrestored = earlier.map(|last| last.lost).unwrap_or_default();
            unrestored.extend(changes.into_iter().filter(|change| !change.is_restored));
            *last = Some(LastState {
                protected,
                files: before,
                is_open,
                has_started,
                lost: unrestored,
            });
            Ok(result)
        }
        .boxed()
    }

    fn confine(&self, job: Job) -> io::Result<Job> {
        self.contain(job, &self.protected(), None)
    }

    fn start(&self, job: Job) -> io::Result<(Service, ServicePipes)> {
        let protected = self.protected();
        let job = self.contain(job, &protected, None)?;
        if !self.protects_files() {
            let files = self.before(&protected);
            let mut last = self.last();
            let unrestored = last.take().map(|last| last.lost).unwrap_or_default();
            *last = Some(LastState {
                protected,
                files,
                is_open: true,
                has_started: true,
                lost: unrestored,
            });
        }
        self.inner.start(job)
    }

    fn keeps_started(&self) -> bool {
        self.protects_files()
    }

    fn set_aside(&self) -> Vec<SetAside> {
        let mut created = self.repositories.created(&self.root);
        let found = std::mem::take(&mut created.self_executing).into_iter();
        let unapproved = found.flat_map(|path| self.approved.unapproved(path));
        created.self_executing = unapproved.collect();
        let moved = created.set_aside(&self.workspace, self.aside.as_deref());
        self.approved
            .restore(&self.workspace, &created.self_executing);
        self.approved.settle();
        moved
    }

    fn approve_write(&self, below: &Path, after: Option<&[u8]>) {
        let noted = self.approved.note(&self.root, below, after);
        if let (Some((path, content)), Some(last)) = (noted, &mut *self.last()) {
            last.files.set(path, content);
        }
    }

    fn settle<'a>(&'a self, run: &'a str, step: &'a str) -> BoxFuture<'a, SettledWork> {
        async move {
            let Some(last) = self.last().take() else {
                return SettledWork::default();
            };
            let mut settled = SettledWork {
                changes: last.lost,
                has_survivor: false,
            };
            if self.protects_files() {
                return settled;
            }
            let ended = self.earlier.end(run, step).await;
            settled.has_survivor = ended.has_survivor;
            if last.is_open || ended.count > 0 || ended.has_survivor {
                let changes = self.undo(&last.protected, &last.files);
                settled.changes.extend(changes);
            }
            settled
        }
        .boxed()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
