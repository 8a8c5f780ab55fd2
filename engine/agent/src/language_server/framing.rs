//! Messages of the language server protocol: headers with the length, then JSON.

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// Bytes of a message.
const MAX_MESSAGE: usize = 32 * 1024 * 1024;

/// Bytes of all headers of a message.
const MAX_HEADERS: u64 = 8 * 1024;

/// A message as it is sent.
pub(super) fn encode(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Reads the next message; nothing at the end. Gives its length too.
///
/// # Errors
/// What comes is not a message; with the reason.
pub(super) async fn read(
    reader: &mut (impl AsyncBufRead + Unpin),
) -> Result<Option<(Value, usize)>, String> {
    let Some(length) = read_headers(reader).await? else {
        return Ok(None);
    };
    if length > MAX_MESSAGE {
        return Err(format!("it sent a message of {length} bytes"));
    }
    let mut body = vec![0; length];
    let read = reader.read_exact(&mut body).await;
    read.map_err(|_| "it ended within a message".to_owned())?;
    let message = serde_json::from_slice(&body);
    let message =
        message.map_err(|error| format!("it sent a message that is not JSON: {error}"))?;
    Ok(Some((message, length)))
}

/// The length of the message that follows.
async fn read_headers(reader: &mut (impl AsyncBufRead + Unpin)) -> Result<Option<usize>, String> {
    let mut headers = reader.take(MAX_HEADERS);
    let mut length = None;
    let mut line = Vec::new();
    let mut count = 0;
    loop {
        line.clear();
        let read = headers.read_until(b'\n', &mut line).await;
        let read = read.map_err(|error| error.to_string())?;
        if read == 0 && headers.limit() > 0 {
            return match count {
                0 => Ok(None),
                _ => Err("it ended within a message".to_owned()),
            };
        }
        count += 1;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty()
            && let Some(length) = length
        {
            return Ok(Some(length));
        }
        let Some((name, value)) = text.split_once(':') else {
            let shown: String = text.chars().take(80).collect();
            return Err(format!("it wrote `{shown}` instead of a header"));
        };
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim().parse();
            length = Some(value.map_err(|_| "it sent a message without a length".to_owned())?);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn first(mut bytes: &[u8]) -> Result<Option<Value>, String> {
        let message = read(&mut bytes).await?;
        Ok(message.map(|(message, _)| message))
    }

    #[tokio::test]
    async fn messages_are_read_back() {
        let message = json!({"a": "ü"});
        let mut bytes = encode(&message);
        bytes.extend(encode(&json!(2)));
        let mut rest = bytes.as_slice();
        assert_eq!(read(&mut rest).await.unwrap().unwrap().0, message);
        assert_eq!(read(&mut rest).await.unwrap().unwrap().0, json!(2));
        assert_eq!(read(&mut rest).await.unwrap(), None);
        let other = b"content-length: 2\r\nContent-Type: x\r\n\r\n{}";
        assert_eq!(first(other).await, Ok(Some(json!({}))));
    }

    #[tokio::test]
    async fn anything_else_is_an_error() {
        for (bytes, problem) in [
            (&b"Usage: server\n"[..], "it ended within a message"),
            (b"hello\n", "it wrote `hello` instead of a header"),
            (b"\r\n{}", "it wrote `` instead of a header"),
            (
                b"Content-Length: x\r\n\r\n",
                "it sent a message without a length",
            ),
            (
                b"Content-Length: 99999999999\r\n\r\n",
                "it sent a message of 99999999999 bytes",
            ),
            (b"Content-Length: 9\r\n\r\n{}", "it ended within a message"),
            (
                b"Content-Length: 2\r\n\r\nxx",
                "it sent a message that is not JSON",
            ),
        ] {
            let error = first(bytes).await.unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
        let endless = [b"A: ".as_slice(), &vec![b'x'; 1 << 20]].concat();
        assert!(first(&endless).await.is_err());
    }
}
