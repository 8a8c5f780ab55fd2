//! A long text in a string ↔ a file of its own: `prompt="…"` and `prompt="@prompts/NODE.md"`.

use attractor_dot::ast::{Id, IdKind};
use attractor_dot::strings::{escape_into_quoted, unescape};
use attractor_dot::{Edit, TextRange};
use attractor_model::Files;
use attractor_model::catalogue::AttrType;

use super::{Action, ActionKind, FileChange, NewFile};
use crate::document::Document;
use crate::values;
use crate::walk::{AttributeOwner, AttributeSite, SyntaxElement};

/// The folder of extracted prompts, next to the document.
const FOLDER: &str = "prompts";

/// Moves the text under the cursor to a file, or brings the text of a file here.
pub(super) fn toggle(doc: &Document, spot: SyntaxElement<'_>, files: &dyn Files) -> Option<Action> {
    let (SyntaxElement::Value(site) | SyntaxElement::Key(site)) = spot else {
        return None;
    };
    let value = site
        .attr
        .value
        .filter(|value| value.kind == IdKind::Quoted)?;
    let key = doc.decode(&site.attr.key);
    if values::type_of(doc, site, &key)? != AttrType::Template {
        return None;
    }
    let written = doc.decode(&value);
    match written.trim().strip_prefix('@') {
        Some(path) => bring(value, path, files),
        None => put(doc, site, value, &unescape(&written), files),
    }
}

fn put(
    doc: &Document,
    site: AttributeSite<'_>,
    value: Id,
    text: &str,
    files: &dyn Files,
) -> Option<Action> {
    let AttributeOwner::Nodes(statement) = site.holder else {
        return None;
    };
    if text.trim().is_empty() {
        return None;
    }
    let node = doc.decode(&statement.nodes.first()?.id);
    let path = free_path(&super::word(&node), files)?;
    let edit = Edit::replace(value.range, format!("\"@{path}\""));
    let title = format!("Extract prompt to `{path}`");
    let action = Action::edit(title, ActionKind::Extract, vec![edit]);
    Some(Action {
        other_file: Some(FileChange::Create(NewFile {
            path,
            text: text.to_owned(),
        })),
        ..action
    })
}

fn bring(value: Id, path: &str, files: &dyn Files) -> Option<Action> {
    let text = files.read(path)?;
    let written = format!("\"{}\"", escape_into_quoted(&text.replace('\\', "\\\\")));
    // Not every text can be written in a string; what would read differently stays where it is.
    let id = Id {
        range: TextRange::new(0, written.len()),
        kind: IdKind::Quoted,
    };
    let same = unescape(&id.text(&written)) == text && !text.trim_start().starts_with('@');
    same.then(|| {
        let edit = Edit::replace(value.range, written);
        let title = format!("Inline `{path}`");
        Action::edit(title, ActionKind::Inline, vec![edit])
    })
}

fn free_path(node: &str, files: &dyn Files) -> Option<String> {
    let first = std::iter::once(format!("{FOLDER}/{node}.md"));
    let numbered = (2_u32..100).map(|number| format!("{FOLDER}/{node}_{number}.md"));
    first.chain(numbered).find(|path| !files.exists(path))
}
