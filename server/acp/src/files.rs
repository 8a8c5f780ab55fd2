//! The files of a session as the client has them: `fs/read_text_file` and `fs/write_text_file`.
//!
//! Which files tools may read and write is decided before anything is asked here.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    FileSystemCapabilities, ReadTextFileRequest, SessionId, WriteTextFileRequest,
};
use agent_client_protocol::{Client, Error};
use attractor_agent::EditorFiles;
use tokio::runtime::Handle;

/// How long a client may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The files of the client of a session.
pub(crate) struct ClientFiles {
    client: ConnectionTo<Client>,
    /// Known once the session is started.
    session: Arc<OnceLock<SessionId>>,
    runtime: Handle,
    reads: bool,
    writes: bool,
}

impl ClientFiles {
    /// The files of a client that has announced at least one of the two requests.
    pub(crate) fn new(
        announced: &FileSystemCapabilities,
        client: ConnectionTo<Client>,
        session: Arc<OnceLock<SessionId>>,
    ) -> Option<Self> {
        let (reads, writes) = (announced.read_text_file, announced.write_text_file);
        (reads || writes).then(|| Self {
            client,
            session,
            runtime: Handle::current(),
            reads,
            writes,
        })
    }

    /// Waits for an answer on this thread, which may wait.
    fn wait<T: Send + 'static>(
        &self,
        request: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, String> {
        let (sender, answer) = mpsc::channel();
        self.runtime.spawn(async move {
            // Nobody waits any more after a timeout.
            let _ = sender.send(request.await);
        });
        let answer = answer.recv_timeout(PATIENCE);
        let answer = answer.map_err(|_| "it does not answer".to_owned())?;
        answer.map_err(|error| error.message)
    }
}

impl EditorFiles for ClientFiles {
    fn read(&self, path: &Path) -> Option<String> {
        let session = self.session.get().filter(|_| self.reads)?;
        let request = ReadTextFileRequest::new(session.clone(), path);
        let answer = self.client.send_request(request).block_task();
        self.wait(answer).ok().map(|answer| answer.content)
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        let Some(session) = self.session.get().filter(|_| self.writes) else {
            return Ok(());
        };
        let request = WriteTextFileRequest::new(session.clone(), path, text);
        let answer = self.client.send_request(request).block_task();
        self.wait(answer).map(drop)
    }
}

impl fmt::Debug for ClientFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientFiles")
            .field("reads", &self.reads)
            .field("writes", &self.writes)
            .finish_non_exhaustive()
    }
}
