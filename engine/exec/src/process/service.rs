//! A command that runs until it is ended, and is spoken to over its standard input and output: a language server, a
//! tool server. As other commands it has a process group of its own and no secrets in its environment, and dies with
//! this process.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::job::Job;
use super::spawn::{code, end_group, spawn};
use super::{orphans, watchdog};

/// Bytes of the standard error that are remembered.
const REMEMBERED: usize = 4 * 1024;

/// How long the rest of the standard error of a service that ended may take.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A running service. Dropping it ends it at once, with everything it started.
pub struct Service {
    child: Child,
    group: Option<u32>,
    job: Job,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Reads the standard error to its end.
    errors_reader: Mutex<Option<JoinHandle<()>>>,
    _registration: orphans::Registration,
    _guard: watchdog::WatchdogGuard,
}

/// What a service reads and writes.
#[derive(Debug)]
pub struct ServicePipes {
    /// It reads this.
    pub stdin: ChildStdin,
    /// It writes this.
    pub stdout: ChildStdout,
}

impl Service {
    /// Starts a service. Of the job, the time limit, the input and the logs are not used.
    ///
    /// # Errors
    /// It could not be started: the program or the folder does not exist.
    pub fn start(job: Job) -> io::Result<(Self, ServicePipes)> {
        Self::start_inheriting(job, None)
    }

    /// The same with only the variables of these names from the environment of this process, by default all.
    pub(super) fn start_inheriting(
        mut job: Job,
        inherited: Option<&[String]>,
    ) -> io::Result<(Self, ServicePipes)> {
        orphans::adopt_orphans();
        job.stdin = Some(String::new());
        // What belongs to it is found by this mark when it is ended: no other service may have it.
        job.step = format!("{}/{}", job.step, ulid::Ulid::generate());
        let (mut child, registration) = spawn(&job, inherited)?;
        let group = child.id();
        let guard = watchdog::guard(&job.run, group);
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the service has no pipes"));
        };
        let errors = Arc::new(Mutex::new(Vec::new()));
        let stderr = child.stderr.take();
        let reader = stderr.map(|stderr| tokio::spawn(remember(stderr, Arc::clone(&errors))));
        let service = Self {
            child,
            group,
            job,
            errors,
            errors_reader: Mutex::new(reader),
            _registration: registration,
            _guard: guard,
        };
        Ok((service, ServicePipes { stdin, stdout }))
    }

    /// The end of what it wrote to its standard error, without secrets. For a service that has ended: waits a moment
    /// until all of it is read.
    pub async fn last_errors(&self) -> String {
        let mut reader = self
            .errors_reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(reader) = &mut reader {
            // Something it started may still hold the pipe; what is there by then is enough.
            let _ = timeout(LAST_WORDS, reader).await;
        }
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&errors);
        self.job.redactor.text(&text).trim().to_owned()
    }

    /// Waits until it ends by itself; gives its exit code, 128 + n for signal n. Nothing is lost when it is dropped.
    ///
    /// # Errors
    /// The operating system does not say how it ended.
    pub async fn wait(&mut self) -> io::Result<i32> {
        let status = self.child.wait().await?;
        // Its number may belong to others from now on.
        self.group = None;
        Ok(code(status))
    }

    /// Ends it with everything it started: TERM, and KILL after two seconds.
    pub async fn end(mut self) {
        end_group(&mut self.child, self.group, &self.job).await;
        // Its number may belong to others from now on.
        self.group = None;
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let mark = (orphans::STEP_MARK, self.job.step.as_str());
        orphans::signal_group(self.group, orphans::Signal::Kill);
        orphans::signal_marked(mark, orphans::Signal::Kill);
    }
}

/// Reads the standard error to its end and remembers the end of it.
async fn remember(mut stderr: ChildStderr, errors: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = vec![0; REMEMBERED];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let surplus = errors.len().saturating_sub(REMEMBERED);
        errors.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    fn job(script: &str, step: &str) -> Job {
        Job {
            argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
            directory: std::env::temp_dir(),
            run: "service-test".to_owned(),
            step: step.to_owned(),
            ..Job::default()
        }
    }

    #[tokio::test]
    async fn a_service_reads_and_writes_until_it_is_ended() {
        let script = "read line; echo \"got $line\"; sleep 1000 & echo $!; wait";
        let (service, mut pipes) = Service::start(job(script, "service-1")).unwrap();
        pipes.stdin.write_all(b"hello\n").await.unwrap();
        let mut output = String::new();
        while output.lines().count() < 2 || !output.ends_with('\n') {
            let mut buffer = [0; 64];
            let read = pipes.stdout.read(&mut buffer).await.unwrap();
            output.push_str(std::str::from_utf8(buffer.get(..read).unwrap()).unwrap());
        }
        assert!(output.starts_with("got hello\n"), "{output}");
        service.end().await;
        // Its pipe is closed once everything it started is gone.
        let mut rest = String::new();
        pipes.stdout.read_to_string(&mut rest).await.unwrap();
    }

    #[tokio::test]
    async fn a_dropped_service_is_gone_with_what_it_started() {
        let script = "setsid sleep 1000 & sleep 1000 & echo started; echo why >&2; wait";
        let (service, mut pipes) = Service::start(job(script, "service-2")).unwrap();
        let mut buffer = [0; 64];
        assert!(pipes.stdout.read(&mut buffer).await.unwrap() > 0);
        while service.last_errors().await != "why" {
            tokio::task::yield_now().await;
        }
        drop(service);
        let mut rest = String::new();
        pipes.stdout.read_to_string(&mut rest).await.unwrap();
    }

    #[tokio::test]
    async fn a_program_that_does_not_exist_is_an_error() {
        let mut job = job("", "service-3");
        job.argv = vec!["no-such-program-anywhere".to_owned()];
        assert!(Service::start(job).is_err());
    }
}
