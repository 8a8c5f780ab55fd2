//! `attractor lsp`: the language server, for editors.

use attractor_lsp::{ServerExit, Settings, serve_stdio, serve_tcp};

use super::block_on;
use crate::error::Error;
use crate::exit::Exit;

/// Start the language server (editors do this)
#[derive(Debug, clap::Args)]
pub struct Lsp {
    /// Speak over standard input and output: the default, for clients that insist on saying so
    #[arg(long, conflicts_with = "port")]
    stdio: bool,
    /// Wait for one client on this port of the loopback address instead
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

impl Lsp {
    /// Serves one client until it leaves.
    pub fn run(self) -> Result<Exit, Error> {
        let ended = block_on(async {
            match self.port {
                None => Ok(serve_stdio(Settings::default()).await),
                Some(port) => serve_tcp(port, Settings::default())
                    .await
                    .map_err(|cause| Error::NoPort { port, cause }),
            }
        })?;
        Ok(match ended {
            ServerExit::Clean => Exit::Success,
            ServerExit::Abrupt => Exit::Failed,
        })
    }
}
