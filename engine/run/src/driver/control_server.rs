//! The side of the process that owns runs: a thread that waits for requests, and one for each request.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use attractor_exec::{Sender, TemporaryFolder, adopt_descendants};
use attractor_machine::question::Answered;
use futures::executor::block_on;

use crate::control::pause_request::PauseRequest;
use crate::control::refusal::refusal;
use crate::control::request::{Addressed, ControlRequest};
use crate::driver::RunHandle;
use crate::driver::reviewed_gates::ReviewedGates;

/// How long a request may take to arrive, and its reply to be read.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a run that ends waits until the replies to its last requests are sent.
const LAST_REPLIES: Duration = Duration::from_secs(2);

/// A longer request is refused.
const MAX_REQUEST: u64 = 4 * 1024 * 1024;

/// The socket of this process, while it owns a run.
static SOCKET: Mutex<Option<Socket>> = Mutex::new(None);

/// Runs, and the requests to them that are being replied to.
#[derive(Default)]
struct Runs {
    entries: Mutex<HashMap<String, ControlledRun>>,
    replied: Condvar,
    /// Whether the socket is gone.
    is_closed: AtomicBool,
}

struct ControlledRun {
    handle: RunHandle,
    gates: ReviewedGates,
    /// Requests without a reply yet.
    open: usize,
}

struct Socket {
    path: PathBuf,
    runs: Arc<Runs>,
    _folder: TemporaryFolder,
}

/// A run of this process that takes requests, until this is dropped. That waits for the last replies.
pub(crate) struct Controlled {
    run: String,
    path: PathBuf,
    runs: Arc<Runs>,
}

impl Controlled {
    /// Takes requests to a run.
    ///
    /// # Errors
    /// The socket cannot be created.
    pub(crate) fn open(handle: &RunHandle, gates: ReviewedGates) -> io::Result<Self> {
        let mut socket = lock(&SOCKET);
        let open = match socket.take() {
            Some(open) => open,
            None => Socket::open()?,
        };
        let open = socket.insert(open);
        let run = handle.id().to_string();
        let entry = ControlledRun {
            handle: handle.clone(),
            gates,
            open: 0,
        };
        open.runs.entries().insert(run.clone(), entry);
        Ok(Self {
            run,
            path: open.path.clone(),
            runs: Arc::clone(&open.runs),
        })
    }

    /// Where requests are sent.
    pub(crate) fn socket(&self) -> &Path {
        &self.path
    }
}

impl Drop for Controlled {
    fn drop(&mut self) {
        let entries = self.runs.entries();
        let is_open = |entries: &mut HashMap<String, ControlledRun>| {
            entries.get(&self.run).is_some_and(|entry| entry.open > 0)
        };
        let waited = self
            .runs
            .replied
            .wait_timeout_while(entries, LAST_REPLIES, is_open);
        let (mut entries, _) = waited.unwrap_or_else(PoisonError::into_inner);
        entries.remove(&self.run);
        drop(entries);
        // The socket goes with the last run.
        let mut socket = lock(&SOCKET);
        if socket
            .as_ref()
            .is_some_and(|socket| socket.runs.entries().is_empty())
        {
            *socket = None;
        }
    }
}

impl Socket {
    fn open() -> io::Result<Self> {
        adopt_descendants();
        let folder = TemporaryFolder::create("control")?;
        let path = folder.path().join("s");
        let listener = UnixListener::bind(&path)?;
        let runs = Arc::<Runs>::default();
        let served = Arc::clone(&runs);
        thread::Builder::new()
            .name("attractor-control".to_owned())
            .spawn(move || {
                for stream in listener.incoming() {
                    if served.is_closed.load(Ordering::SeqCst) {
                        return;
                    }
                    let Ok(stream) = stream else {
                        continue;
                    };
                    let runs = Arc::clone(&served);
                    let serve = move || {
                        if let Err(error) = serve(stream, &runs) {
                            tracing::debug!(%error, "a request of another process was broken off");
                        }
                    };
                    // Without a thread, the sender sees the connection end.
                    let _ = thread::Builder::new().spawn(serve);
                }
            })?;
        Ok(Self {
            path,
            runs,
            _folder: folder,
        })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.runs.is_closed.store(true, Ordering::SeqCst);
        // Wakes the thread.
        let _ = UnixStream::connect(&self.path);
    }
}

impl Runs {
    fn entries(&self) -> MutexGuard<'_, HashMap<String, ControlledRun>> {
        lock(&self.entries)
    }

    /// A run that gets a request.
    fn begin(self: &Arc<Self>, run: &str) -> Option<ReceivedRequest> {
        let mut entries = self.entries();
        let entry = entries.get_mut(run)?;
        entry.open += 1;
        Some(ReceivedRequest {
            run: run.to_owned(),
            handle: entry.handle.clone(),
            gates: entry.gates,
            runs: Arc::clone(self),
        })
    }
}

/// A request without a reply yet.
struct ReceivedRequest {
    run: String,
    handle: RunHandle,
    gates: ReviewedGates,
    runs: Arc<Runs>,
}

impl Drop for ReceivedRequest {
    fn drop(&mut self) {
        if let Some(entry) = self.runs.entries().get_mut(&self.run) {
            entry.open = entry.open.saturating_sub(1);
        }
        self.runs.replied.notify_all();
    }
}

/// Reads a request and replies.
fn serve(mut stream: UnixStream, runs: &Arc<Runs>) -> io::Result<()> {
    // First: a sender that ends cannot be looked up any more.
    let sender = Sender::of(&stream);
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut text = Vec::new();
    (&stream).take(MAX_REQUEST).read_to_end(&mut text)?;
    let addressed: Addressed = serde_json::from_slice(&text)?;
    let Some(request) = runs.begin(&addressed.run) else {
        // It has ended meanwhile: the sender looks for its owner again.
        return Ok(());
    };
    let answered = match refusal(sender) {
        Some(reason) => {
            tracing::warn!(run = request.run, "refused a request: {reason}");
            Answered::refused(reason.to_owned())
        }
        None => request.reply(addressed.request),
    };
    stream.write_all(&serde_json::to_vec(&answered)?)
}

impl ReceivedRequest {
    fn reply(&self, request: ControlRequest) -> Answered {
        match request {
            ControlRequest::Answer { question, .. } if self.needs_owner(&question) => {
                Answered::refused(
                    "the gate names reviewers, and commands of agents are not in bubblewrap here: answer it where the run is shown"
                        .to_owned(),
                )
            }
            // It could lead around a gate.
            ControlRequest::Pausing(PauseRequest::Override { .. })
                if self.gates == ReviewedGates::OwnerOnly =>
            {
                Answered::refused(
                    "commands of agents are not in bubblewrap here and could have another program change the run: change it in the debugger that has started it"
                        .to_owned(),
                )
            }
            ControlRequest::Answer { question, answer } => {
                block_on(self.handle.answer(&question, answer))
            }
            ControlRequest::Steer { node, message, by } => {
                block_on(self.handle.steer_or_keep(&node, &message, &by))
            }
            ControlRequest::Pausing(request) => block_on(self.handle.pausing(request)),
            ControlRequest::Cancel { by } => {
                self.handle.cancel(&by);
                Answered::accepted()
            }
        }
    }

    /// Whether only the owner of the run takes an answer.
    fn needs_owner(&self, question: &str) -> bool {
        let questions = self.handle.questions();
        let asked = questions.iter().find(|open| open.id == question);
        self.gates == ReviewedGates::OwnerOnly
            && asked.is_some_and(|open| !open.reviewers.is_empty())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
