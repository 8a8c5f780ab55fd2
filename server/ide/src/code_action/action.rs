//! What a code action is.

use attractor_dot::{Edit, TextRange};

use crate::command::Command;

/// Something to do at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, in the imperative.
    pub title: String,
    /// What kind of thing it does.
    pub kind: ActionKind,
    /// The changes, none overlapping another.
    pub edits: Vec<Edit>,
    /// What it does to another file.
    pub other_file: Option<FileChange>,
    /// What to run; then `edits` is empty.
    pub command: Option<Command>,
    /// The diagnostic it fixes: its rule and range.
    pub fixes: Option<(&'static str, TextRange)>,
    /// Whether it is the obvious one.
    pub preferred: bool,
    /// Whether it is only for a selection, or for those who ask for refactorings.
    pub on_request: bool,
}

/// A change of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// Creates one.
    Create(NewFile),
    /// Adds text at the end of one.
    Append {
        /// Its path, relative to the document.
        path: String,
        /// What it holds.
        before: String,
        /// What is added.
        text: String,
    },
}

/// A file that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// Its path, relative to the document.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// The kinds of action; editors sort and bind keys by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// Fixes a diagnostic.
    QuickFix,
    /// Writes the same thing in another way.
    Rewrite,
    /// Adds something to the graph.
    Insert,
    /// Moves something out of the graph.
    Extract,
    /// Brings something back in.
    Inline,
    /// Applies every fix that cannot change what a run does.
    FixAll,
    /// Runs, answers, cancels.
    Run,
}

impl Action {
    pub(super) fn edit(title: impl Into<String>, kind: ActionKind, edits: Vec<Edit>) -> Self {
        Self {
            title: title.into(),
            kind,
            edits,
            other_file: None,
            command: None,
            fixes: None,
            preferred: false,
            on_request: false,
        }
    }

    pub(super) fn command(title: impl Into<String>, command: Command) -> Self {
        let kind = ActionKind::Run;
        Self {
            title: title.into(),
            kind,
            edits: Vec::new(),
            other_file: None,
            command: Some(command),
            fixes: None,
            preferred: false,
            on_request: false,
        }
    }
}
