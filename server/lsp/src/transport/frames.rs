//! From bytes to message bodies: `Content-Length: N`, a blank line, N bytes (LSP 3.17, base protocol).
//!
//! Whatever is between two frames is skipped and reported once; the next `Content-Length` is found again.
//! Memory grows with what has come, never with what a header promises.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

/// Longer bodies are no messages of an editor.
const MAX_BODY_BYTES: u64 = 1 << 30;
/// Longer header lines are garbage, read in pieces.
const MAX_LINE_BYTES: u64 = 8 * 1024;
const HEADER: &str = "content-length:";

/// The message bodies of a stream.
#[derive(Debug)]
pub(super) struct Frames<I> {
    input: BufReader<I>,
}

impl<I: AsyncRead + Unpin> Frames<I> {
    /// Reads from a stream.
    pub(super) fn new(input: I) -> Self {
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
        }
    }

    /// The next body, or the invalid text found instead; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> Option<Result<Vec<u8>, String>> {
        let mut length = None;
        let mut garbage = None;
        loop {
            let mut line = Vec::new();
            let read = (&mut self.input)
                .take(MAX_LINE_BYTES)
                .read_until(b'\n', &mut line)
                .await;
            if !matches!(read, Ok(count) if count > 0) {
                return None;
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            if line.is_empty() {
                match (length, garbage) {
                    (Some(length), None) => return self.body(length).await,
                    (_, Some(garbage)) => return Some(Err(garbage)),
                    // Blank lines between frames do no harm.
                    (None, None) => {}
                }
                (length, garbage) = (None, None);
                continue;
            }
            match content_length(line) {
                Some(Ok(number)) => (length, garbage) = (Some(number), None),
                Some(Err(problem)) => garbage = Some(problem),
                None if line.to_ascii_lowercase().starts_with("content-type:") => {}
                None if length.is_some() => {}
                None => garbage = Some(format!("invalid message header: {:?}", shortened(line))),
            }
        }
    }

    async fn body(&mut self, length: u64) -> Option<Result<Vec<u8>, String>> {
        let mut body = Vec::new();
        let read = (&mut self.input).take(length).read_to_end(&mut body).await;
        match read {
            Ok(count) if count as u64 == length => Some(Ok(body)),
            // The stream ended in the middle of a message.
            _ => None,
        }
    }
}

/// The number of a `Content-Length` header, also after garbage without a line end.
fn content_length(line: &str) -> Option<Result<u64, String>> {
    let lower = line.to_ascii_lowercase();
    let (_, number) = lower.rsplit_once(HEADER)?;
    let number = number.trim();
    Some(match number.parse() {
        Ok(length) if length <= MAX_BODY_BYTES => Ok(length),
        Ok(length) => Err(format!("message too long: {length} bytes")),
        Err(_) => Err(format!(
            "invalid Content-Length {:?}; expected a number",
            shortened(number)
        )),
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    async fn read(bytes: &[u8]) -> String {
        let mut frames = Frames::new(bytes);
        let mut seen = Vec::new();
        while let Some(frame) = frames.next().await {
            seen.push(match frame {
                Ok(body) => format!("body {}", String::from_utf8_lossy(&body)),
                Err(problem) => format!("problem: {problem}"),
            });
        }
        seen.join("\n")
    }

    #[tokio::test]
    async fn garbage_between_messages_is_reported_and_skipped() {
        let bytes = b"Content-Length: 1\r\n\r\nA\
            junk\x00\xff\r\n\r\n\
            Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\nBB\
            Content-Length: banana\r\n\r\n\
            gibberishContent-Length: 3\n\nCCC\
            Content-Length: 99999999999999\r\n\r\n\
            content-length:1\r\n\r\nD\
            Content-Length: 10\r\n\r\ncut off";
        expect![[r#"
            body A
            problem: invalid message header: "junk\0�"
            body BB
            problem: invalid Content-Length "banana"; expected a number
            body CCC
            problem: message too long: 99999999999999 bytes
            body D"#]]
        .assert_eq(&read(bytes).await);
    }

    #[tokio::test]
    async fn a_megabyte_without_a_line_end_is_skipped_in_pieces() {
        let mut bytes = vec![b'x'; 1 << 20];
        bytes.extend(b"\r\n\r\nContent-Length: 2\r\n\r\nok");
        assert!(read(&bytes).await.ends_with("body ok"));
    }

    #[tokio::test]
    async fn an_empty_stream_has_no_messages() {
        assert_eq!(read(b"").await, "");
        assert_eq!(read(b"\r\n\r\n").await, "");
    }
}
