//! Another dialect's words become the ones this engine documents: `llm_model` is `model`, `node_type` is `handler`.

use attractor_convert::dialects;
use attractor_dot::{Edit, TextRange};
use attractor_model::Dialect;

use super::{Action, ActionKind, means_the_same};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// Longer texts are converted on the command line; this is asked for with every move of the cursor.
const MAX_CHARS: usize = 256 * 1024;

/// Writes the pipelines of the file in the canonical dialect. Offered on the keyword or name of a graph.
pub(super) fn names(doc: &Document, spot: SyntaxElement<'_>) -> Option<Action> {
    let SyntaxElement::Graph(number) = spot else {
        return None;
    };
    let pipeline = doc.pipeline(number)?;
    if doc.text.len() > MAX_CHARS || !doc.parse.errors.is_empty() {
        return None;
    }
    let new = dialects::to(Dialect::Attractor, &doc.text, &doc.options);
    let edits = vec![difference(&doc.text, &new)?];
    if !means_the_same(doc, &edits) {
        return None;
    }
    let title = match pipeline.dialect {
        Dialect::Attractor => "Convert to canonical names".to_owned(),
        dialect => format!("Convert {} dialect to canonical names", dialect.name()),
    };
    Some(Action::edit(title, ActionKind::Rewrite, edits))
}

/// The edit that makes `new` of `old`; `None` when they are the same.
fn difference(old: &str, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    let head = old.bytes().zip(new.bytes());
    let head = head.take_while(|(one, other)| one == other).count();
    let head = old
        .floor_char_boundary(head)
        .min(new.floor_char_boundary(head));
    let (rest, rest_new) = (old.get(head..)?, new.get(head..)?);
    let tail = rest.bytes().rev().zip(rest_new.bytes().rev());
    let mut tail = tail.take_while(|(one, other)| one == other).count();
    while !rest.is_char_boundary(rest.len() - tail) {
        tail -= 1;
    }
    let replaced = TextRange::new(head, old.len() - tail);
    Some(Edit::replace(
        replaced,
        rest_new.get(..rest_new.len() - tail)?,
    ))
}
