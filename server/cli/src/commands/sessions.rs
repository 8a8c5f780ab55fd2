//! `attractor sessions`: the sessions of `attractor agent` in this project.

use std::path::PathBuf;

use attractor::{SessionSummary, delete_session, session_messages, session_summaries};
use attractor_exec::Redactor;
use clap::Subcommand;
use clap_complete::{ArgValueCandidates, CompletionCandidate};
use serde_json::json;

use super::ListFormat;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::launch::record_key;
use crate::render::{messages, table, time};

/// List, show and delete sessions of the agent
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  attractor sessions                              the sessions of this project, newest first
  attractor sessions show 20261123-101500-1f3a    the conversation
  attractor agent --session 20261123-101500-1f3a  continue it"
)]
pub struct Sessions {
    #[command(subcommand)]
    command: Option<SessionsCommand>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

#[derive(Debug, Subcommand)]
enum SessionsCommand {
    /// List the sessions of this project, newest first
    List {
        /// Output format
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ListFormat,
    },
    /// Show the conversation of a session
    Show {
        /// A session: id or unique prefix [default: the newest]
        #[arg(add = ArgValueCandidates::new(candidates))]
        session: Option<String>,
        /// Output format
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ListFormat,
    },
    /// Delete sessions
    Delete {
        /// Sessions: ids or unique prefixes
        #[arg(required = true, add = ArgValueCandidates::new(candidates))]
        sessions: Vec<String>,
    },
}

impl Sessions {
    /// Does it.
    pub fn run(self) -> Result<Exit, Error> {
        match self.command {
            None => list(self.format),
            Some(SessionsCommand::List { format }) => list(format),
            Some(SessionsCommand::Show { session, format }) => show(session.as_deref(), format),
            Some(SessionsCommand::Delete { sessions }) => delete(&sessions),
        }
    }
}

fn list(format: ListFormat) -> Result<Exit, Error> {
    let all = known();
    if matches!(format, ListFormat::Json) {
        let sessions: Vec<_> = all.iter().map(as_json).collect();
        console::json(&json!({ "sessions": sessions }))?;
        return Ok(Exit::Success);
    }
    if all.is_empty() {
        console::line("no sessions in this project; begin one with `attractor agent`")?;
        return Ok(Exit::Success);
    }
    let rows = all.iter().map(|session| {
        let mark = if session.is_own { "" } else { " (not yours)" };
        vec![
            session.id.clone(),
            session
                .changed
                .as_deref()
                .map(time::ago)
                .unwrap_or_default(),
            session.inputs.to_string(),
            session.model.clone().unwrap_or_default(),
            format!("{}{mark}", session.title),
        ]
    });
    let headings = ["session", "last used", "inputs", "model", "begins with"];
    console::print(&table::draw(&headings, rows))?;
    Ok(Exit::Success)
}

fn show(given: Option<&str>, format: ListFormat) -> Result<Exit, Error> {
    let id = find(given)?;
    let messages = session_messages(&here(), &id)
        .map_err(|cause| Error::unreadable(format!("session {id}"), cause))?;
    if matches!(format, ListFormat::Json) {
        console::json(&json!({ "session": id, "messages": messages }))?;
        return Ok(Exit::Success);
    }
    let redactor = Redactor::default();
    for line in messages::lines(&messages, console::width(), console::styles(), &redactor) {
        console::line(&line)?;
    }
    Ok(Exit::Success)
}

fn delete(given: &[String]) -> Result<Exit, Error> {
    let ids: Vec<String> = given
        .iter()
        .map(|one| find(Some(one)))
        .collect::<Result<_, _>>()?;
    for id in ids {
        delete_session(&here(), &id)
            .map_err(|cause| Error::unwritable(format!("session {id}"), cause))?;
        console::line(&format!("deleted {id}"))?;
    }
    Ok(Exit::Success)
}

fn as_json(session: &SessionSummary) -> serde_json::Value {
    json!({
        "session": session.id,
        "model": session.model,
        "title": session.title,
        "inputs": session.inputs,
        "changed": session.changed,
        "own": session.is_own,
    })
}

/// The session that an id or a prefix names; without one, the newest.
fn find(given: Option<&str>) -> Result<String, Error> {
    let ids: Vec<String> = known().into_iter().map(|one| one.id).collect();
    let Some(given) = given else {
        return ids.into_iter().next().ok_or(Error::NoSession);
    };
    let named: Vec<&String> = ids.iter().filter(|id| id.starts_with(given)).collect();
    match named.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(Error::UnknownSession(format!(
            "unknown session `{given}`; list sessions with `attractor sessions`"
        ))),
        several => {
            let several: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
            Err(Error::UnknownSession(format!(
                "session `{given}` is ambiguous; candidates: {}",
                several.join(", ")
            )))
        }
    }
}

fn known() -> Vec<SessionSummary> {
    session_summaries(&here(), &record_key())
}

fn candidates() -> Vec<CompletionCandidate> {
    let candidate =
        |one: SessionSummary| CompletionCandidate::new(one.id).help(Some(one.title.into()));
    known().into_iter().map(candidate).collect()
}

fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}
