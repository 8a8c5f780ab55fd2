//! Selected statements become a subgraph, drawn as a box.

use attractor_dot::ast::Stmt;
use attractor_dot::{Edit, TextRange};

use super::{Action, ActionKind, indent, line_end, means_the_same};
use crate::document::Document;
use crate::symbol_index::SymbolKey;

/// Wraps the selected statements in `subgraph cluster_… { … }`. Only nodes and edges: defaults and attributes would
/// mean something else inside. The subgraph has no label, because a label would give its nodes a class.
pub(super) fn selected(doc: &Document, selected: TextRange) -> Option<Action> {
    let text = selected.text(&doc.text);
    let start = selected.start() + (text.len() - text.trim_start().len());
    let range = TextRange::new(start, start + text.trim().len());
    let number = doc.graph_at(range.start())?;
    let graph = doc.parse.file.graphs.get(number)?;
    let statements = graph.body.statements.iter();
    let touched: Vec<&Stmt> = statements
        .filter(|statement| statement.range().intersects(range))
        .collect();
    let is_whole = |statement: &&Stmt| {
        range.contains_range(statement.range())
            && matches!(statement, Stmt::Node(_) | Stmt::Edge(_))
    };
    let has_nodes = touched
        .iter()
        .any(|statement| matches!(statement, Stmt::Node(_)));
    if range.is_empty() || !has_nodes || !touched.iter().all(is_whole) {
        return None;
    }
    let is_free = |name: &String| {
        !doc.symbol_index()
            .contains(&SymbolKey::Subgraph(number, name.clone()))
    };
    let numbered = (2_u32..).map(|number| format!("cluster_group_{number}"));
    let name = std::iter::once("cluster_group".to_owned())
        .chain(numbered)
        .find(is_free)?;
    let (end, margin) = (line_end(&doc.text), indent(&doc.text, range.start()));
    let step = if margin.starts_with('\t') { "\t" } else { "  " };
    // Strings over several lines stay as they are: only lines that begin a token are indented.
    let mut body = String::new();
    let mut at = range.start();
    for line in range.text(&doc.text).split_inclusive('\n') {
        let indentation = line.len() - line.trim_start().len();
        let begins = !line.trim().is_empty() && starts_token(doc, at + indentation);
        let is_first = at == range.start();
        if begins && !is_first {
            body.push_str(step);
        }
        body.push_str(line);
        at += line.len();
    }
    let new = format!("subgraph {name} {{{end}{margin}{step}{body}{end}{margin}}}");
    let edits = vec![Edit::replace(range, new)];
    if !means_the_same(doc, &edits) {
        return None;
    }
    let title = format!("Extract to subgraph `{name}`");
    Some(Action::edit(title, ActionKind::Extract, edits))
}

/// Whether a token, a comment included, begins at an offset, so that the spaces before it have no meaning.
fn starts_token(doc: &Document, offset: usize) -> bool {
    let tokens = &doc.parse.tokens;
    let mut inside = tokens
        .solid()
        .filter(|token| token.range.start() < offset && offset < token.range.end());
    inside.next().is_none()
}
