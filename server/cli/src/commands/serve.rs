//! `attractor serve`: the HTTP server.

use std::fs;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use attractor::{
    AgentSettings, CliBackend, Engine, NativeBackend, OnMissingInterviewer, Providers,
};
use attractor_http::{ServeOptions, Server, Token};
use tokio::net::{TcpListener, lookup_host};

use super::block_on;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::project;

/// The file of the token in the user's state folder.
const TOKEN_FILE: &str = "serve-token";

/// Serve runs over HTTP: submit pipelines, follow events, answer questions
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  attractor serve --port 8080
  curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:8080/pipelines")]
pub struct Serve {
    /// The address to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// The port; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Allow an address that other machines reach. Submitted pipelines may then run neither commands nor agents,
    /// unless `--allow-commands` is given
    #[arg(long)]
    allow_remote: bool,
    /// Let submitted pipelines run commands and agents also with `--allow-remote`
    #[arg(long, requires = "allow_remote")]
    allow_commands: bool,
    /// A further name of this server that requests may have in `Host`; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Open the web page in the browser
    #[arg(long)]
    open: bool,
}

impl Serve {
    /// Serves until Ctrl-C or TERM; then its runs stop at their next checkpoint.
    pub fn run(self) -> Result<Exit, Error> {
        let token = token().map_err(|error| Error::NotServed {
            reason: format!("cannot keep the token of the server: {error}"),
        })?;
        block_on(self.serve(token))
    }

    async fn serve(self, token: Token) -> Result<Exit, Error> {
        let address = self.address().await?;
        let refused = |cause: io::Error| Error::NotServed {
            reason: format!("cannot listen on {address}: {cause}"),
        };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let runs_dir = project::runs_here();
        let submissions_dir = runs_dir.with_file_name("submissions");
        let allow_commands = !self.allow_remote || self.allow_commands;
        let options = ServeOptions {
            engine: engine(&runs_dir, allow_commands)?,
            runs_dir,
            submissions_dir,
            allow_commands,
            hosts: self.allow_host,
            token: token.clone(),
        };
        let server = Server::new(options, address);
        let ticket = server.ticket().map_err(refused)?;
        let page = format!("http://{address}/#ticket={ticket}");
        console::line(&format!("http://{address}"))?;
        console::line(&format!("token: {}", token.as_str()))?;
        console::line(&format!("page: {page}"))?;
        if self.open {
            open_in_browser(&page);
        }
        let stop = stop_signal()?;
        server.serve(listener, stop).await.map_err(refused)?;
        Ok(Exit::Success)
    }

    /// The address; one that other machines reach has to be allowed.
    async fn address(&self) -> Result<SocketAddr, Error> {
        let host = (self.host.as_str(), self.port);
        let mut found = lookup_host(host).await.map_err(|cause| Error::NotServed {
            reason: format!("unknown host `{}`: {cause}", self.host),
        })?;
        let address = found.next().ok_or_else(|| Error::NotServed {
            reason: format!("the host `{}` has no address", self.host),
        })?;
        if address.ip().is_loopback() || self.allow_remote {
            return Ok(address);
        }
        Err(Error::NotServed {
            reason: format!(
                "{address} is reached by other machines; add `--allow-remote` to listen there, or leave out `--host`"
            ),
        })
    }
}

/// The engine of submitted pipelines: questions stay open until someone answers.
fn engine(runs_dir: &Path, allow_commands: bool) -> Result<Engine, Error> {
    let here = std::path::absolute(".").unwrap_or_default();
    let configuration = configuration::read(&here);
    let providers = Providers::from_environment(&configuration);
    let agents = AgentSettings::from_environment(&configuration);
    let engine = Engine::builder()
        .backend(NativeBackend::new(providers, agents))
        .on_missing_interviewer(OnMissingInterviewer::Wait)
        .runs_dir(runs_dir);
    let engine = if allow_commands {
        engine.backend(CliBackend)
    } else {
        engine
    };
    engine.build().map_err(|error| Error::NotServed {
        reason: error.to_string(),
    })
}

/// The token of this user's servers: kept in a file that only the user reads.
fn token() -> io::Result<Token> {
    let folder = attractor_config::state_folder()
        .ok_or_else(|| io::Error::other("the environment has no home directory"))?;
    let path = folder.join(TOKEN_FILE);
    match fs::read_to_string(&path) {
        Ok(text) if text.trim().len() >= 64 => return Ok(Token::of(text.trim())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let token = Token::generate()?;
    fs::create_dir_all(&folder)?;
    // Readable by the user only (mode 0600) from its first byte.
    let mut file = tempfile::NamedTempFile::new_in(&folder)?;
    writeln!(file, "{}", token.as_str())?;
    file.persist(&path)?;
    Ok(token)
}

/// Opens an address in the person's browser. Where there is none, the address has been printed.
fn open_in_browser(address: &str) {
    let mut program = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let opened = program
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        console::remark(&format!("warning: cannot open the browser: {error}"));
    }
}

/// Ready at Ctrl-C or TERM.
#[cfg(unix)]
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, Error> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::NoRuntime)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::NoRuntime)?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, Error> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
