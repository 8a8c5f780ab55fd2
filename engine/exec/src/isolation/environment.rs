//! An execution environment whose commands run in a sandbox.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_permissions::SandboxMode;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::bubblewrap::{self, Place};
use super::protected::{Protected, ProtectedFiles};
use super::settings::{Confinement, SandboxSettings};
use super::support::SandboxSupport;
use crate::process::{ExecutionEnvironment, Exit, Job, JobResult, Output, OutputStream};

/// Runs commands in a sandbox, and undoes their changes of protected files.
#[derive(Debug)]
pub struct SandboxedEnvironment {
    inner: Arc<dyn ExecutionEnvironment>,
    support: SandboxSupport,
    settings: SandboxSettings,
    root: PathBuf,
    temporary: PathBuf,
    configuration: Option<PathBuf>,
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
        let name = format!("attractor-sandbox-{}", ulid::Ulid::generate());
        let temporary = std::env::temp_dir().join(name);
        fs::create_dir(&temporary)?;
        keep_private(&temporary)?;
        Ok(Self {
            inner,
            support,
            settings,
            root: fs::canonicalize(root)?,
            temporary,
            configuration: None,
        })
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
    fn contain(&self, mut job: Job, protected: &Protected) -> io::Result<Job> {
        if self.settings.mode == SandboxMode::Off {
            return Ok(job);
        }
        match &self.support {
            SandboxSupport::Bubblewrap(program) => {
                let home = std::env::home_dir();
                let place = Place {
                    root: &self.root,
                    temporary: &self.temporary,
                    home: home.as_deref(),
                    configuration: self.configuration.clone(),
                    protected,
                };
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
            }
            SandboxSupport::Landlock(_) => {
                let mut writable = vec![self.temporary.clone(), "/dev".into()];
                writable.extend(self.settings.writable.iter().cloned());
                if self.settings.mode == SandboxMode::WorkspaceWrite {
                    writable.push(self.root.clone());
                    writable.extend(protected.repository().iter().cloned());
                }
                let temporary = self.temporary.to_string_lossy().into_owned();
                job.environment.push(("TMPDIR".to_owned(), temporary));
                job.confinement = Some(Confinement {
                    writable,
                    network: self.settings.network,
                });
            }
            SandboxSupport::Nothing(_) => {}
        }
        Ok(job)
    }

