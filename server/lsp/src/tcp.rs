//! The language server on a TCP port of this machine.
//!
//! Any program of this machine can connect to such a port, and any web page that is open in a browser can send there. So a
//! connection has to begin with the `initialize` of a client that knows the token, in `initializationOptions.token`;
//! anything else is closed, and the next one is waited for. The first client that is let in is served to its end.

use std::io::{self, Cursor, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use attractor::RunObserver;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::serve::{ServerExit, serve};
use crate::settings::Settings;

/// How long a client may take to send its first message.
const ADMISSION_TIMEOUT: Duration = Duration::from_secs(10);
/// Connections whose first message is waited for at once.
const MAX_CANDIDATES: usize = 32;
/// A longer first message is none of an editor.
const MAX_BODY_BYTES: u64 = 1 << 20;
/// A longer header is none of an editor.
const MAX_HEADER_BYTES: u64 = 1024;

/// Serves the first client of a listener that knows the token; `is_token` compares.
///
/// # Errors
/// The listener fails.
pub async fn serve_tcp(
    listener: TcpListener,
    is_token: impl Fn(&str) -> bool + Send + Sync + 'static,
    settings: Settings,
    observer: Option<Arc<dyn RunObserver>>,
) -> io::Result<ServerExit> {
    let is_token = Arc::new(is_token);
    let mut candidates = JoinSet::new();
    let client = loop {
        tokio::select! {
            accepted = listener.accept(), if candidates.len() < MAX_CANDIDATES => match accepted {
                Ok((stream, _)) => {
                    let is_token = Arc::clone(&is_token);
                    candidates.spawn(async move {
                        let admitted = tokio::time::timeout(ADMISSION_TIMEOUT, admit(stream, &*is_token));
                        admitted.await.ok()?.ok()?
                    });
                }
                // The client left before it was accepted.
                Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {}
                Err(error) => return Err(error),
            },
            Some(admitted) = candidates.join_next() => if let Ok(Some(client)) = admitted {
                break client;
            },
        }
    };
    drop(candidates);
    drop(listener);
    let input = Cursor::new(client.first).chain(client.input);
    Ok(serve(input, client.output, settings, observer).await)
}

/// A client that was let in.
struct Client {
    /// Its first message as a frame, without the token.
    first: Vec<u8>,
    input: BufReader<OwnedReadHalf>,
    output: OwnedWriteHalf,
}

/// Reads the first message of a connection. `None` if it is not that of a client that knows the token.
async fn admit(stream: TcpStream, is_token: impl Fn(&str) -> bool) -> io::Result<Option<Client>> {
    stream.set_nodelay(true)?;
    let (input, mut output) = stream.into_split();
    let mut input = BufReader::new(input);
    let Some(mut message) = first_message(&mut input).await? else {
        return Ok(None);
    };
    let options = message.pointer_mut("/params/initializationOptions");
    let token = options.and_then(|options| options.as_object_mut()?.remove("token"));
    let is_known = token.as_ref().and_then(Value::as_str).is_some_and(is_token);
    let method = message.get("method").and_then(Value::as_str);
    if method == Some("initialize") && is_known {
        let first = frame(&message);
        return Ok(Some(Client {
            first,
            input,
            output,
        }));
    }
    let refusal = json!({
        "jsonrpc": "2.0",
        "id": message.get("id"),
        "error": {
            "code": -32600,
            "message": "the token is missing or wrong; set `token` in the initialization options to what the server printed when it started",
            "data": { "code": "token" },
        },
    });
    output.write_all(&frame(&refusal)).await?;
    output.shutdown().await?;
    Ok(None)
}

/// The first message, if the connection begins with nothing but the header of one: a request of a browser does not.
async fn first_message(input: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<Value>> {
    let mut length = None;
    let mut header = input.take(MAX_HEADER_BYTES);
    loop {
        let mut line = Vec::new();
        header.read_until(b'\n', &mut line).await?;
        let line = String::from_utf8_lossy(&line).to_ascii_lowercase();
        if line == "\r\n" {
            break;
        }
        match line.trim_end().split_once(':') {
            Some(("content-length", number)) => length = number.trim().parse().ok(),
            Some(("content-type", _)) => {}
            _ => return Ok(None),
        }
    }
    let Some(length) = length.filter(|length| *length <= MAX_BODY_BYTES) else {
        return Ok(None);
    };
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body).await?;
    Ok(serde_json::from_slice(&body).ok())
}

fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
