//! Standard input as a byte stream that can be left.
//!
//! A blocking read of standard input cannot be taken back, and the runtime waits for its blocking reads
//! when it stops. So a thread of its own reads; it ends with the process, and the server can stop while
//! the editor still holds the pipe open.

use tokio::io::AsyncRead;
use tokio_util::io::SyncIoBridge;

/// Bytes that may wait between the thread and the server.
const BUFFER: usize = 256 * 1024;

/// What the client sends. Needs a tokio runtime around it.
pub(crate) fn input() -> impl AsyncRead + Unpin + Send + 'static {
    let (reader, writer) = tokio::io::simplex(BUFFER);
    let mut writer = SyncIoBridge::new(writer);
    std::thread::spawn(move || {
        if let Err(error) = std::io::copy(&mut std::io::stdin().lock(), &mut writer) {
            tracing::warn!(%error, "standard input ended with an error");
        }
        let _ = writer.shutdown();
    });
    reader
}
