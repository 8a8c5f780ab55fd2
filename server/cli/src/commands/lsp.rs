//! `attractor lsp`: the language server, for editors.

use attractor_lsp::{ServerExit, Settings, serve_stdio, serve_tcp};

use super::block_on;
use crate::error::Error;
use crate::exit::Exit;
use crate::traces::RunTraces;

/// Start the language server
#[derive(Debug, clap::Args)]
pub struct Lsp {
    /// Use stdio (default; accepted for compatibility)
    #[arg(long, conflicts_with = "port")]
    stdio: bool,
    /// Listen for one client on this port of 127.0.0.1
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
                Some(port) => serve_tcp(port, settings, observer)
                    .await
                    .map_err(|cause| Error::ListenFailed { port, cause }),
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
