//! One command in the background: a task reads what it writes, and waits for its end.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use attractor_exec::{Capture, CapturedOutput, ExecutionEnvironment, Job, Scrubber, Service};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// Bytes of unread output that are kept from the beginning, and as many from the end.
const KEPT: usize = 256 * 1024;

/// Bytes read at once.
const PIECE: usize = 16 * 1024;

/// How long a line without an end, such as a prompt, waits for its end.
const UNFINISHED_LINE: Duration = Duration::from_millis(300);

/// How long output may still come after the command has ended while something keeps its pipe open.
const DRAIN: Duration = Duration::from_millis(100);

/// How long a command may take to read its input.
const READS_INPUT: Duration = Duration::from_secs(5);

/// How long the end of a command may take: TERM, two seconds, KILL.
const ENDS: Duration = Duration::from_secs(10);

/// A command in the background.
#[derive(Debug)]
pub(crate) struct BackgroundCommand {
    state: Arc<CommandState>,
    progress: watch::Receiver<Progress>,
    stdin: AsyncMutex<Option<ChildStdin>>,
    stop: CancellationToken,
}

/// How far a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandStatus {
    /// It runs.
    Running,
    /// It ended by itself, with this code.
    Exited(i32),
    /// It was ended.
    Stopped,
}

/// What readers wait for.
#[derive(Debug, Clone, Copy)]
struct Progress {
    /// Bytes written so far, without secrets.
    written: u64,
    status: CommandStatus,
}

/// What was not read yet.
struct CommandState {
    unread: Mutex<Unread>,
}

struct Unread {
    capture: Capture,
    /// Bytes that were read.
    read: u64,
    written: u64,
}

impl std::fmt::Debug for CommandState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandState").finish_non_exhaustive()
    }
}

impl BackgroundCommand {
    /// Starts a command.
    ///
    /// # Errors
    /// It could not be started.
    pub(super) fn start(job: Job, environment: &dyn ExecutionEnvironment) -> io::Result<Self> {
        let scrubber = Scrubber::new(Arc::clone(&job.redactor));
        let (service, pipes) = environment.start(job)?;
        let state = Arc::new(CommandState {
            unread: Mutex::new(Unread {
                capture: empty(),
                read: 0,
                written: 0,
            }),
        });
        let (sender, progress) = watch::channel(Progress {
            written: 0,
            status: CommandStatus::Running,
        });
        let stop = CancellationToken::new();
        let reader = OutputReader {
            scrubber,
            holds_back: false,
            state: Arc::clone(&state),
            progress: sender,
        };
        tokio::spawn(follow(service, pipes.stdout, reader, stop.clone()));
        Ok(Self {
            state,
            progress,
            stdin: AsyncMutex::new(Some(pipes.stdin)),
            stop,
        })
    }

    /// How far it is.
    pub(crate) fn status(&self) -> CommandStatus {
        self.progress.borrow().status
    }

    /// Whether it runs.
    pub(crate) fn is_running(&self) -> bool {
        self.status() == CommandStatus::Running
    }

    /// Takes what it wrote since the last call, and how it is then; waits up to so long for output or its end.
    pub(crate) async fn output(&self, wait: Duration) -> (CapturedOutput, CommandStatus) {
        let read = self.state.unread().read;
        let mut progress = self.progress.clone();
        let has_news = |now: &Progress| now.written > read || now.status != CommandStatus::Running;
        // Nothing new is a result, too; and a task that is gone writes nothing more.
        let _ = timeout(wait, progress.wait_for(has_news)).await;
        // Before the output: that of a command that has ended is complete.
        let status = self.status();
        (self.state.take(), status)
    }