    /// Undoes changes of protected files, and makes them an error of the command.
    fn undo(
        &self,
        protected: &Protected,
        before: &ProtectedFiles,
        mut result: JobResult,
        output: &dyn Output,
    ) -> JobResult {
        for (path, is_restored) in protected.restore(before) {
            let shown = path.strip_prefix(&self.root).unwrap_or(&path).display();
            let note = if is_restored {
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
        result
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
            let protected = Protected::of(&self.root);
            let before = protected.read();
            let job = self.contain(job, &protected)?;
            let result = self.inner.run(job, output, stop).await;
            Ok(self.undo(&protected, &before, result?, output))
        }
        .boxed()
    }

    fn confine(&self, job: Job) -> io::Result<Job> {
        self.contain(job, &Protected::of(&self.root))
    }
}

impl Drop for SandboxedEnvironment {
    fn drop(&mut self) {
        // What cannot be removed is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

#[cfg(unix)]
fn keep_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::process::LocalEnvironment;

    /// A repository with a workspace next to a file that nobody may touch.
    struct Fixture {
        outer: tempfile::TempDir,
        support: SandboxSupport,
    }

    #[derive(Default)]
    struct Pieces(Mutex<String>);

    impl Output for Pieces {
        fn piece(&self, _: OutputStream, bytes: &[u8]) {
            let mut text = self.0.lock().unwrap();
            text.push_str(&String::from_utf8_lossy(bytes));
        }
    }

    impl Fixture {
        fn new(support: SandboxSupport) -> Self {
            // Not beneath `/tmp`, which is private in the sandbox.
            let folder = std::env::current_dir().unwrap().join("../../target");
            let outer = tempfile::tempdir_in(folder).unwrap();
            let root = outer.path().join("work");
            fs::create_dir_all(root.join(".git/hooks")).unwrap();
            fs::create_dir_all(root.join(".attractor/runs")).unwrap();
            fs::write(root.join(".git/config"), "[core]\n").unwrap();
            fs::write(root.join(".attractor/config.toml"), "").unwrap();
            fs::write(outer.path().join("outside.txt"), "outside").unwrap();
            Self { outer, support }
        }

        fn root(&self) -> PathBuf {
            self.outer.path().join("work")
        }

        fn read(&self, path: &str) -> String {
            fs::read_to_string(self.root().join(path)).unwrap_or_default()
        }

        async fn run(&self, mode: SandboxMode, command: &str) -> (Exit, String) {
            let settings = SandboxSettings {
                mode,
                ..SandboxSettings::default()
            };
            let inner = Arc::new(LocalEnvironment);
            let environment = SandboxedEnvironment::with_support(
                inner,
                &self.root(),
                settings,
                self.support.clone(),
            );
            let job = Job {
                argv: ["sh", "-c", command].map(str::to_owned).to_vec(),
                directory: self.root(),
                timeout: Some(Duration::from_mins(1)),
                run: "sandbox-test".to_owned(),
                ..Job::default()
            };
            let pieces = Pieces::default();
            let stop = CancellationToken::new();
            let result = environment.unwrap().run(job, &pieces, &stop).await.unwrap();
            (result.exit, pieces.0.into_inner().unwrap())
        }
    }

    /// The sandboxes that this machine has.
    fn sandboxes() -> Vec<SandboxSupport> {
        let best = SandboxSupport::of_this_machine().clone();
        let landlock = super::super::landlock::version().map(SandboxSupport::Landlock);
        let mut all: Vec<SandboxSupport> = landlock.into_iter().collect();
        if matches!(best, SandboxSupport::Bubblewrap(_)) {
            all.push(best);
        }
        if !all
            .iter()
            .any(|one| matches!(one, SandboxSupport::Bubblewrap(_)))
        {
            attractor_tests::skip("commands in bubblewrap", "it is not installed, or fails");
        }
        if all.is_empty() {
            attractor_tests::skip("commands in a sandbox", "this machine has none");
        }
        all
    }

    #[tokio::test]
    async fn a_command_writes_in_the_workspace_only() {
        for support in sandboxes() {
            let one = Fixture::new(support);
            let write = SandboxMode::WorkspaceWrite;
            let (exit, text) = one
                .run(
                    write,
                    "echo in > a && echo t > \"${TMPDIR:-/tmp}/t\" && cat a /dev/null",
                )
                .await;
            assert_eq!((exit, &*text), (Exit::Code(0), "in\n"), "{:?}", one.support);
            // In bubblewrap, what is next to a workspace beneath `/tmp` is in a `/tmp` of its own: writing there may end
            // well, and changes nothing outside.
            let has_private_surroundings = matches!(one.support, SandboxSupport::Bubblewrap(_))
                && one.root().canonicalize().unwrap().starts_with("/tmp");
            for escape in [
                "echo x > ../outside.txt",
                "echo x >> ../new.txt",
                "ln -s ../outside.txt link && echo x > link",
                "ln ../outside.txt hard && echo x > hard",
                "mv ../outside.txt taken",
                "rm -f ../outside.txt",
            ] {
                let (exit, text) = one.run(write, escape).await;
                if !has_private_surroundings {
                    assert_ne!(exit, Exit::Code(0), "{escape}: {text}");
                }
                let outside = fs::read_to_string(one.outer.path().join("outside.txt"));
                assert_eq!(outside.unwrap(), "outside", "{escape} {:?}", one.support);
                assert!(!one.outer.path().join("new.txt").exists(), "{escape}");
            }
        }
    }

    #[tokio::test]
    async fn a_read_only_command_writes_nothing() {
        for support in sandboxes() {
            let one = Fixture::new(support);
            let (exit, _) = one
                .run(SandboxMode::ReadOnly, "cat .git/config; echo x > a")
                .await;
            assert_ne!(exit, Exit::Code(0));
            assert!(!one.root().join("a").exists());
        }
    }

    #[tokio::test]
    async fn protected_files_cannot_be_changed() {
        let unprotected = SandboxSupport::Nothing(String::new());
        for support in sandboxes().into_iter().chain([unprotected]) {
            let one = Fixture::new(support);
            for attack in [
                "echo evil > .git/hooks/pre-commit",
                "printf '[core]\\nfsmonitor = evil\\n' > .git/config",
                "rm .git/config",
                "rm -rf .git/hooks && mkdir .git/hooks && echo evil > .git/hooks/post-merge",
                "echo 'x = 1' > .attractor/config.toml",
                "echo evil > .attractor/rules.md",
                "ln -s /etc/passwd .git/hooks/pre-push",
            ] {
                let (exit, text) = one.run(SandboxMode::WorkspaceWrite, attack).await;
                assert_ne!(exit, Exit::Code(0), "{attack} {:?}: {text}", one.support);
                assert_eq!(one.read(".git/config"), "[core]\n", "{attack}");
                assert_eq!(one.read(".attractor/config.toml"), "", "{attack}");
                assert!(!one.root().join(".attractor/rules.md").exists(), "{attack}");
                let hooks = fs::read_dir(one.root().join(".git/hooks"));
                let hooks = hooks.map_or(0, Iterator::count);
                assert_eq!(hooks, 0, "{attack} {:?}", one.support);
            }
            // The repository itself can be used.
            let (exit, text) = one
                .run(SandboxMode::WorkspaceWrite, "echo x > .git/index")
                .await;
            assert_eq!(exit, Exit::Code(0), "{text}");
        }
    }

    #[tokio::test]
    async fn a_change_that_was_undone_is_reported() {
        let one = Fixture::new(SandboxSupport::Nothing(String::new()));
        let attack = "echo evil > .git/hooks/pre-commit";
        let (exit, text) = one.run(SandboxMode::Off, attack).await;
        assert_eq!(exit, Exit::Code(1));
        let expected =
            "[undone: the command changed `.git/hooks/pre-commit`, which is write-protected]\n";
        assert_eq!(text, expected);
    }

    #[tokio::test]
    async fn the_network_is_out_of_reach() {
        for support in sandboxes() {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            let one = Fixture::new(support);
            let connect = format!("bash -c 'echo secret > /dev/tcp/127.0.0.1/{port}'");
            let (exit, text) = one.run(SandboxMode::Off, &connect).await;
            assert_eq!(exit, Exit::Code(0), "{text}");
            let (exit, _) = one.run(SandboxMode::WorkspaceWrite, &connect).await;
            assert_ne!(exit, Exit::Code(0), "{:?}", one.support);
        }
    }

    #[tokio::test]
    async fn other_processes_are_out_of_reach() {
        for support in sandboxes() {
            if !matches!(support, SandboxSupport::Bubblewrap(_)) {
                continue;
            }
            let one = Fixture::new(support);
            let me = std::process::id();
            let look = format!("cat /proc/{me}/environ || ls -d /proc/{me}; ls -d /proc/1");
            let (_, text) = one.run(SandboxMode::WorkspaceWrite, &look).await;
            assert!(text.contains("/proc/1\n"), "{text}");
            assert!(!text.contains(&format!("/proc/{me}\n")), "{text}");
            let parent = "cat /proc/$PPID/environ | tr '\\0' '\\n' | grep -c ATTRACTOR_SECRET";
            let (_, text) = one.run(SandboxMode::WorkspaceWrite, parent).await;
            assert_eq!(text, "0\n");
        }
    }
}
