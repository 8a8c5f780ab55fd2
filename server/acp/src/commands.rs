//! Slash commands of a session: what they do is done here, without the model.

use std::path::PathBuf;

use agent_client_protocol::v1::schema::{AvailableCommand, AvailableCommandsUpdate, SessionUpdate};
use attractor_agent::{Session, UndoScope};

/// The commands, with what they do.
const COMMANDS: &[(&str, &str)] = &[
    (
        "diff",
        "Show what the tools of this session changed in files",
    ),
    (
        "undo",
        "Undo the latest change of a file by a tool; `undo turn`: all of the latest turn; `undo file PATH`: that of a file",
    ),
];

/// The commands, for the client.
pub(crate) fn available() -> SessionUpdate {
    let commands = COMMANDS.iter();
    let commands = commands.map(|(name, does)| AvailableCommand::new(*name, *does));
    SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands.collect()))
}

/// What a command gives out; none for another prompt.
pub(crate) fn run(session: &Session, prompt: &str) -> Option<String> {
    let words: Vec<&str> = prompt.split_whitespace().collect();
    let scope = match words.as_slice() {
        ["/diff"] => {
            let diff = session.changes().pending_diff();
            return Some(match diff.as_str() {
                "" => "The tools of this session have changed no file.".to_owned(),
                diff => format!("```diff\n{diff}```"),
            });
        }
        ["/undo"] => UndoScope::Last,
        ["/undo", "turn"] => UndoScope::Turn,
        ["/undo", "file", path] => UndoScope::File(PathBuf::from(path)),
        ["/undo", ..] => {
            return Some("Expected `/undo`, `/undo turn` or `/undo file PATH`.".to_owned());
        }
        _ => return None,
    };
    Some(match session.undo(&scope) {
        Ok(undone) => {
            let lines: Vec<String> = undone.iter().map(ToString::to_string).collect();
            lines.join("\n")
        }
        Err(error) => format!("Not undone: {error}."),
    })
}
