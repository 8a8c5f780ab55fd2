//! The program `attractor`: everything an editor can do with a pipeline, from a shell.
//!
//! One command is one file of [`commands`]: its options and what it does. Output for people and for
//! programs comes from the same data ([`render`], [`follow`]); results go to standard output, messages to
//! standard error, and the exit code is the outcome ([`exit::Exit`]). No rule about pipelines lives
//! in this crate.

#![expect(
    unreachable_pub,
    reason = "in a binary crate, pub means visible to the other modules"
)]

mod accept_options;
mod analysis;
mod arguments;
mod columns;
mod commands;
mod configuration;
mod console;
mod dry_run;
mod error;
mod exit;
mod folder_facts;
mod follow;
mod gate_answers;
mod help;
mod input;
mod installation;
mod launch;
mod launch_error;
mod next_steps;
mod notifications;
mod option_names;
mod option_values;
mod outer_stylesheet;
mod pipeline_options;
mod plan_choice;
mod project;
mod remote;
mod render;
mod run_errors;
mod shell_completion;
mod style;
mod terminal_run;
mod traces;
mod type_ahead;
mod user_token;
mod version;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use clap_complete::CompleteEnv;

use crate::arguments::Arguments;
use crate::commands::completions;
use crate::error::Error;
use crate::exit::Exit;

fn main() -> ExitCode {
    if let Some(exit) = attractor_exec::git::run_as_git() {
        return exit;
    }
    attractor_exec::secret_environment::protect();
    CompleteEnv::with_factory(Arguments::command)
        .var(completions::VARIABLE)
        .complete();
    if std::env::args_os().len() <= 1 && std::io::stdout().is_terminal() {
        return show_next_steps();
    }
    let parsed = help::grouped(Arguments::command())
        .try_get_matches()
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(help_or_error) => {
            help_or_error.print().ok();
            let exit = if help_or_error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Success
            };
            return exit.into();
        }
    };
    arguments.prepare();
    exit_code(arguments.command.run())
}

/// What `attractor` alone does at a terminal. Elsewhere a missing command is an error, as scripts rely on.
fn show_next_steps() -> ExitCode {
    let text = next_steps::next_steps(&folder_facts::folder_facts());
    exit_code(console::print(&text).map(|()| Exit::Success))
}

fn exit_code(result: Result<Exit, Error>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            if !error.is_silent() {
                console::error(&error);
            }
            error.exit().into()
        }
    }
}
