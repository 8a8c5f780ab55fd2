//! The channel of outgoing messages.
//!
//! The framework builds a tree of JSON values of whatever it sends, which for the diagnostics of a large file costs more
//! than computing them. [`FrameSender::send`] bypasses it: the caller serializes the parameters directly. A
//! [`FrameSender`] does not keep the connection open; after the last [`OutgoingSender`] is dropped it discards what it
//! is given.

use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;
use tower_lsp::jsonrpc::{Id, Request, Response};

/// Messages that may wait to be written. When so many do, the client does not read, and nothing more is read from it
/// either.
const CAPACITY: usize = 64;

/// A message of the server.
#[derive(Debug)]
pub(crate) enum OutgoingMessage {
    /// A request or notification of the framework.
    Request(Request),
    /// An answer.
    Response(Response),
    /// A message with its header, ready to be written.
    Frame(Vec<u8>),
}

/// Takes messages. The connection is open for output as long as there is one.
pub(crate) type OutgoingSender = mpsc::Sender<OutgoingMessage>;
/// Yields the messages to write.
pub(crate) type OutgoingReceiver = mpsc::Receiver<OutgoingMessage>;

/// Sends serialized messages; does not keep the connection open.
#[derive(Debug, Clone)]
pub(crate) struct FrameSender {
    sender: mpsc::WeakSender<OutgoingMessage>,
}

/// The channel of outgoing messages, and a sender of serialized ones.
pub(crate) fn outgoing_channel() -> (OutgoingSender, OutgoingReceiver, FrameSender) {
    let (sender, receiver) = mpsc::channel(CAPACITY);
    let frames = FrameSender {
        sender: sender.downgrade(),
    };
    (sender, receiver, frames)
}

impl FrameSender {
    /// Sends what [`notification`] or [`response`] serialized.
    pub(crate) async fn send(&self, frame: Vec<u8>) {
        if let Some(sender) = self.sender.upgrade() {
            // A client that is gone needs no notification.
            let _ = sender.send(OutgoingMessage::Frame(frame)).await;
        }
    }
}

/// A notification as bytes; `None` when its parameters cannot be serialized.
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

/// The response to a request as bytes; `result` is JSON already.
pub(crate) fn response(id: &Id, result: &[u8]) -> Vec<u8> {
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

impl OutgoingMessage {
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
