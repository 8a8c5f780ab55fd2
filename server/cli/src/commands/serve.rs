//! `attractor serve`: the HTTP server.

mod addresses;

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use attractor::{
    AcpBackend, AgentSettings, Approvals, CliBackend, Engine, EngineBuilder, FilteredEnvironment,
    NativeBackend, Notifier, OnMissingInterviewer, Providers,
};
use attractor_config::{Configuration, NotifiedRuns, Owner, ServeSettings};
use attractor_http::{AllowedHandlers, ServeLimits, ServeOptions, Server, Submissions, Token};
use attractor_model::{Options, ToolHook};
use tokio::net::{TcpListener, lookup_host};

use super::block_on;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::launch::record_key;
use crate::project;
use crate::traces::RunTraces;
use crate::user_token::user_token;

/// Variables of the environment that the commands of submitted pipelines always see.
const BASE_VARIABLES: [&str; 6] = ["PATH", "HOME", "LANG", "TMPDIR", "SystemRoot", "TEMP"];

/// Serve runs over HTTP: submit pipelines, follow events, answer questions
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  attractor serve --port 8080
  curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:8080/pipelines")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct Serve {
    /// The address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// The port; 0 picks a free one [default: 0]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Allow an address that other machines reach. Submitted pipelines may then run neither commands nor agents,
    /// unless `--allow-commands` is given
    #[arg(long)]
    allow_remote: bool,
    /// Let submitted pipelines run commands and agents also with `--allow-remote`
    #[arg(long, requires = "allow_remote")]
    allow_commands: bool,
    /// Additional accepted `Host`, such as the name of a proxy; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Resume runs whose process exited early
    #[arg(long)]
    resume_all: bool,
    /// Open the web page in the browser
    #[arg(long)]
    open: bool,
}

impl Serve {
    /// Serves until Ctrl-C or TERM; then its runs stop at their next checkpoint.
    pub fn run(self) -> Result<Exit, Error> {
        self.run_with(false)
    }

    /// The same; `mcp` is whether programs are meant to be its clients.
    pub fn run_with(self, mcp: bool) -> Result<Exit, Error> {
        let token = user_token().map_err(|error| Error::NotServed {
            reason: error.to_string(),
        })?;
        block_on(self.serve(token, mcp))
    }

    async fn serve(self, token: Token, mcp: bool) -> Result<Exit, Error> {
        let here = std::path::absolute(".").unwrap_or_default();
        let configuration = configuration::read_to_run(&here)?;
        let settings = configuration.serve();
        let address = self.address(&settings).await?;
        let refused = |cause: io::Error| Error::NotServed {
            reason: format!("cannot listen on {address}: {cause}"),
        };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let traces = RunTraces::from_environment()?;
        let mut options = self.options(&here, &configuration, token.clone(), &traces)?;
        let hosts = addresses::hosts(address);
        options.hosts.extend(hosts.iter().cloned());
        let server = Server::new(options, address);
        let ticket = server.ticket().map_err(refused)?;
        let mut reached = hosts
            .iter()
            .map(|host| addresses::address(host, address.port()));
        let nearest = reached
            .next()
            .unwrap_or_else(|| format!("http://{address}"));
        let page = format!("{nearest}/#ticket={ticket}");
        console::line(&nearest)?;
        for other in reached {
            console::line(&format!("also: {other}"))?;
        }
        if addresses::is_remote(address) {
            console::remark(
                "warning: without TLS, everyone on the network can read the token and what is sent; put a proxy with TLS in front (docs/http.md)",
            );
        }
        console::line(&format!("token: {}", token.as_str()))?;
        if mcp {
            console::line(&format!("mcp: {nearest}/mcp"))?;
        } else {
            console::line(&format!("page: {page}"))?;
        }
        if self.open {
            open_in_browser(&page);
        }
        let stop = stop_signal()?;
        if self.resume_all {
            for (run, reason) in server.resume_interrupted().await {
                let reason = console::plain(&reason).into_owned();
                console::remark(&format!("warning: cannot continue run {run}: {reason}"));
            }
        }
        server.serve(listener, stop).await;
        traces.finish().await;
        Ok(Exit::Success)
    }

