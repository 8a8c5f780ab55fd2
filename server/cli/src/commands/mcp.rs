//! `attractor mcp`: the server of the Model Context Protocol.

use std::net::{Ipv4Addr, SocketAddr};

use attractor_http::{Server, Token};

use super::block_on;
use super::serve::{Serve, stop_signal};
use crate::configuration;
use crate::error::Error;
use crate::exit::Exit;
use crate::traces::RunTraces;

/// Serve pipelines to AI clients over the Model Context Protocol (MCP)
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  claude mcp add attractor -- attractor mcp    over standard input and output
  attractor mcp --http --port 8080             over HTTP, with the token of `attractor serve`")]
pub struct Mcp {
    /// Serve clients over HTTP, at `/mcp` of `attractor serve`, instead of one over standard input and output
    #[arg(long)]
    http: bool,
    #[command(flatten)]
    serve: Serve,
}

impl Mcp {
    /// Serves until the client closes its end, or until Ctrl-C or TERM.
    pub fn run(self) -> Result<Exit, Error> {
        if self.http {
            return self.serve.run_with(true);
        }
        block_on(self.serve_client())
    }

    async fn serve_client(self) -> Result<Exit, Error> {
        let failed = |reason: String| Error::NotServed { reason };
        let here = std::path::absolute(".").map_err(|error| failed(error.to_string()))?;
        let configuration = configuration::read_to_run(&here)?;
        let token = Token::generate().map_err(|error| failed(error.to_string()))?;
        let traces = RunTraces::from_environment()?;
        let options = self.serve.options(&here, &configuration, token, &traces)?;
        // Nobody else reaches it: there is no listener.
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let stop = stop_signal()?;
        let served = Box::pin(Server::new(options, address).serve_mcp(stop)).await;
        traces.finish().await;
        served.map_err(|reason| failed(format!("the client ended the connection: {reason}")))?;
        Ok(Exit::Success)
    }
}
