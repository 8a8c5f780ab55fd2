//! `attractor runs`: the runs of this project, including those of other processes.

pub mod changes;
mod prune;
mod query;
mod show;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use attractor_client::Server;
use attractor_model::catalogue::nearest;
use attractor_run::{
    EventKind, RunSnapshot, RunState, RunSummary, UnreadableRun, children, context_value, figures,
    load_events, owner_of, survey_runs,
};
use clap::Subcommand;
use clap_complete::ArgValueCandidates;
use serde_json::{Value, json};

use super::{ListFormat, block_on};
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::project::{self, RunFilter, find, is_run};
use crate::remote::{self, ServerOption};
use crate::render::{counted, run_state, table, time};
use query::RunQuery;

/// How often the journal of an active run is read.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// List, show, compare and delete runs
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  attractor runs                       the runs of this project, newest first
  attractor runs --state fail --since 7d   failed runs of a week
  attractor runs show                  the newest run: nodes, cost, result, what to do next
  attractor runs events --follow       its events as JSON Lines, until it ends
  attractor runs diff fix              what the node `fix` changed in the files
  attractor runs prune --keep 5        delete all but five, after a question"
)]
pub struct Runs {
    #[command(subcommand)]
    command: Option<RunsCommand>,
    #[command(flatten)]
    query: RunQuery,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
    #[command(flatten)]
    server: ServerOption,
}

#[derive(Debug, Subcommand)]
enum RunsCommand {
    /// List the runs of this project, newest first
    List {
        #[command(flatten)]
        query: RunQuery,
        /// Output format
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ListFormat,
    },
    /// Show a run: its path, nodes, cost, open questions and failure, and what to do next
    Show {
        /// A run: id, unique prefix or folder [default: the newest]
        #[arg(add = ArgValueCandidates::new(|| RunFilter::Any.complete()))]
        run: Option<String>,
        /// Print only the value of this context key, whole; also the id of an artifact
        #[arg(long, value_name = "KEY", conflicts_with = "format")]
        artifact: Option<String>,
        /// Output format
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ListFormat,
    },
    /// Print the events of a run as JSON Lines
    Events {
        /// A run: id, unique prefix or folder [default: the newest]
        #[arg(add = ArgValueCandidates::new(|| RunFilter::Any.complete()))]
        run: Option<String>,
        /// Keep printing until the run ends
        #[arg(long)]
        follow: bool,
    },
    Diff(changes::Diff),
    Revert(changes::Revert),
    Prune(prune::Prune),
}

impl Runs {
    /// Runs the subcommand, or `list`.
    pub fn run(self) -> Result<Exit, Error> {
        let folder = project::runs_here();
        let command = self.command.unwrap_or(RunsCommand::List {
            query: self.query,
            format: self.format,
        });
        if let Some(server) = self.server.open()? {
            return block_on(of_server(command, server));
        }
        match command {
            RunsCommand::List { query, format } => {
                let (runs, unreadable) = survey_runs(&folder);
                list(with_children(runs), &unreadable, &query, format)?;
            }
            RunsCommand::Show {
                run,
                artifact: Some(key),
                ..
            } => show_value(&find(run.as_deref(), RunFilter::Any)?, &key)?,
            RunsCommand::Show { run, format, .. } => {
                let (directory, child) = find_with_child(run.as_deref())?;
                let mut snapshot = RunSnapshot::of(&load_events(&directory)?);
                snapshot.state = state_of(&snapshot, &directory);
                show::show(snapshot, child, Some(&directory), format)?;
            }
            RunsCommand::Events { run, follow } => {
                events(&find(run.as_deref(), RunFilter::Any)?, follow)?;
            }
            RunsCommand::Diff(diff) => diff.run()?,
            RunsCommand::Revert(revert) => revert.run()?,
            RunsCommand::Prune(prune) => prune.run()?,
        }
        Ok(Exit::Success)
    }
}

/// The same for the runs of a server, as far as it concerns no files of this machine.
async fn of_server(command: RunsCommand, server: Server) -> Result<Exit, Error> {
    match command {
        RunsCommand::List { query, format } => {
            list(remote::runs(&server).await?, &[], &query, format)?;
        }
        RunsCommand::Show {
            run,
            artifact: None,
            format,
        } => {
            let parts = run
                .as_deref()
                .map(|run| run.split_once('/').unwrap_or((run, "")));
            let (run, child) = parts.unzip();
            let run = remote::find(&server, run, RunFilter::Any).await?;
            let mut snapshot = RunSnapshot::of(&server.events(&run.run, 0).await?);
            snapshot.state = run.state;
            let child = child.filter(|child| !child.is_empty());
            show::show(snapshot, child, None, format)?;
        }
        RunsCommand::Events { run, follow } => {
            let run = remote::find(&server, run.as_deref(), RunFilter::Any)
                .await?
                .run;
            if follow {
                remote::follow(&server, &run, console::json_line).await?;
            } else {
                for event in server.events(&run, 0).await? {
                    console::json_line(&event)?;
                }
            }
        }
        RunsCommand::Show { .. }
        | RunsCommand::Diff(_)
        | RunsCommand::Revert(_)
        | RunsCommand::Prune(_) => {
            return Err(Error::Remote {
                reason: "this command works on the files of this project; leave out `--server`"
                    .to_owned(),
            });
        }
    }
    Ok(Exit::Success)
}

