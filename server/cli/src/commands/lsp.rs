//! `attractor lsp`: the language server, for editors.

use std::sync::Arc;

use attractor::RunObserver;
use attractor_lsp::{ServerExit, Settings, serve_stdio, serve_tcp};
use tokio::net::TcpListener;

use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::traces::RunTraces;
use crate::user_token::user_token;

/// Start the language server
#[derive(Debug, clap::Args)]
pub struct Lsp {
    /// Use stdio (default; accepted for compatibility)
    #[arg(long, conflicts_with = "port")]
    stdio: bool,
    /// Listen for one client on this port of 127.0.0.1; it sends the printed token in `initializationOptions.token`
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

impl Lsp {
    /// Serves one client until it disconnects.
    pub fn run(self) -> Result<Exit, Error> {
        let settings = Settings {
            user_config: attractor_config::user_file(),
            ..Settings::default()
        };
        let traces = RunTraces::from_environment()?;
        let ended = block_on(async {
            let observer = traces.observer();
            let ended = match self.port {
                None => Ok(serve_stdio(settings, observer).await),
                Some(port) => listen(port, settings, observer).await,
            };
            traces.finish().await;
            ended
        })?;
        Ok(match ended {
            ServerExit::Clean => Exit::Success,
            ServerExit::Abrupt => Exit::Failed,
        })
    }
}

/// Serves the first client on a port of this machine that knows the token of this user's servers.
async fn listen(
    port: u16,
    settings: Settings,
    observer: Option<Arc<dyn RunObserver>>,
) -> Result<ServerExit, Error> {
    let failed = |cause| Error::ListenFailed { port, cause };
    let token = user_token().map_err(failed)?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await;
    let listener = listener.map_err(failed)?;
    console::line(&listener.local_addr().map_err(failed)?.to_string())?;
    console::line(&format!("token: {}", token.as_str()))?;
    let is_token = move |given: &str| token.is(given);
    let served = serve_tcp(listener, is_token, settings, observer).await;
    served.map_err(failed)
}
