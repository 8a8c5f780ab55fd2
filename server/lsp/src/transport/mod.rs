//! Messages in, messages out: one client's two byte streams on one side, a service on the other.
//!
//! The framework brings a transport of its own, which ends at the first malformed message and polls every
//! handler on one task. This one answers malformed messages with an error and continues, starts handlers in wire order (see
//! [`crate::ingress`]) and lets those that wait finish on tasks of their own. It knows JSON-RPC and nothing
//! of the protocol above it but `exit`, after which nothing is read.

mod frames;
mod outgoing;

use futures::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tower::{Service, ServiceExt as _};
use tower_lsp::ClientSocket;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};

use self::frames::Frames;
pub(crate) use self::outgoing::{
    FrameSender, OutgoingSender, notification, outgoing_channel, response,
};
use self::outgoing::{OutgoingMessage, OutgoingReceiver};

/// What is read.
enum Incoming {
    Request(Request),
    Response(Response),
    Malformed(Error),
}

/// Carries messages until the client says `exit` or its stream ends. Answers that are under way by then are
/// still written.
pub(crate) async fn carry<I, O, S>(
    input: I,
    output: O,
    service: S,
    socket: ClientSocket,
    (sender, receiver): (OutgoingSender, OutgoingReceiver),
) where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    let (mut requests, replies) = socket.split();
    let own = sender.clone();
    let (close, closed) = tokio::sync::oneshot::channel::<()>();
    let send = async move {
        let forward = async {
            while let Some(request) = requests.next().await {
                if own.send(OutgoingMessage::Request(request)).await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            () = forward => {}
            _ = closed => {}
        }
    };
    let listen = async move {
        listen(Frames::new(input), service, replies, sender).await;
        let _ = close.send(());
    };
    tokio::join!(send, listen, write(output, receiver));
}

async fn listen<I, S, R>(
    mut frames: Frames<I>,
    mut service: S,
    mut replies: R,
    sender: OutgoingSender,
) where
    I: AsyncRead + Unpin,
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
    R: futures::Sink<Response> + Unpin,
{
    while let Some(frame) = frames.next().await {
        let request = match parse(frame) {
            Incoming::Request(request) => request,
            Incoming::Response(response) => {
                // It fails only after `exit`.
                let _ = replies.send(response).await;
                continue;
            }
            Incoming::Malformed(error) => {
                tracing::warn!(%error, "ignored a malformed message");
                let _ = sender
                    .send(OutgoingMessage::Response(Response::from_error(
                        Id::Null,
                        error,
                    )))
                    .await;
                continue;
            }
        };
        let last = request.method() == "exit";
        let Ok(ready) = service.ready().await else {
            return;
        };
        let answer = ready.call(request);
        let sender = sender.clone();
        let send = async move {
            if let Ok(Some(response)) = answer.await {
                let _ = sender.send(OutgoingMessage::Response(response)).await;
            }
        };
        if last {
            send.await;
            return;
        }
        tokio::spawn(send);
    }
}

fn parse(frame: Result<Vec<u8>, String>) -> Incoming {
    let body = match frame {
        Ok(body) => body,
        Err(problem) => return Incoming::Malformed(with_message(Error::parse_error(), problem)),
    };
    let message: Value = match serde_json::from_slice(&body) {
        Ok(message) => message,
        Err(problem) => {
            return Incoming::Malformed(with_message(Error::parse_error(), problem.to_string()));
        }
    };
    let parsed = if message.get("method").is_some() {
        serde_json::from_value(message).map(Incoming::Request)
    } else {
        serde_json::from_value(message).map(Incoming::Response)
    };
    parsed.unwrap_or_else(|problem| {
        Incoming::Malformed(with_message(Error::invalid_request(), problem.to_string()))
    })
}

fn with_message(mut error: Error, message: String) -> Error {
    error.message = message.into();
    error
}

/// Writes messages until all senders are dropped, or the client is gone.
async fn write<O: AsyncWrite>(output: O, mut receiver: OutgoingReceiver) {
    let mut output = std::pin::pin!(output);
    while let Some(message) = receiver.recv().await {
        let bytes = match message.into_frame() {
            Ok(bytes) => bytes,
            Err(problem) => {
                tracing::error!(%problem, "a message cannot be serialized");
                continue;
            }
        };
        let write = async {
            output.write_all(&bytes).await?;
            output.flush().await
        };
        if let Err(problem) = write.await {
            tracing::warn!(%problem, "the client stopped reading");
            return;
        }
    }
    let _ = output.shutdown().await;
}