fn list(
    mut runs: Vec<RunSummary>,
    unreadable: &[UnreadableRun],
    query: &RunQuery,
    format: ListFormat,
) -> Result<(), Error> {
    let count = runs.len();
    runs.retain(|run| query.matches(run));
    let unreadable = if query.is_given() { &[] } else { unreadable };
    if format == ListFormat::Json {
        return console::json(&json!({"runs": runs, "unreadable": unreadable}));
    }
    if runs.is_empty() && unreadable.is_empty() {
        return console::line(&match count {
            0 => "no runs in this project".to_owned(),
            count => format!("none of {} matches", counted(count, "run")),
        });
    }
    if !runs.is_empty() {
        print_table(&runs)?;
    }
    for run in unreadable {
        console::line(&format!(
            "{} is unreadable: {}",
            run.run,
            console::plain(&run.reason)
        ))?;
    }
    if !unreadable.is_empty() {
        console::remark("delete unreadable runs by `attractor runs prune --unreadable`");
    }
    Ok(())
}

fn print_table(runs: &[RunSummary]) -> Result<(), Error> {
    // Without a model there is nothing to pay.
    let has_cost = runs.iter().any(|run| run.usage.cost > 0.0);
    let rows = runs.iter().map(|run| {
        let mut row = vec![
            run.run.clone(),
            run_state::with_mark(run.state, run.reality),
            time::ago(&run.started_at),
            format!("{}/{}", run.done, run.nodes),
        ];
        if has_cost {
            row.push(figures::dollars(run.usage.cost));
        }
        row.push(run.pipeline.clone());
        row.push(run.node.clone().unwrap_or_default());
        row
    });
    let mut headings = vec!["RUN", "STATE", "STARTED", "NODES"];
    if has_cost {
        headings.push("COST");
    }
    headings.extend(["PIPELINE", "AT"]);
    console::print(&table::draw(&headings, rows))
}

/// The runs, each followed by those of its sub-pipelines.
fn with_children(runs: Vec<RunSummary>) -> Vec<RunSummary> {
    let each = runs.into_iter().flat_map(|run| {
        // A run that could be listed and not be read has just been deleted.
        let children = children(&run.directory).unwrap_or_default();
        std::iter::once(run).chain(children)
    });
    each.collect()
}

/// The directory of a run, and for `RUN/CHILD` the name of the run of a sub-pipeline in it.
fn find_with_child(run: Option<&str>) -> Result<(PathBuf, Option<&str>), Error> {
    let parts = run.and_then(|run| run.split_once('/'));
    if let Some((parent, child)) = parts
        && is_run(parent)?
    {
        return Ok((find(Some(parent), RunFilter::Any)?, Some(child)));
    }
    Ok((find(run, RunFilter::Any)?, None))
}

/// Prints a value of the context: a text as it is, any other value as JSON.
fn show_value(directory: &Path, key: &str) -> Result<(), Error> {
    match context_value(directory, key)? {
        Ok(Value::String(text)) if std::io::stdout().is_terminal() => {
            console::line(&console::plain(&text))
        }
        Ok(Value::String(text)) => console::print(&text),
        Ok(value) => console::json(&value),
        Err(keys) => Err(Error::UnknownKey {
            run: project::shown(directory),
            key: key.to_owned(),
            near: nearest(key, keys.iter().map(String::as_str)).map(str::to_owned),
        }),
    }
}

/// A run that has not ended and has no process is interrupted.
fn state_of(snapshot: &RunSnapshot, directory: &Path) -> RunState {
    if snapshot.state.is_end() || owner_of(directory).is_some() {
        snapshot.state
    } else {
        RunState::Interrupted
    }
}

fn events(directory: &Path, follow: bool) -> Result<(), Error> {
    let mut last = 0;
    loop {
        // Before the journal is read: a process that has ended by now has written everything.
        let alive = owner_of(directory).is_some();
        let events = load_events(directory)?;
        for event in events.iter().filter(|event| event.seq > last) {
            console::json_line(event)?;
        }
        last = events.last().map_or(last, |event| event.seq);
        let over = events
            .last()
            .is_some_and(|event| EventKind::is_end(&event.kind));
        if !follow || over || !alive {
            return Ok(());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}
