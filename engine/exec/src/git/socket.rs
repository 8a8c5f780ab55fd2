//! The socket at which the engine takes calls of Git from commands, for as long as one command runs.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::broker::{Broker, HandedCall, HandedResult};
use crate::temporary_folder::TemporaryFolder;

/// The name of the socket in its folder.
const NAME: &str = "socket";

/// A call is not longer.
const MAX_CALL: u64 = 1024 * 1024;

/// A program that has connected sends its call within this time.
const SENDS_WITHIN: Duration = Duration::from_secs(5);

/// A socket in a folder of its own, removed in the end.
#[derive(Debug)]
pub(crate) struct BrokerSocket {
    folder: TemporaryFolder,
    listener: UnixListener,
}

impl BrokerSocket {
    /// Listens.
    ///
    /// # Errors
    /// The folder for temporary files cannot be written, or its path is too long for a socket.
    pub(crate) fn open() -> io::Result<Self> {
        let folder = TemporaryFolder::create("git")?;
        let listener = UnixListener::bind(folder.path().join(NAME))?;
        Ok(Self { folder, listener })
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }

    /// Answers calls, one at a time, until the command has ended. A call that has begun is brought to its end.
    pub(crate) async fn serve(&self, broker: Broker<'_>, ended: &CancellationToken) {
        loop {
            let accepted = tokio::select! {
                biased;
                () = ended.cancelled() => return,
                accepted = self.listener.accept() => accepted,
            };
            if let Ok((stream, _)) = accepted {
                // A program that has gone does not need its answer.
                let _ = answer(stream, broker, ended).await;
            }
        }
    }
}

async fn answer(
    mut stream: UnixStream,
    broker: Broker<'_>,
    ended: &CancellationToken,
) -> io::Result<()> {
    let mut text = Vec::new();
    let mut read = (&mut stream).take(MAX_CALL);
    timeout(SENDS_WITHIN, read.read_to_end(&mut text)).await??;
    let result = match serde_json::from_slice::<HandedCall>(&text) {
        Ok(call) => broker.answer(call, ended).await,
        Err(error) => HandedResult::refused(&error.to_string()),
    };
    stream.write_all(&serde_json::to_vec(&result)?).await?;
    stream.shutdown().await
}
