//! Orders from other processes: files in a run's `inbox/`, taken up by the process that owns the run.
//!
//! `attractor answer` and `attractor cancel` in another terminal put a file there and wait for its reply.
//! A file appears whole (it is renamed into place) and is removed when it has been taken up.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::error::RunError;
use crate::question::{Answer, Answered};
use crate::store::{Layout, Lock};

/// What another process asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum InboxRequest {
    /// Answers a question.
    Answer {
        /// The question's id.
        question: String,
        /// The answer.
        answer: Answer,
    },
    /// Sends a message to a node, for its next prompt.
    Steer {
        /// The node, `GRAPH/NODE` in a sub-pipeline.
        node: String,
        /// What it says.
        message: String,
        /// Who sends it.
        by: String,
    },
    /// Stops the run.
    Cancel {
        /// Who does.
        by: String,
    },
}

/// Sends an order to the process that owns the run in `directory` and waits for its reply, at most
/// `patience`.
///
/// # Errors
/// No process owns the run, it does not reply in time, or the folder cannot be written.
pub fn post(
    directory: &Path,
    order: &InboxRequest,
    patience: Duration,
) -> Result<Answered, RunError> {
    let layout = Layout::new(directory.to_owned());
    let inbox = layout.inbox();
    let fail = || RunError::io("cannot reach the owner of the run by", &inbox);
    if Lock::owner(directory).is_none() {
        return Err(fail()(io::Error::other(
            "no process owns it; resume it first",
        )));
    }
    fs::create_dir_all(&inbox).map_err(fail())?;
    let id = Ulid::generate().to_string();
    let (draft, sent) = (
        inbox.join(format!("{id}.draft")),
        inbox.join(format!("{id}.json")),
    );
    let reply = inbox.join(format!("{id}.reply"));
    let text = serde_json::to_vec(order)
        .map_err(io::Error::other)
        .map_err(fail())?;
    fs::write(&draft, text).map_err(fail())?;
    fs::rename(&draft, &sent).map_err(fail())?;
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if let Ok(text) = fs::read(&reply) {
            // Read once; no other reader needs it.
            let _ = fs::remove_file(&reply);
            return serde_json::from_slice(&text)
                .map_err(io::Error::other)
                .map_err(fail());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    // Too late: the order must not be taken up after we said it was not.
    let _ = fs::remove_file(&sent);
    Err(fail()(io::Error::from(io::ErrorKind::TimedOut)))
}

/// The orders that wait, oldest first. A file that is not an order is removed.
pub(super) fn collect(inbox: &Path) -> Vec<(PathBuf, InboxRequest)> {
    let Ok(entries) = fs::read_dir(inbox) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| {
            let order = fs::read(&path)
                .ok()
                .and_then(|text| serde_json::from_slice(&text).ok());
            // Taken up or useless: either way it is gone. A removal that fails leaves it for its sender.
            let removed = fs::remove_file(&path).is_ok();
            Some((path, order?)).filter(|_| removed)
        })
        .collect()
}

/// Answers the sender of an order.
pub(super) fn reply(order: &Path, answered: &Answered) {
    let path = order.with_extension("reply");
    let draft = order.with_extension("reply-draft");
    if let Ok(text) = serde_json::to_vec(answered)
        && fs::write(&draft, text).is_ok()
    {
        // A sender that cannot be answered gives up by itself.
        let _ = fs::rename(&draft, &path);
    }
}