    /// Writes to its standard input.
    ///
    /// # Errors
    /// It has ended, has closed its input, or does not read.
    pub(crate) async fn input(&self, text: &str) -> Result<(), String> {
        if !self.is_running() {
            return Err("the command has ended and reads nothing more".to_owned());
        }
        let mut stdin = self.stdin.lock().await;
        let Some(pipe) = stdin.as_mut() else {
            return Err("the input of the command was closed by an earlier call".to_owned());
        };
        let written = async {
            pipe.write_all(text.as_bytes()).await?;
            pipe.flush().await
        };
        match timeout(READS_INPUT, written).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("the command does not take input: {error}")),
            Err(_) => Err(format!(
                "the command did not read its input within {} s; a part of it may have been read",
                READS_INPUT.as_secs()
            )),
        }
    }

    /// Closes its standard input: it reads the end of it.
    pub(crate) async fn close_input(&self) {
        self.stdin.lock().await.take();
    }

    /// Ends it with everything it started: TERM, and KILL two seconds later.
    pub(crate) async fn stop(&self) {
        self.stop.cancel();
        let mut progress = self.progress.clone();
        let has_ended = |now: &Progress| now.status != CommandStatus::Running;
        // The task that ends it says so, or is gone with it.
        let _ = timeout(ENDS, progress.wait_for(has_ended)).await;
    }
}

impl Drop for BackgroundCommand {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl CommandState {
    fn unread(&self) -> std::sync::MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> CapturedOutput {
        let mut unread = self.unread();
        unread.read = unread.written;
        std::mem::replace(&mut unread.capture, empty()).finish()
    }
}

fn empty() -> Capture {
    Capture::new(None).keeping(KEPT)
}

/// Keeps what a command writes, without secrets.
struct OutputReader {
    scrubber: Scrubber,
    /// Whether a part may wait in the scrubber.
    holds_back: bool,
    state: Arc<CommandState>,
    progress: watch::Sender<Progress>,
}

impl OutputReader {
    fn take(&mut self, piece: &[u8]) {
        self.holds_back = true;
        let clean = self.scrubber.push(piece);
        self.keep(&clean);
    }

    /// Gives out what waits for the end of its line, but for what may be the beginning of a secret.
    fn settle(&mut self) {
        self.holds_back = false;
        let settled = self.scrubber.settle();
        self.keep(&settled);
    }

    /// Gives out the rest.
    fn finish(&mut self) {
        let rest = self.scrubber.finish();
        self.keep(&rest);
    }

    fn keep(&self, clean: &[u8]) {
        if clean.is_empty() {
            return;
        }
        let written = {
            let mut unread = self.state.unread();
            unread.capture.take(clean);
            unread.written += clean.len() as u64;
            unread.written
        };
        self.progress
            .send_modify(|progress| progress.written = written);
    }

    fn end(&self, status: CommandStatus) {
        self.progress
            .send_modify(|progress| progress.status = status);
    }
}

/// Reads what a command writes until it ends, or is to be ended.
async fn follow(
    mut service: Service,
    mut stdout: ChildStdout,
    mut reader: OutputReader,
    stop: CancellationToken,
) {
    let mut buffer = vec![0; PIECE];
    let mut is_open = true;
    let code = loop {
        tokio::select! {
            read = stdout.read(&mut buffer), if is_open => match read {
                Ok(read @ 1..) => reader.take(buffer.get(..read).unwrap_or_default()),
                Ok(0) | Err(_) => is_open = false,
            },
            () = sleep(UNFINISHED_LINE), if reader.holds_back => reader.settle(),
            code = service.wait() => break Some(code.unwrap_or(-1)),
            () = stop.cancelled() => break None,
        }
    };
    let status = if let Some(code) = code {
        // What the sandbox itself has to say: the standard error of the command is in its output.
        let errors = service.last_errors().await;
        drain(&mut stdout, &mut reader, &mut buffer).await;
        reader.take(errors.as_bytes());
        drop(service);
        CommandStatus::Exited(code)
    } else {
        service.end().await;
        drain(&mut stdout, &mut reader, &mut buffer).await;
        CommandStatus::Stopped
    };
    reader.finish();
    reader.end(status);
}

/// Takes what is still in the pipe. Something that the command left may hold it open and write without end.
async fn drain(stdout: &mut ChildStdout, reader: &mut OutputReader, buffer: &mut [u8]) {
    let rest = async {
        while let Ok(read @ 1..) = stdout.read(buffer).await {
            reader.take(buffer.get(..read).unwrap_or_default());
        }
    };
    let _ = timeout(DRAIN, rest).await;
}
