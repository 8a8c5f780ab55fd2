//! `attractor lsp`: the language server, for editors.

use attractor_lsp::{Ended, Settings, serve_stdio, serve_tcp};

use super::runtime;
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
        let runtime = runtime()?;
        let ended = match self.port {
            None => runtime.block_on(serve_stdio(Settings::default())),
            Some(port) => runtime
                .block_on(serve_tcp(port, Settings::default()))
                .map_err(|cause| Error::NoPort { port, cause })?,
        };
        // A read of standard input may still be under way; nobody waits for it any more.
        runtime.shutdown_background();
        Ok(match ended {
            Ended::Orderly => Exit::Success,
            Ended::Abrupt => Exit::Failed,
        })
    }
}