    /// What is served in the folder `project`, as options and configuration say.
    pub fn options(
        &self,
        project: &Path,
        configuration: &Configuration,
        token: Token,
        traces: &RunTraces,
    ) -> Result<ServeOptions, Error> {
        let settings = configuration.serve();
        let runs_dir = project::runs_here();
        let handlers = match &settings.allow {
            Some(names) => AllowedHandlers::Only(names.clone()),
            None if self.allow_remote && !self.allow_commands => AllowedHandlers::WithoutPrograms,
            None => AllowedHandlers::All,
        };
        let notifier = Notifier::of(configuration, NotifiedRuns::Serve);
        let notifier = notifier.map_err(|error| Error::NotServed {
            reason: error.to_string(),
        })?;
        let providers = Providers::from_environment(configuration);
        let agents = AgentSettings::from_environment(configuration);
        let acp = AcpBackend::new(agents.clone());
        let mut engine = Engine::builder()
            .backend(NativeBackend::new(providers, agents))
            .on_missing_interviewer(OnMissingInterviewer::Wait)
            .runs_dir(&runs_dir)
            .record_key(record_key());
        if let Some(observer) = traces.observer() {
            engine = engine.observer(observer);
        }
        let hooked = |engine: EngineBuilder, hooks: Vec<ToolHook>| {
            engine.options(Options {
                tool_hooks: hooks,
                ..Options::default()
            })
        };
        let built = |engine: EngineBuilder| {
            engine.build().map_err(|error| Error::NotServed {
                reason: error.to_string(),
            })
        };
        let with_agents = engine.clone().backend(CliBackend).backend(acp);
        let submitted = if handlers.has_agents() {
            with_agents.clone()
        } else {
            engine
        };
        let submissions = Submissions {
            engine: built(hooked(
                submitted.execution(submission_environment(&settings)),
                // Submitted pipelines are not the project's.
                configuration.hooks_of(Owner::User).cloned().collect(),
            ))?,
            folder: runs_dir.with_file_name("submissions"),
            handlers,
        };
        Ok(ServeOptions {
            engine: built(with_agents.options(configuration.options(project)))?,
            project: project.to_owned(),
            approvals: Approvals::new(attractor_config::state_folder().as_deref()),
            submissions,
            runs_dir,
            hosts: [self.allow_host.clone(), settings.allow_hosts.clone()].concat(),
            token,
            limits: limits(&settings),
            notifier,
        })
    }

    /// The address; one that other machines reach has to be allowed.
    async fn address(&self, settings: &ServeSettings) -> Result<SocketAddr, Error> {
        let host = self.host.as_ref().or(settings.host.as_ref());
        let host = host.map_or("127.0.0.1", String::as_str);
        let port = self.port.or(settings.port).unwrap_or(0);
        let found = lookup_host((host, port)).await;
        let mut found = found.map_err(|cause| Error::NotServed {
            reason: format!("unknown host `{host}`: {cause}"),
        })?;
        let address = found.next().ok_or_else(|| Error::NotServed {
            reason: format!("the host `{host}` has no address"),
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

/// What the commands of submitted pipelines see of the server's environment: what programs need to start, and what the
/// configuration lists.
fn submission_environment(settings: &ServeSettings) -> FilteredEnvironment {
    let always = BASE_VARIABLES.map(str::to_owned);
    FilteredEnvironment {
        variables: always
            .into_iter()
            .chain(settings.environment.clone())
            .collect(),
    }
}

fn limits(settings: &ServeSettings) -> ServeLimits {
    let default = ServeLimits::default();
    let number = |set: Option<u32>, default: usize| {
        set.and_then(|set| usize::try_from(set).ok())
            .unwrap_or(default)
    };
    ServeLimits {
        connections: number(settings.max_connections, default.connections),
        streams: number(settings.max_streams, default.streams),
        runs: number(settings.max_runs, default.runs),
        requests_per_second: settings
            .requests_per_second
            .unwrap_or(default.requests_per_second),
    }
}

/// Opens an address in the person's browser. Where there is none, the address has been printed.
fn open_in_browser(address: &str) {
    let opened = Command::new(attractor_exec::OPEN_PROGRAM)
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
pub fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, Error> {
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
