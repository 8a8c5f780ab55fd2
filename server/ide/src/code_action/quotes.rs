//! `build` ↔ `"build"`.

use attractor_dot::ast::IdKind;
use attractor_dot::{Edit, TextRange, strings};

use super::{Action, ActionKind};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// Puts the identifier that is selected as a whole in quotes, or takes them off where they are not needed. One that
/// Graphviz does not read without quotes need not be selected.
pub(super) fn toggle(
    doc: &Document,
    spot: SyntaxElement<'_>,
    selected: TextRange,
) -> Option<Action> {
    let id = match spot {
        SyntaxElement::Key(site) => site.attr.key,
        SyntaxElement::Value(site) => site.attr.value?,
        SyntaxElement::Node { node, .. } => node.id,
        SyntaxElement::Graph(graph) => doc.parse.file.graphs.get(graph)?.id?,
        SyntaxElement::Subgraph(_, subgraph) => subgraph.id?,
        SyntaxElement::Operator { .. } | SyntaxElement::Defaults(..) => return None,
    };
    if selected != id.range && id.kind != IdKind::Extended {
        return None;
    }
    let text = doc.decode(&id);
    let (title, new) = match id.kind {
        IdKind::Bare | IdKind::Numeral | IdKind::Extended => (
            "Add quotes",
            format!("\"{}\"", strings::escape_into_quoted(&text)),
        ),
        IdKind::Quoted if strings::quote(&text) == text => ("Remove quotes", text.into_owned()),
        IdKind::Quoted | IdKind::Html | IdKind::Concatenated => return None,
    };
    Some(Action::edit(
        title,
        ActionKind::Rewrite,
        vec![Edit::replace(id.range, new)],
    ))
}
