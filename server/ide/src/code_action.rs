//! Code actions: fixes for diagnostics, everything lenses do for clients that have none, and rewrites of what is under
//! the cursor — in this order, for clients that show them as they come.
//!
//! A file per action; each looks at the document and a range and gives what it would change, never more than
//! it says. Edits keep the rest of the text as it is.

mod action;
mod canonical;
mod chain;
mod change_kind;
mod declare_handler;
mod defaults;
mod delete_node;
mod error_path;
mod extract;
mod fixes;
mod group;
mod inline_pipeline;
mod insert_node;
mod insert_retry;
#[cfg(test)]
mod laws;
mod node_statements;
mod outcome;
mod parallel;
mod prompt_file;
mod quotes;
mod reverse_edge;
mod run;
mod sort_nodes;
#[cfg(test)]
mod tests;
mod text_edits;

use attractor_dot::TextRange;
use attractor_model::Files;

pub use self::action::{Action, ActionKind, FileChange, NewFile};
use self::text_edits::{
    adds_errors, delete_statement, free_name, indent, line_end, means_the_same, replace_statement,
    word,
};
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
    find(doc, range, runs, files, true)
}

/// As [`actions`], for an editor that asks at every movement of the cursor: without those that are offered only after the
/// document as they would leave it has been checked.
pub fn quick_actions(
    doc: &Document,
    range: TextRange,
    runs: &[RunView],
    files: &dyn Files,
) -> Vec<Action> {
    find(doc, range, runs, files, false)
}

fn find(
    doc: &Document,
    range: TextRange,
    runs: &[RunView],
    files: &dyn Files,
    checked: bool,
) -> Vec<Action> {
    let mut actions = fixes::of(doc, range);
    actions.extend(declare_handler::in_configuration(doc, range, files));
    actions.extend(run::answers(doc, range, runs));
    actions.extend(run::changes(doc, range, runs));
    actions.extend(run::runs(doc, range, runs));
    if let Some(spot) = walk::at(&doc.parse.file, range.start()) {
        actions.extend(rewrites(doc, spot));
        actions.extend(parallel::run_in_parallel(doc, spot, files));
        actions.extend(quotes::toggle(doc, spot, range));
        actions.extend(prompt_file::toggle(doc, spot, files));
        if checked {
            actions.extend(refactorings(doc, spot, files));
        }
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
    actions.extend(insert_retry::on_edge(doc, spot));
    actions.extend(defaults::inline(doc, spot));
    actions.extend(canonical::names(doc, spot));
    actions
}

/// What changes the graph, where it adds no error.
fn refactorings(doc: &Document, spot: SyntaxElement<'_>, files: &dyn Files) -> Vec<Action> {
    let mut actions = insert_node::on_edge(doc, spot, files);
    actions.extend(inline_pipeline::inline(doc, spot, files));
    actions.extend(error_path::add(doc, spot, files));
    actions.extend(change_kind::change(doc, spot, files));
    actions.extend(reverse_edge::reverse(doc, spot, files));
    actions.extend(delete_node::and_reconnect(doc, spot, files));
    actions.extend(sort_nodes::by_run_order(doc, spot));
    actions
}
