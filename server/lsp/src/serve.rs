//! One connection, from its first byte to its last.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use attractor::RunObserver;
use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::LspService;

use crate::handlers::{api_keys, server_token};
use crate::ingress::Ingress;
use crate::large_responses::LargeResponses;
use crate::server::Backend;
use crate::session::Session;
use crate::settings::Settings;
use crate::{lifecycle, stdio, transport};

/// How long runs get to reach a checkpoint when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerExit {
    /// `shutdown`, then `exit` or the end of the stream.
    Clean,
    /// Without `shutdown`: the client died, or sent `exit` at once.
    Abrupt,
}

impl ServerExit {
    /// The exit status LSP 3.17 prescribes: 0 after `shutdown`, else 1.
    pub fn exit_code(self) -> ExitCode {
        match self {
            Self::Clean => ExitCode::SUCCESS,
            Self::Abrupt => ExitCode::FAILURE,
        }
    }
}

/// Serves the client on standard input and output. `settings` are those of the command line; the client's
/// own take precedence.
pub async fn serve_stdio(settings: Settings, observer: Option<Arc<dyn RunObserver>>) -> ServerExit {
    serve(stdio::input(), tokio::io::stdout(), settings, observer).await
}

/// Serves one client on any pair of byte streams until it exits or dies. Active runs are stopped at a
/// checkpoint before this returns. `observer` is informed of the runs.
pub async fn serve<I, O>(
    input: I,
    output: O,
    settings: Settings,
    observer: Option<Arc<dyn RunObserver>>,
) -> ServerExit
where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    let mut session = None;
    let (sender, receiver, frames) = transport::outgoing_channel();
    let (service, socket) = LspService::build(|client| {
        let created = Arc::new(Session::new(client, frames, settings, observer.clone()));
        session = Some(Arc::clone(&created));
        Backend::new(created)
    })
    .custom_method("$/setTrace", Backend::set_trace)
    .custom_method(api_keys::METHOD, Backend::api_keys)
    .custom_method(server_token::METHOD, Backend::server_token)
    .custom_method("window/workDoneProgress/cancel", Backend::cancel_progress)
    .finish();
    let Some(session) = session else {
        return ServerExit::Abrupt;
    };
    let stop = session.notifier.tasks.stop_token();
    let service = Ingress::new(LargeResponses::new(service, Arc::clone(&session)));
    let signals = tokio::spawn(lifecycle::watch_signals(stop.clone()));
    tokio::select! {
        () = transport::carry(input, output, service, socket, (sender, receiver)) => {}
        () = stop.cancelled() => {}
    }
    if tokio::time::timeout(STOP_TIMEOUT, lifecycle::stop(&session))
        .await
        .is_err()
    {
        tracing::warn!(
            "runs did not reach a checkpoint in time; they can be resumed from the last one"
        );
    }
    stop.cancel();
    let _ = signals.await;
    if session.shutdown_requested.load(Ordering::Relaxed) {
        ServerExit::Clean
    } else {
        ServerExit::Abrupt
    }
}
