//! One client, from its first byte to its last.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tower_lsp::LspService;

use crate::direct::Direct;
use crate::ingress::Ingress;
use crate::server::Backend;
use crate::session::Session;
use crate::settings::Settings;
use crate::{lifecycle, stdio, transport};

/// How long runs get to reach a checkpoint when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);

/// How a client left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// `shutdown`, then `exit` or the end of the stream.
    Orderly,
    /// Without `shutdown`: the client died, or said `exit` out of the blue.
    Abrupt,
}

impl Ended {
    /// The exit status LSP 3.17 prescribes: 0 after `shutdown`, else 1.
    pub fn exit_code(self) -> ExitCode {
        match self {
            Self::Orderly => ExitCode::SUCCESS,
            Self::Abrupt => ExitCode::FAILURE,
        }
    }
}

/// Serves the client on standard input and output. `settings` are what the command line says; the client's
/// own come on top.
pub async fn serve_stdio(settings: Settings) -> Ended {
    serve(stdio::input(), tokio::io::stdout(), settings).await
}

/// Waits for one client on `127.0.0.1:port` and serves it.
pub async fn serve_tcp(port: u16, settings: Settings) -> std::io::Result<Ended> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    let (input, output) = stream.into_split();
    Ok(serve(input, output, settings).await)
}

/// Serves one client on any pair of byte streams until it leaves or dies. Live runs are stopped at a
/// checkpoint before this returns.
pub async fn serve<I, O>(input: I, output: O, settings: Settings) -> Ended
where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    let mut session = None;
    let (outbox, mail, post) = transport::post();
    let (service, socket) = LspService::build(|client| {
        let created = Arc::new(Session::new(client, post, settings));
        session = Some(Arc::clone(&created));
        Backend::new(created)
    })
    .custom_method("$/setTrace", Backend::set_trace)
    .custom_method("window/workDoneProgress/cancel", Backend::cancel_progress)
    .finish();
    let Some(session) = session else {
        return Ended::Abrupt;
    };
    let stop = session.stop.clone();
    let service = Ingress::new(Direct::new(service, Arc::clone(&session)));
    let signals = tokio::spawn(lifecycle::watch_signals(stop.clone()));
    tokio::select! {
        () = transport::carry(input, output, service, socket, (outbox, mail)) => {}
        () = stop.cancelled() => {}
    }
    if tokio::time::timeout(FAREWELL, session.close())
        .await
        .is_err()
    {
        tracing::warn!(
            "runs did not reach a checkpoint in time; they can be resumed from the last one"
        );
    }
    stop.cancel();
    let _ = signals.await;
    if session.was_shut_down() {
        Ended::Orderly
    } else {
        Ended::Abrupt
    }
}
