//! `attractor acp`: the coding agent for editors and other clients that speak the Agent Client Protocol, version 1, over
//! standard input and output.
//!
//! A session of the protocol is a session of `attractor agent`, with the same tools, permissions, sandbox and files; what
//! needs an approval is asked in the client. Knows no pipeline.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod commands;
mod content;
mod error;
mod files;
mod history;
mod mcp;
mod options;
mod person;
mod sessions;
mod updates;

use std::sync::Arc;

use agent_client_protocol::v1::schema::{
    CancelNotification, CloseSessionRequest, InitializeRequest, ListSessionsRequest,
    LoadSessionRequest, NewSessionRequest, PromptRequest, ResumeSessionRequest,
};
use agent_client_protocol::{Agent, ByteStreams, on_receive_notification, on_receive_request};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::compat::{TokioAsyncReadCompatExt, TokioAsyncWriteCompatExt};

pub use options::AcpOptions;
use sessions::Sessions;

/// Serves one client until it closes its end, or `stop` is ready. Then all sessions have ended.
///
/// # Errors
/// The connection failed.
pub async fn serve(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    options: AcpOptions,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), String> {
    let sessions = Arc::new(Sessions::new(options));
    // One for each handler.
    let [initialize, create, load, resume, close, prompt, cancel] =
        std::array::from_fn(|_| Arc::clone(&sessions));
    let serving = Agent
        .v1()
        .name("attractor")
        .on_receive_request(
            async move |request: InitializeRequest, responder, _| {
                responder.respond(initialize.initialize(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, client| {
                let sessions = Arc::clone(&create);
                let task = client.clone();
                task.spawn(async move {
                    responder.respond_with_result(sessions.create(request, client).await)
                })
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: LoadSessionRequest, responder, client| {
                let sessions = Arc::clone(&load);
                let task = client.clone();
                task.spawn(async move {
                    responder.respond_with_result(sessions.load(request, client).await)
                })
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ResumeSessionRequest, responder, client| {
                let sessions = Arc::clone(&resume);
                let task = client.clone();
                task.spawn(async move {
                    responder.respond_with_result(sessions.resume(request, client).await)
                })
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ListSessionsRequest, responder, _| {
                responder.respond(sessions::list(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CloseSessionRequest, responder, client| {
                let sessions = Arc::clone(&close);
                client.spawn(async move {
                    responder.respond_with_result(sessions.close(&request).await)
                })
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, client| {
                let sessions = Arc::clone(&prompt);
                let task = client.clone();
                // The answer may take hours; meanwhile the client cancels, or works with other sessions.
                task.spawn(async move {
                    responder.respond_with_result(sessions.prompt(request, &client).await)
                })
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |notification: CancelNotification, _| {
                cancel.cancel(&notification);
                Ok(())
            },
            on_receive_notification!(),
        )
        .connect_to(ByteStreams::new(output.compat_write(), input.compat()));
    let served = tokio::select! {
        served = serving => served,
        () = stop => Ok(()),
    };
    sessions.shutdown().await;
    served.map_err(|error| error.to_string())
}
