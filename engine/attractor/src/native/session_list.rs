//! What there is to know about the sessions of a project: their models, conversations and owners.

use std::fs;
use std::path::Path;

use attractor_agent::{RecordedSession, is_session_note};
use attractor_llm::{Message, Role};
use attractor_run::RecordKey;

use super::agent::setup::JOURNAL;
use super::session_folders::SessionFolders;

/// A session on the disk.
#[derive(Debug, Clone)]
pub struct SessionSummary {
    /// Its id.
    pub id: String,
    /// The model it was begun with.
    pub model: Option<String>,
    /// The first line of its first input.
    pub title: String,
    /// How many inputs it has had.
    pub inputs: usize,
    /// When it was last written, by RFC 3339.
    pub changed: Option<String>,
    /// Whether it was begun by the user of the key.
    pub is_own: bool,
}

/// The sessions of a folder's project, the latest first. One that cannot be read has no title.
pub fn session_summaries(folder: &Path, key: &RecordKey) -> Vec<SessionSummary> {
    let folders = SessionFolders::of(folder, Some(key.clone()));
    let summary = |id: String| {
        let journal = folders.folder(&id).join(JOURNAL);
        let recorded = RecordedSession::load(&journal).unwrap_or_default();
        let inputs = || recorded.messages.iter().filter(|one| is_input(one));
        let first = inputs().next().map(Message::text).unwrap_or_default();
        SessionSummary {
            model: recorded.start.as_ref().map(|start| start.model.clone()),
            title: first.lines().next().unwrap_or_default().to_owned(),
            inputs: inputs().count(),
            changed: changed(&journal),
            is_own: folders.is_own(&id),
            id,
        }
    };
    folders.ids().into_iter().map(summary).collect()
}

fn changed(path: &Path) -> Option<String> {
    let time = fs::metadata(path).and_then(|about| about.modified()).ok()?;
    Some(jiff::Timestamp::try_from(time).ok()?.to_string())
}

/// The conversation of a session.
///
/// # Errors
/// It cannot be read.
pub fn session_messages(folder: &Path, id: &str) -> std::io::Result<Vec<Message>> {
    let folders = SessionFolders::of(folder, None);
    Ok(RecordedSession::load(&folders.folder(id).join(JOURNAL))?.messages)
}

/// Deletes a session with everything that it has left.
///
/// # Errors
/// It cannot be deleted, or a process works on it.
pub fn delete_session(folder: &Path, id: &str) -> std::io::Result<()> {
    let folders = SessionFolders::of(folder, None);
    let _lock = folders.lock(id).map_err(std::io::Error::other)?;
    fs::remove_dir_all(folders.folder(id))
}

/// Whether a person has said it: results of tools come from the same side.
fn is_input(message: &Message) -> bool {
    message.role == Role::User && !message.text().trim().is_empty() && !is_session_note(message)
}
