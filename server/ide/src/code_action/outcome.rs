//! The way out that is missing: a node that routes on success has none for failure, or the other way round.

use attractor_dot::{Edit, strings};
use attractor_lang::Status;
use attractor_lang::condition::{Condition, Domain, Literal, satisfiable};
use attractor_model::{Node, NodeIx, Pipeline};

use super::{Action, ActionKind, indent, line_end};
use crate::document::Document;
use crate::predecessors;

/// Adds an edge for the outcome that the node under the cursor has no way for.
pub(super) fn missing(doc: &Document, offset: usize) -> Option<Action> {
    let pipeline = doc.pipeline(doc.graph_at(offset)?)?;
    let (name, _) = doc.symbol_index().at(offset)?;
    let crate::symbol_index::SymbolKey::Node(_, id) = name else {
        return None;
    };
    let ix = pipeline.by_id(id)?;
    let node = pipeline.node(ix)?;
    let (success, fail) = covered(pipeline, ix)?;
    let word = match (success, fail) {
        (true, false) => "fail",
        (false, true) => "success",
        _ => return None,
    };
    let target = target(pipeline, ix, node, word)?;
    let last = pipeline
        .outgoing(ix)
        .iter()
        .filter_map(|edge| pipeline.edge(*edge))
        .map(|edge| edge.statement)
        .max()?;
    let line = format!(
        "{}{}{} -> {} [condition=\"outcome={word}\"]",
        line_end(&doc.text),
        indent(&doc.text, last.start()),
        strings::quote(&node.id),
        strings::quote(&target.id),
    );
    let after = doc.text.get(last.end()..).unwrap_or_default();
    let at = last.end() + usize::from(after.starts_with(';'));
    let title = format!(
        "Add an edge for `{word}` from `{}` to `{}`",
        node.id, target.id
    );
    Some(Action::edit(
        title,
        ActionKind::Insert,
        vec![Edit::insert(at, line)],
    ))
}

/// The outcomes of success.
const SUCCESS: [Status; 2] = [Status::Success, Status::PartialSuccess];

/// The outcome of failure. A node that asks to be run again fails once it has no attempts left.
const FAILURE: [Status; 1] = [Status::Fail];

/// Whether some edge can be taken after success and after failure; `None` when an edge without condition takes
/// everything.
fn covered(pipeline: &Pipeline, node: NodeIx) -> Option<(bool, bool)> {
    let (mut success, mut fail) = (false, false);
    for edge in pipeline
        .outgoing(node)
        .iter()
        .filter_map(|edge| pipeline.edge(*edge))
    {
        let condition = edge.condition.as_ref()?;
        success |= can_hold(condition, &SUCCESS);
        fail |= can_hold(condition, &FAILURE);
    }
    Some((success, fail))
}

/// Whether a condition only holds after a failure.
pub(super) fn is_of_failure(condition: &Condition) -> bool {
    can_hold(condition, &[Status::Fail, Status::Retry]) && !can_hold(condition, &SUCCESS)
}

/// Whether a condition can hold after a node that ended in one of these ways.
fn can_hold(condition: &Condition, outcomes: &[Status]) -> bool {
    let domain = Domain {
        outcomes,
        known: &|_| None,
        labels: &[],
    };
    let literal = Literal {
        condition,
        holds: true,
    };
    !satisfiable(&[literal], &domain).is_unsatisfiable()
}

/// Where the new edge leads: for a failure the node's own retry target, else the nearest model call before it,
/// which can fix what failed; else, and for success, a terminal node.
fn target<'p>(pipeline: &'p Pipeline, ix: NodeIx, node: &Node, word: &str) -> Option<&'p Node> {
    let terminal = || {
        pipeline
            .nodes
            .iter()
            .find(|other| other.terminal && other.id != node.id)
    };
    if word == "success" {
        return terminal();
    }
    let own = node
        .attributes
        .text("retry_target")
        .and_then(|target| pipeline.node_by_id(target));
    let before = || {
        let nodes = predecessors::of(pipeline, Some(&node.id))
            .into_iter()
            .filter(|other| *other != ix);
        nodes
            .filter_map(|other| pipeline.node(other))
            .find(|other| other.kind.calls_model())
    };
    own.or_else(before).or_else(terminal)
}
