//! `a -> b` becomes `b -> a`.

use attractor_dot::Edit;
use attractor_model::Files;

use super::{Action, ActionKind, adds_errors};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// Exchanges the ends of the edge under the cursor. Only of a statement of one edge: its attributes stay with it.
pub(super) fn reverse(
    doc: &Document,
    spot: SyntaxElement<'_>,
    files: &dyn Files,
) -> Option<Action> {
    let SyntaxElement::Operator { graph, edge, .. } = spot else {
        return None;
    };
    doc.pipeline(graph)?;
    let [from, to] = &*edge.ends else {
        return None;
    };
    let (from, to) = (from.range(), to.range());
    let edits = vec![
        Edit::replace(from, to.text(&doc.text)),
        Edit::replace(to, from.text(&doc.text)),
    ];
    let changes = from.text(&doc.text) != to.text(&doc.text);
    (changes && !adds_errors(doc, &edits, files))
        .then(|| Action::edit("Reverse edge", ActionKind::Rewrite, edits))
}
