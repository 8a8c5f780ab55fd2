//! `attractor acp`: the coding agent for editors that speak the Agent Client Protocol.

use attractor_acp::{AcpOptions, serve};

use super::block_on;
use super::serve::stop_signal;
use crate::error::Error;
use crate::exit::Exit;

/// Serve the coding agent to an editor, over standard input and output
///
/// For editors and other clients that speak the Agent Client Protocol. Sessions have the
/// tools, permissions and sandbox of `attractor agent`; what needs an approval is asked in the editor. Ends when the editor
/// closes its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example, in the settings of an editor:
  \"agent_servers\": {\"Attractor\": {\"command\": \"attractor\", \"args\": [\"acp\", \"--model\", \"sonnet\"]}}")]
pub struct Acp {
    /// Model id or alias [default: the provider's newest]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// The provider of the model
    #[arg(long, value_name = "PROVIDER")]
    provider: Option<String>,
}

impl Acp {
    /// Serves one client.
    pub fn run(self) -> Result<Exit, Error> {
        let options = AcpOptions {
            model: self.model,
            provider: self.provider,
        };
        block_on(async {
            let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
            let served = serve(input, output, options, stop_signal()?).await;
            served.map_err(|reason| {
                Error::Agent(format!("the connection to the client failed: {reason}"))
            })
        })?;
        Ok(Exit::Success)
    }
}
