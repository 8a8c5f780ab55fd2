//! Messages of the Debug Adapter Protocol on a stream: a header with the length, and JSON.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A longer message is refused.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;

/// A longer line of a header is refused.
const MAX_HEADER: u64 = 4096;

/// Lines of a header that are read at most.
const MAX_LINES: usize = 32;

/// The next message; none at the end of the stream.
///
/// # Errors
/// The stream broke off, or what it has is not a message; nothing more can be read then.
pub(crate) async fn read(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Value>> {
    let Some(length) = read_header(input).await? else {
        return Ok(None);
    };
    let mut body = vec![0; length];
    input.read_exact(&mut body).await?;
    serde_json::from_slice(&body)
        .map(Some)
        .map_err(|error| invalid(format!("a message is not JSON: {error}")))
}

async fn read_header(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<usize>> {
    let mut length = None;
    for number in 0..MAX_LINES {
        let mut line = Vec::new();
        (&mut *input)
            .take(MAX_HEADER)
            .read_until(b'\n', &mut line)
            .await?;
        if line.is_empty() && number == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(invalid(
                "a header line is too long or not complete".to_owned(),
            ));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            return length
                .map(Some)
                .ok_or_else(|| invalid("a header has no Content-Length".to_owned()));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let value = value.trim().parse::<usize>().ok();
            let value = value.filter(|value| *value <= MAX_MESSAGE);
            length = Some(value.ok_or_else(|| {
                invalid(format!(
                    "Content-Length is not a number up to {MAX_MESSAGE}"
                ))
            })?);
        }
    }
    Err(invalid("a header has too many lines".to_owned()))
}

/// Sends a message.
///
/// # Errors
/// The stream is closed.
pub(crate) async fn write(
    output: &mut (impl AsyncWrite + Unpin),
    message: &Value,
) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let header = format!("Content-Length: {}\r\n\r\n", body.len());
    output.write_all(header.as_bytes()).await?;
    output.write_all(&body).await?;
    output.flush().await
}

fn invalid(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn read_all(mut bytes: &[u8]) -> (Vec<Value>, Option<String>) {
        let mut messages = Vec::new();
        loop {
            match read(&mut bytes).await {
                Ok(Some(message)) => messages.push(message),
                Ok(None) => return (messages, None),
                Err(error) => return (messages, Some(error.to_string())),
            }
        }
    }

    #[tokio::test]
    async fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        for message in [json!({"seq": 1}), json!("ä")] {
            write(&mut bytes, &message).await.unwrap();
        }
        let (messages, error) = read_all(&bytes).await;
        assert_eq!(messages, [json!({"seq": 1}), json!("ä")]);
        assert_eq!(error, None);
    }

    #[tokio::test]
    async fn what_is_not_a_message_is_refused() {
        let long = format!("X: {}\n", "x".repeat(5000));
        for garbage in [
            "hello",
            "hello\n\n",
            "Content-Length: 5\r\n\r\n{}",
            "Content-Length: 99999999999999999999\r\n\r\n",
            "Content-Length: 2\r\n\r\n{]",
            &long,
            &"X: y\n".repeat(40),
        ] {
            let (messages, error) = read_all(garbage.as_bytes()).await;
            assert!(messages.is_empty() && error.is_some(), "{garbage:.40}");
        }
    }
}
