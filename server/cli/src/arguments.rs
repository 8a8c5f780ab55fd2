//! The command line: the global options and the list of commands.

use clap::{CommandFactory, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::commands::{
    acp, agent, answer, cancel, ci, complete, completions, config, convert, dap, diff, doctor,
    explain, fmt, fork, graph, handlers, help, lints, lsp, man, mcp, models, new, pause, replay,
    resume, run, runs, serve, sessions, stats, steer, test, validate, watch,
};
use crate::console::Color;
use crate::error::Error;
use crate::exit::Exit;
use crate::version::{LONG_VERSION, VERSION};

/// Run AI pipelines written as Graphviz DOT files
#[derive(Debug, Parser)]
#[command(name = "attractor", version, long_version = LONG_VERSION, propagate_version = true, max_term_width = 100, after_help = AFTER_HELP, disable_help_subcommand = true)]
pub struct Arguments {
    /// When to use colour: auto, always or never [default: auto]
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: Color,
    /// The command to run
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "Examples:
  attractor new bugfix_workflow -o fix.dot   create a pipeline from a template
  attractor validate .                       check the pipelines in this folder
  attractor run fix.dot --dry-run            show what each step would do
  attractor test .                           run the scenarios of this folder
  attractor run fix.dot                      run it
  attractor resume                           resume the newest unfinished run

Exit codes: 0 success, 1 the pipeline or its validation failed, 2 usage, 3 ended escalated, \
4 a question could not be asked, 5 models would have been simulated unasked in continuous integration, 130 cancelled.";

/// The commands; one file of [`crate::commands`] each.
#[derive(Debug, Subcommand)]
pub enum Command {
    Run(Box<run::Run>),
    Validate(validate::Validate),
    Test(test::Test),
    Resume(Box<resume::Resume>),
    Fork(Box<fork::Fork>),
    Runs(runs::Runs),
    Replay(replay::Replay),
    Answer(answer::Answer),
    Watch(watch::Watch),
    Pause(pause::Pause),
    Cancel(cancel::Cancel),
    Steer(steer::Steer),
    Stats(stats::Stats),
    Agent(agent::Agent),
    Sessions(sessions::Sessions),
    Dap(dap::Dap),
    Acp(acp::Acp),
    Serve(serve::Serve),
    Mcp(mcp::Mcp),
    Graph(graph::Graph),
    Fmt(fmt::Fmt),
    Diff(diff::Diff),
    New(new::New),
    Ci(ci::Ci),
    Convert(convert::Convert),
    Explain(explain::Explain),
    Handlers(handlers::Handlers),
    Models(models::Models),
    Complete(complete::Complete),
    Doctor(doctor::Doctor),
    Lints(lints::Lints),
    Lsp(lsp::Lsp),
    Config(config::Config),
    Completions(completions::Completions),
    Man(man::Man),
    Help(help::Help),
}

impl Command {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Error> {
        match self {
            Self::Run(command) => command.run(),
            Self::Validate(command) => command.run(),
            Self::Test(command) => command.run(),
            Self::Resume(command) => command.run(),
            Self::Fork(command) => command.run(),
            Self::Runs(command) => command.run(),
            Self::Replay(command) => command.run(),
            Self::Answer(command) => command.run(),
            Self::Watch(command) => command.run(),
            Self::Pause(command) => command.run(),
            Self::Cancel(command) => command.run(),
            Self::Steer(command) => command.run(),
            Self::Stats(command) => command.run(),
            Self::Agent(command) => command.run(),
            Self::Sessions(command) => command.run(),
            Self::Dap(command) => command.run(),
            Self::Acp(command) => command.run(),
            Self::Serve(command) => command.run(),
            Self::Mcp(command) => command.run(),
            Self::Graph(command) => command.run(),
            Self::Fmt(command) => command.run(),
            Self::Diff(command) => command.run(),
            Self::New(command) => command.run(),
            Self::Ci(command) => command.run(),
            Self::Convert(command) => command.run(),
            Self::Explain(command) => command.run(),
            Self::Handlers(command) => command.run(),
            Self::Models(command) => command.run(),
            Self::Complete(command) => command.run(),
            Self::Doctor(command) => command.run(),
            Self::Lints(command) => command.run(),
            Self::Lsp(command) => command.run(),
            Self::Config(command) => command.run(),
            Self::Completions(command) => command.run(),
            // A manual page is the same on every platform.
            Self::Man(command) => command.run(Arguments::command().long_version(VERSION)),
            Self::Help(command) => command.run(crate::help::grouped(Arguments::command())),
        }
    }
}

impl Arguments {
    /// Sets up colours and the log on standard error, for the whole process.
    ///
    /// `ATTRACTOR_LOG` chooses what is logged, in the form of `tracing`: `debug`, `attractor_run=trace`.
    pub fn prepare(&self) {
        self.color.apply();
        let filter =
            EnvFilter::try_from_env("ATTRACTOR_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
        tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .with_ansi(anstream::stderr().current_choice() != anstream::ColorChoice::Never)
            .try_init()
            .ok();
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;

    #[test]
    fn command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
