//! `attractor agent`: one session of the coding agent in this folder.

mod completion;
mod conversation;
mod format;
mod model_name;
mod person;
mod print;
mod start;
mod waiting;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use attractor::{AgentOptions, AgentSettings, Providers, StartFrom, latest_own_session};
use attractor_agent::{Ending, NoPerson, Person, SessionInput, image_file};
use attractor_config::{Configuration, Owner};
use attractor_exec::SandboxMode;
use attractor_llm::OnRateLimit;
use attractor_models::Effort;
use clap::builder::PossibleValuesParser;

use super::block_on;
use super::serve::stop_signal;
use crate::accept_options::foreign_runs;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::launch::record_key;
use crate::option_values::dollars;
use crate::type_ahead;
use completion::{last_line, report};
use conversation::Conversation;
use format::AgentFormat;
use model_name::check_model;
use person::TerminalPerson;
use print::Printer;
use start::start;

/// How often the line that says what the session does is drawn.
const TICK: Duration = Duration::from_millis(500);

/// Work with the coding agent, in this folder: on a task, or in a conversation
///
/// The agent reads and changes files, runs commands and ends with a message. What needs an approval is asked in the
/// terminal, and refused where there is none. The session is kept: `--session ID` continues it, `--fork ID` begins another
/// one with its conversation.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor agent                                       talk with it
  attractor agent --continue                            continue the latest session
  attractor agent \"Make the failing test pass\" --model sonnet
  attractor agent --image screen.png \"Why is the button cut off?\"
  attractor agent --session 20261123-101500-1f3a \"Now add a test for it\"
  attractor agent --fork 20261123-101500-1f3a \"Try it without a loop\"
  attractor agent - < task.md

Exit codes: 0 done, 1 failed, cut off or at a limit, 2 usage, 130 cancelled.")]
pub struct Agent {
    /// The task; `-` reads it from standard input [default: a conversation in the terminal]
    #[arg(value_parser = task)]
    prompt: Option<String>,
    /// An image for the model, with the task: PNG, JPEG, GIF or WebP; repeat it for several
    #[arg(long = "image", value_name = "FILE", requires = "prompt")]
    images: Vec<PathBuf>,
    /// Model id or alias [default: the provider's newest]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// The provider of the model
    #[arg(long, value_name = "PROVIDER")]
    provider: Option<String>,
    /// Maximum number of model calls for one message
    #[arg(long, value_name = "N", value_parser = turns)]
    max_turns: Option<u64>,
    /// Maximum cost of models, in USD
    #[arg(long, value_name = "USD", value_parser = dollars)]
    max_cost: Option<f64>,
    /// How much the model thinks
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(Effort::ALL.map(Effort::as_str)))]
    effort: Option<String>,
    /// What it may do: only read, or also change this folder, which is asked about
    #[arg(long, value_name = "WORD", value_parser = ["read-only", "workspace-write"])]
    permissions: Option<String>,
    /// What its commands may write [default: as configured]
    #[arg(long, value_name = "MODE", value_parser = PossibleValuesParser::new(SandboxMode::ALL.map(SandboxMode::name)))]
    sandbox: Option<String>,
    /// What to do when the provider limits the rate of requests
    #[arg(long, value_enum, value_name = "WORD")]
    on_rate_limit: Option<RateLimit>,
    /// The session to continue
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The session whose conversation is copied; it stays as it is
    #[arg(long, value_name = "ID", conflicts_with = "session")]
    fork: Option<String>,
    /// Continue the latest session of this folder
    #[arg(long = "continue", conflicts_with_all = ["session", "fork"])]
    latest: bool,
    /// Continue even if the session was begun by somebody else, or on another machine
    #[arg(long)]
    accept_foreign: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: AgentFormat,
}

/// What to do when a provider limits the rate of requests.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum RateLimit {
    /// Try again as after any failure that may pass
    Retry,
    /// Wait until the time the provider names, however long that is
    Wait,
    /// Fail at once
    Fail,
}

impl From<RateLimit> for OnRateLimit {
    fn from(word: RateLimit) -> Self {
        match word {
            RateLimit::Retry => Self::Retry,
            RateLimit::Wait => Self::Wait,
            RateLimit::Fail => Self::Fail,
        }
    }
}

impl Agent {
    /// Works until the agent is done.
    pub fn run(self) -> Result<Exit, Error> {
        let here = std::env::current_dir().unwrap_or_default();
        let prompt = self.prompt.as_deref().map(prompt).transpose()?;
        if prompt.is_none() && !(console::can_ask() && self.format == AgentFormat::Human) {
            return Err(Error::NoTask);
        }
        let configuration = configuration::read_to_run(&here)?;
        check_model(
            self.model.as_deref(),
            self.provider.as_deref(),
            &configuration,
        )?;
        report_skipped_hooks(&configuration);
        let providers = Providers::from_environment(&configuration);
        let settings = AgentSettings::from_environment(&configuration);
        let settings = match self.sandbox.as_deref().and_then(SandboxMode::parse) {
            Some(mode) => settings.with_sandbox(mode),
            None => settings,
        };
        let options = self.options(&here)?;
        let Some(prompt) = prompt else {
            return block_on(
                Conversation {
                    here: &here,
                    providers: &providers,
                    settings: &settings,
                    configuration: &configuration,
                    options,
                }
                .run(),
            );
        };
        block_on(self.work(&here, (&providers, &settings), options, prompt))
    }

