//! Declarations of nodes in the order in which a run reaches them.
//!
//! Only declarations next to each other change places: what is between others, as defaults, holds for those after it.
//! Each takes the comments above it along.

use attractor_dot::ast::Stmt;
use attractor_dot::{Edit, TextRange};
use attractor_model::{NodeIx, Pipeline};
use rustc_hash::FxHashMap;

use super::{Action, ActionKind};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// Sorts the declarations of the graph whose keyword or name is under the cursor.
pub(super) fn by_run_order(doc: &Document, spot: SyntaxElement<'_>) -> Option<Action> {
    let SyntaxElement::Graph(number) = spot else {
        return None;
    };
    let pipeline = doc.pipeline(number)?;
    let graph = doc.parse.file.graphs.get(number)?;
    let order = order(pipeline);
    let mut edits = Vec::new();
    let statements = &*graph.body.statements;
    let runs = statements.chunk_by(|one, two| is_declaration(one) && is_declaration(two));
    for run in runs.filter(|run| run.iter().all(is_declaration)) {
        let before = statements.iter().map(Stmt::range);
        let mut before =
            before.filter(|range| range.end() <= run.first().map_or(0, |one| one.range().start()));
        let start = before
            .next_back()
            .map_or(graph.body.range.start() + 1, TextRange::end);
        edits.extend(sorted(doc, pipeline, &order, run, start));
    }
    let title = "Sort nodes by the order of a run";
    (!edits.is_empty()).then(|| Action::edit(title, ActionKind::Rewrite, edits))
}

fn is_declaration(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Node(node) if node.nodes.len() == 1)
}

/// The place of each node in a walk from the start; those that no edge leads to come last, as they are written.
fn order(pipeline: &Pipeline) -> FxHashMap<NodeIx, usize> {
    let mut order = FxHashMap::default();
    let mut queue: Vec<NodeIx> = pipeline.start.into_iter().collect();
    let mut at = 0;
    while let Some(node) = queue.get(at).copied() {
        at += 1;
        let count = order.len();
        if order.contains_key(&node) {
            continue;
        }
        order.insert(node, count);
        queue.extend(pipeline.successors(node));
    }
    for (ix, _) in pipeline.indexed_nodes() {
        let count = order.len();
        order.entry(ix).or_insert(count);
    }
    order
}

/// The edits that sort a run of declarations, the text before which ends at `start`; none where they are sorted, or
/// share a line.
fn sorted(
    doc: &Document,
    pipeline: &Pipeline,
    order: &FxHashMap<NodeIx, usize>,
    run: &[Stmt],
    start: usize,
) -> Vec<Edit> {
    let mut pieces = Vec::new();
    let mut end = start;
    for statement in run {
        let Stmt::Node(node) = statement else {
            return Vec::new();
        };
        let id = node.nodes.first().map(|node| doc.decode(&node.id));
        let ix = id.and_then(|id| pipeline.by_id(&id));
        let (Some(place), Some(piece)) = (
            ix.and_then(|ix| order.get(&ix)),
            piece(&doc.text, end, statement.range()),
        ) else {
            return Vec::new();
        };
        end = piece.end();
        pieces.push((*place, piece));
    }
    let mut by_order = pieces.clone();
    by_order.sort_by_key(|(place, _)| *place);
    let moved = pieces.iter().zip(&by_order);
    let moved = moved.filter(|((_, here), (_, there))| here != there);
    moved
        .map(|((_, here), (_, there))| Edit::replace(*here, there.text(&doc.text)))
        .collect()
}

/// The lines of a statement with the comments directly above it; `None` where something else is on them. `start` is
/// the end of what precedes it.
fn piece(text: &str, start: usize, statement: TextRange) -> Option<TextRange> {
    let before = text.get(start..statement.start())?;
    let after = text.get(statement.end()..)?;
    let rest = after.split('\n').next()?;
    let rest = rest.strip_prefix(';').unwrap_or(rest).trim();
    let is_comment = |line: &str| line.starts_with("//") || line.starts_with('#');
    let is_free = rest.is_empty() || is_comment(rest);
    let (lines, indentation) = before.rsplit_once('\n')?;
    if !is_free || !indentation.trim().is_empty() || before.contains("/*") {
        return None;
    }
    let comments = lines.split('\n').skip(1).collect::<Vec<_>>();
    let own = comments
        .iter()
        .rev()
        .take_while(|line| is_comment(line.trim_start()));
    let length: usize = own.map(|line| line.len() + 1).sum();
    let first = statement.start() - indentation.len() - length;
    let last = statement.end() + after.split('\n').next()?.trim_end_matches('\r').len();
    Some(TextRange::new(first, last))
}
