//! One stream of a running command: read, cleaned of secrets, shown and kept.

use attractor_redact::Scrubber;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::capture::{Capture, CapturedOutput};
use super::job::{Output, OutputStream};

/// Bytes read at once.
const PIECE: usize = 16 * 1024;

/// A stream; `None` inside when it is at its end.
pub(super) struct Pipe<R> {
    stream: OutputStream,
    reader: Option<R>,
    buffer: Vec<u8>,
    scrubber: Scrubber,
    capture: Capture,
}

impl<R: AsyncRead + Unpin + Send + 'static> Pipe<R> {
    pub(super) fn new(
        stream: OutputStream,
        reader: Option<R>,
        scrubber: Scrubber,
        capture: Capture,
    ) -> Self {
        Self {
            stream,
            reader,
            buffer: vec![0; PIECE],
            scrubber,
            capture,
        }
    }

    /// Whether more may come.
    pub(super) fn is_open(&self) -> bool {
        self.reader.is_some()
    }

    /// Waits for the next bytes and says how many came; 0 at the end. Nothing is lost when it is dropped.
    pub(super) async fn next(&mut self) -> usize {
        match &mut self.reader {
            Some(reader) => reader.read(&mut self.buffer).await.unwrap_or(0),
            None => std::future::pending().await,
        }
    }

    /// Takes in what `next` has read.
    pub(super) fn take(&mut self, read: usize, output: &dyn Output) {
        if read == 0 {
            self.reader = None;
            return;
        }
        let piece = self.buffer.get(..read).unwrap_or_default();
        let clean = self.scrubber.push(piece);
        self.keep(&clean, output);
    }

    /// Ends it, even if another process still holds it open; what that process writes until the run ends is discarded.
    pub(super) fn close(mut self, output: &dyn Output) -> CapturedOutput {
        let rest = self.scrubber.finish();
        self.keep(&rest, output);
        if let Some(mut reader) = self.reader {
            tokio::spawn(async move { tokio::io::copy(&mut reader, &mut tokio::io::sink()).await });
        }
        self.capture.finish()
    }

    fn keep(&mut self, clean: &[u8], output: &dyn Output) {
        if !clean.is_empty() {
            self.capture.take(clean);
            output.piece(self.stream, clean);
        }
    }
}