    /// What the session is started with.
    fn options(&self, here: &Path) -> Result<AgentOptions, Error> {
        let from = match (&self.session, &self.fork) {
            (Some(session), _) => StartFrom::Session(session.clone()),
            (None, Some(session)) => StartFrom::ForkOf(session.clone()),
            (None, None) if self.latest => {
                let latest = latest_own_session(here, &record_key());
                StartFrom::Session(latest.ok_or(Error::NoSession)?)
            }
            (None, None) => StartFrom::Nothing,
        };
        let cost = self.max_cost.map(|cost| cost.to_string());
        let attributes = [
            ("max_cost", cost),
            ("reasoning_effort", self.effort.clone()),
            ("permissions", self.permissions.clone()),
        ];
        let given = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
        Ok(AgentOptions {
            attributes: attributes.into_iter().filter_map(given).collect(),
            model: self.model.clone(),
            provider: self.provider.clone(),
            max_turns: self.max_turns,
            on_rate_limit: self.on_rate_limit.map(OnRateLimit::from),
            from,
            record_key: Some(record_key()),
            foreign: foreign_runs(self.accept_foreign),
            ..AgentOptions::default()
        })
    }

    async fn work(
        self,
        here: &Path,
        (providers, settings): (&Providers, &AgentSettings),
        options: AgentOptions,
        prompt: String,
    ) -> Result<Exit, Error> {
        // Before a session begins.
        let images = self
            .images
            .iter()
            .map(|path| image_file(path).map_err(|reason| Error::Image { reason }));
        let images = images.collect::<Result<Vec<_>, _>>()?;
        let is_piped = self.prompt.as_deref() == Some("-");
        let person: Arc<dyn Person> = if console::can_ask() && !is_piped {
            Arc::new(TerminalPerson)
        } else {
            Arc::new(NoPerson)
        };
        let started = start(providers, settings, here, options, &person).await?;
        let (session, mut events) = (started.session, started.events);
        let stopped = stop_signal()?;
        let working = async {
            let submitting = session.submit(SessionInput {
                text: prompt,
                images,
            });
            tokio::pin!(submitting);
            let completion = tokio::select! {
                completion = &mut submitting => completion,
                () = stopped => {
                    // A session that has ended needs no cancellation.
                    let _ = session.cancel();
                    submitting.await
                }
            };
            session.shutdown().await;
            completion
        };
        let mut printer = Printer::new(self.format, &session, Arc::clone(&started.redactor));
        let printing = async {
            let mut ticks = tokio::time::interval(TICK);
            loop {
                tokio::select! {
                    event = events.recv() => match event {
                        Some(event) => printer.event(&event)?,
                        None => break,
                    },
                    _ = ticks.tick() => printer.tick(),
                }
            }
            Ok::<(), Error>(())
        };
        let (completion, output) = futures::future::join(working, printing).await;
        drop(printer);
        output?;
        if person.is_there() {
            // What was typed meanwhile is not for the shell.
            type_ahead::discard();
        }
        let mut completion = completion.map_err(|error| Error::Agent(error.to_string()))?;
        // A program reads only the result.
        completion.warnings.splice(0..0, started.warnings);
        match self.format {
            AgentFormat::Human => {
                let line = last_line(&completion, &started.redactor);
                console::remark(&format!("{line} · session {}", started.id));
            }
            AgentFormat::Json => {
                let mut report = report(&completion, &started.id);
                started.redactor.value(&mut report);
                console::json(&report)?;
            }
            AgentFormat::Events => {}
        }
        Ok(match completion.ending {
            Ending::Done => Exit::Success,
            Ending::Cancelled => Exit::Cancelled,
            _ => Exit::Failed,
        })
    }
}

/// Says that hooks of the project do not run: they are commands of a repository, and nobody was asked about them.
fn report_skipped_hooks(configuration: &Configuration) {
    let hooks = configuration.hooks_of(Owner::Project);
    let names: Vec<String> = hooks.map(|hook| format!("`{}`", hook.name)).collect();
    if !names.is_empty() {
        console::remark(&format!(
            "warning: hooks of the project's configuration run in pipelines only, not in this session: {}; hooks of your own file do run",
            names.join(", ")
        ));
    }
}

/// A task that says something.
fn task(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the task is empty; expected a description of the work".to_owned());
    }
    Ok(text.to_owned())
}

fn turns(text: &str) -> Result<u64, String> {
    match text.trim().parse() {
        Ok(turns) if turns > 0 => Ok(turns),
        _ => Err("expected at least 1".to_owned()),
    }
}

fn prompt(argument: &str) -> Result<String, Error> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .read_to_string(&mut text)
        .map_err(|cause| Error::unreadable("<stdin>", cause))?;
    Ok(text)
}
