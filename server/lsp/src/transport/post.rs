//! What is written, and who may hand it in.
//!
//! The framework makes a tree of JSON values of whatever it sends, which for the diagnostics of a large file
//! costs more than finding them. [`Post::send`] is the way around it: the parameters are written as bytes at
//! once, where the caller is. A [`Post`] does not keep the connection open; once the last [`Outbox`] is gone
//! what is posted goes nowhere.

use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;
use tower_lsp::jsonrpc::{Id, Request, Response};

/// Messages that may wait to be written. When they do, the client does not read, and nothing more is read
/// from it either.
const CAPACITY: usize = 64;

/// A message of the server.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A request or notification of the framework.
    Request(Request),
    /// An answer.
    Response(Response),
    /// A message with its header, ready to be written.
    Frame(Vec<u8>),
}

/// Where messages are handed in. The connection is open for output as long as there is one.
pub(crate) type Outbox = mpsc::Sender<Outgoing>;
/// Where they come out.
pub(crate) type Mail = mpsc::Receiver<Outgoing>;

/// A way to send messages that does not keep the connection open.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    outbox: mpsc::WeakSender<Outgoing>,
}

/// Both ends of what is written, and a way to post to it.
pub(crate) fn post() -> (Outbox, Mail, Post) {
    let (outbox, mail) = mpsc::channel(CAPACITY);
    let post = Post {
        outbox: outbox.downgrade(),
    };
    (outbox, mail, post)
}

impl Post {
    /// Sends what [`notification`] or [`answer`] made.
    pub(crate) async fn send(&self, frame: Vec<u8>) {
        if let Some(outbox) = self.outbox.upgrade() {
            // A client that is gone needs no notification.
            let _ = outbox.send(Outgoing::Frame(frame)).await;
        }
    }
}

/// A notification as bytes; `None` when its parameters have no JSON form.
pub(crate) fn notification(method: &str, params: &impl Serialize) -> Option<Vec<u8>> {
    #[derive(Serialize)]
    struct Notification<'a, P> {
        jsonrpc: &'static str,
        method: &'a str,
        params: &'a P,
    }
    let message = Notification {
        jsonrpc: "2.0",
        method,
        params,
    };
    frame(&message).ok()
}

/// The answer to a request as bytes; `result` is JSON already.
pub(crate) fn answer(id: &Id, result: &[u8]) -> Vec<u8> {
    let id = match id {
        Id::Number(number) => number.to_string(),
        Id::String(text) => Value::from(text.as_str()).to_string(),
        Id::Null => "null".to_owned(),
    };
    let before = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":");
    let length = before.len() + result.len() + 1;
    let mut frame = format!("Content-Length: {length}\r\n\r\n{before}").into_bytes();
    frame.extend_from_slice(result);
    frame.push(b'}');
    frame
}

impl Outgoing {
    /// The bytes to write.
    pub(super) fn into_frame(self) -> serde_json::Result<Vec<u8>> {
        match self {
            Self::Request(request) => frame(&request),
            Self::Response(response) => frame(&response),
            Self::Frame(frame) => Ok(frame),
        }
    }
}

/// A message after its header.
fn frame(message: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let body = serde_json::to_vec(message)?;
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend(body);
    Ok(frame)
}
