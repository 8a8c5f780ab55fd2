//! Code actions: fixes for diagnostics, everything lenses do for clients that have none, and rewrites of what is under
//! the cursor — in this order, for clients that show them as they come.
//!
//! A file per action; each looks at the document and a range and gives what it would change, never more than
//! it says. Edits keep the rest of the text as it is.

mod action;
mod canonical;
mod chain;
mod defaults;
mod extract;
mod fixes;
mod group;
mod insert_node;
mod insert_retry;
mod outcome;
mod parallel;
mod prompt_file;
mod quotes;
mod run;
#[cfg(test)]
mod tests;
mod text_edits;

use attractor_dot::TextRange;
use attractor_model::Files;

pub use self::action::{Action, ActionKind, NewFile};
use self::text_edits::{delete_statement, indent, line_end, means_the_same, word};
use crate::document::Document;
use crate::runs::RunView;
use crate::walk::{self, SyntaxElement};

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
    actions.extend(run::changes(doc, range, runs));
    actions.extend(run::runs(doc, range, runs));
    if let Some(spot) = walk::at(&doc.parse.file, range.start()) {
        actions.extend(rewrites(doc, spot));
        actions.extend(parallel::run_in_parallel(doc, spot, files));
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
