//! A project of one test: a temporary folder, gone when the test ends, and the program run in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::process_output::ProcessOutput;
use crate::program::program;

/// No invocation of a test takes longer; one that does is killed and fails its test.
const PROCESS_TIMEOUT: Duration = Duration::from_mins(2);

/// No state a test waits for takes longer to come.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A temporary folder with files in it. At its end, the journal of every run in it must replay to the state that the
/// run has stored.
pub struct Project {
    folder: TempDir,
    checks_runs: AtomicBool,
}

impl Default for Project {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(
    clippy::expect_used,
    reason = "a test whose folder cannot be used cannot continue"
)]
impl Project {
    /// An empty folder.
    pub fn new() -> Self {
        Self {
            folder: TempDir::with_prefix("attractor-test-").expect("a temporary folder"),
            checks_runs: AtomicBool::new(true),
        }
    }

    /// A folder with one file.
    pub fn with(path: &str, content: impl AsRef<[u8]>) -> Self {
        let project = Self::new();
        project.write(path, content);
        project
    }

    /// The test damages the files of runs.
    pub fn damages_runs(&self) {
        self.checks_runs.store(false, Ordering::Relaxed);
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of something in the folder.
    pub fn file(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// Writes a file, and creates its folders.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.file(path);
        std::fs::create_dir_all(file.parent().unwrap_or(self.path())).expect("a folder");
        std::fs::write(file, content).expect("a file");
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> String {
        match std::fs::read_to_string(self.file(path)) {
            Ok(text) => text,
            Err(error) => unreachable!("{path}: {error}"),
        }
    }

    /// Runs the program to its end.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> ProcessOutput {
        self.run_with_input(arguments, "")
    }

    /// Runs the program to its end, with this on its standard input.
    pub fn run_with_input<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        input: impl Into<Vec<u8>>,
    ) -> ProcessOutput {
        let output = assert_cmd::Command::from_std(self.command(arguments))
            .timeout(PROCESS_TIMEOUT)
            .write_stdin(input)
            .output()
            .expect("the program starts");
        ProcessOutput::new(&output)
    }

    /// Starts the program and leaves it running.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> RunningProcess {
        let child = self
            .command(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        RunningProcess {
            child: Some(child),
            stdin: None,
        }
    }

    /// Starts another program in this folder and leaves it running.
    pub fn start_other(&self, mut command: Command) -> RunningProcess {
        let mut child = command
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take();
        RunningProcess {
            child: Some(child),
            stdin,
        }
    }

    /// The ids of the processes of the program that work in this folder.
    pub fn processes(&self) -> Vec<String> {
        let here = std::fs::canonicalize(self.path()).expect("the folder");
        let entries = std::fs::read_dir("/proc")
            .expect("/proc")
            .filter_map(Result::ok);
        entries
            .filter(|entry| {
                std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == here)
            })
            .filter(|entry| {
                std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program())
            })
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect()
    }

    /// Looks again and again until there is something, for at most half a minute.
    pub fn eventually<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        while begun.elapsed() < TIMEOUT {
            if let Some(found) = look() {
                return found;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        unreachable!("timed out after {TIMEOUT:?} waiting until {what}")
    }

    /// The program in this folder, with an environment that is the same on every machine.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.other_command(program());
        command.args(arguments);
        command
    }

    /// Another program in this folder, with the environment of [`Self::command`].
    pub fn other_command(&self, name: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(name);
        command.current_dir(self.path()).env_clear();
        command.envs(std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "TMPDIR"));
        command.env("HOME", self.path()).env("COLUMNS", "100");
        command
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        if std::thread::panicking() || !self.checks_runs.load(Ordering::Relaxed) {
            return;
        }
        for run in runs_below(self.path()) {
            let check = [OsStr::new("replay"), OsStr::new("--check"), run.as_os_str()];
            self.run(check).expect_code(0);
        }
    }
}

/// The directories of recorded runs below a folder.
fn runs_below(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut runs = Vec::new();
    while let Some(folder) = open.pop() {
        if folder.join("manifest.json").is_file() && folder.join("journal.jsonl").is_file() {
            runs.push(folder);
            continue;
        }
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        open.extend(folders.map(|entry| entry.path()));
    }
    runs
}

/// A program that was started and may still run. It is killed when the test ends.
pub struct RunningProcess {
    child: Option<Child>,
    /// Kept open, so that a reader does not see its end.
    stdin: Option<ChildStdin>,
}

#[expect(
    clippy::expect_used,
    reason = "a test that lost its process cannot continue"
)]
impl RunningProcess {
    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.as_ref().map(Child::id).expect("it was started")
    }

    /// Sends a signal, by name: `INT`, `TERM`, `KILL`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([format!("-{name}"), self.id().to_string()])
            .status()
            .expect("kill starts");
        assert!(status.success(), "kill -{name} {}", self.id());
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        let child = self.child.as_mut().expect("it was started");
        child.try_wait().expect("its state is known").is_none()
    }

    /// Waits for its end.
    pub fn end(mut self) -> ProcessOutput {
        let child = self.child.take().expect("it was started");
        let id = child.id();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(child.wait_with_output()));
        let Ok(output) = receiver.recv_timeout(PROCESS_TIMEOUT) else {
            Command::new("kill")
                .args(["-KILL", &id.to_string()])
                .status()
                .ok();
            unreachable!("the program did not end within {PROCESS_TIMEOUT:?}")
        };
        drop(self.stdin.take());
        ProcessOutput::new(&output.expect("its output can be read"))
    }
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().ok();
        }
    }
}
