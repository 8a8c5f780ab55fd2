//! Code actions: fixes for diagnostics, everything lenses do for clients that have none, and rewrites of what is under
//! the cursor — in this order, for clients that show them as they come.
//!
//! A file per action; each looks at the document and a range and gives what it would change, never more than
//! it says. Edits keep the rest of the text as it is.

mod canonical;
mod chain;
mod defaults;
mod extract;
mod fixes;
mod group;
mod insert_node;
mod insert_retry;
mod outcome;
mod prompt_file;
mod quotes;
mod run;
#[cfg(test)]
mod tests;

use attractor_convert::dialects::differences;
use attractor_dot::{Edit, TextRange};
use attractor_model::{Files, NoFiles};

use crate::command::Command;
use crate::document::Document;
use crate::runs::RunView;
use crate::walk::{self, SyntaxElement};

/// Something to do at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, in the imperative.
    pub title: String,
    /// What kind of thing it does.
    pub kind: ActionKind,
    /// The changes, none overlapping another.
    pub edits: Vec<Edit>,
    /// A file it creates next to the document.
    pub creates: Option<NewFile>,
    /// What to run; then `edits` is empty.
    pub command: Option<Command>,
    /// The diagnostic it fixes: its rule and range.
    pub fixes: Option<(&'static str, TextRange)>,
    /// Whether it is the obvious one.
    pub preferred: bool,
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

/// What can be done at a range, most useful first. `runs` are the runs of the document's graphs, newest first;
/// `files` are those next to it.
pub fn actions(
    doc: &Document,
    range: TextRange,
    runs: &[RunView],
    files: &dyn Files,
) -> Vec<Action> {
    let mut actions = fixes::of(doc, range);
    actions.extend(run::answers(doc, range, runs));
    actions.extend(run::runs(doc, range, runs));
    if let Some(spot) = walk::at(&doc.parse.file, range.start()) {
        actions.extend(rewrites(doc, spot));
        actions.extend(quotes::toggle(doc, spot, range));
        actions.extend(prompt_file::toggle(doc, spot, files));
    }
    actions.extend(extract::sub_pipeline(doc, range, files));
    actions.extend(group::selected(doc, range));
    actions.extend(outcome::missing(doc, range.start()));
    actions.extend(fixes::all(doc, files));
    actions
}

fn rewrites(doc: &Document, spot: SyntaxElement<'_>) -> Vec<Action> {
    let mut actions = Vec::new();
    actions.extend(defaults::lift(doc, spot));
    actions.extend(chain::split(doc, spot));
    actions.extend(chain::join(doc, spot));
    actions.extend(insert_node::on_edge(doc, spot));
    actions.extend(insert_retry::on_edge(doc, spot));
    actions.extend(defaults::inline(doc, spot));
    actions.extend(canonical::names(doc, spot));
    actions
}

impl Action {
    fn edit(title: impl Into<String>, kind: ActionKind, edits: Vec<Edit>) -> Self {
        Self {
            title: title.into(),
            kind,
            edits,
            creates: None,
            command: None,
            fixes: None,
            preferred: false,
        }
    }

    fn command(title: impl Into<String>, command: Command) -> Self {
        let kind = ActionKind::Run;
        Self {
            title: title.into(),
            kind,
            edits: Vec::new(),
            creates: None,
            command: Some(command),
            fixes: None,
            preferred: false,
        }
    }
}

/// The blanks at the beginning of the line an offset is in.
fn indent(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let rest = text.get(line..offset).unwrap_or_default();
    rest.get(..rest.len() - rest.trim_start().len())
        .unwrap_or_default()
}

/// A name as a plain word: what is neither letter nor digit becomes `_`.
fn word(name: &str) -> String {
    let plain = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let word: String = plain.collect();
    let word = word.trim_matches('_');
    if word.is_empty() {
        "node".to_owned()
    } else {
        word.to_owned()
    }
}

/// The line end the text uses.
fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Deletes a statement with its semicolon, and with its line when nothing else is on it.
fn delete_statement(text: &str, range: TextRange) -> Edit {
    let rest = text.get(range.end()..).unwrap_or_default();
    let semicolon = usize::from(rest.trim_start_matches([' ', '\t']).starts_with(';'));
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t', ';']).len();
    let end = range.end() + if semicolon > 0 { blanks } else { 0 };
    let before = text.get(..range.start()).unwrap_or_default();
    let line = before.len() - before.trim_end_matches([' ', '\t']).len();
    let after = text.get(end..).unwrap_or_default();
    let alone = text
        .get(..range.start() - line)
        .is_some_and(|text| text.ends_with('\n'));
    let line_end = if after.starts_with("\r\n") { 2 } else { 1 };
    if alone && after.starts_with(['\n', '\r']) {
        Edit::delete(TextRange::new(range.start() - line, end + line_end))
    } else {
        Edit::delete(TextRange::new(range.start(), end))
    }
}

/// Whether the pipelines of a document mean the same after edits.
fn means_the_same(doc: &Document, edits: &[Edit]) -> bool {
    let text = attractor_dot::apply(&doc.text, edits);
    let after = Document::new(&text, doc.version, doc.options.clone(), &NoFiles);
    let mut pairs = doc.pipelines().zip(after.pipelines());
    doc.pipelines().count() == after.pipelines().count()
        && pairs.all(|((_, before), (_, after))| differences(before, after).is_empty())
}
