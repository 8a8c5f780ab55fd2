//! Completions in scenario files.

use attractor_scenario::{CompletionKind, complete};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, Position, TextEdit,
};

use super::suite::Suite;
use crate::documents::Snapshot;
use crate::session::Session;

/// The completions at a position. Reads the file of the pipeline.
pub(crate) fn at(session: &Session, snapshot: &Snapshot, position: Position) -> CompletionList {
    let found = Suite::of_document(session, snapshot).and_then(|suite| {
        let offset = suite.offset(position);
        let found = complete(&suite.text, offset, suite.subject.as_ref())?;
        Some((suite, found))
    });
    let Some((suite, found)) = found else {
        return CompletionList::default();
    };
    let range = suite.range(found.replace);
    // Clients sort by label unless an item says otherwise: likely ones come first.
    let items = found
        .items
        .into_iter()
        .enumerate()
        .map(|(at, item)| CompletionItem {
            filter_text: Some(item.text.clone()),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, item.text))),
            label: item.label,
            kind: Some(match item.kind {
                CompletionKind::Key => CompletionItemKind::PROPERTY,
                CompletionKind::Node => CompletionItemKind::VARIABLE,
                CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
            }),
            detail: item.detail,
            sort_text: Some(format!("{at:04}")),
            ..CompletionItem::default()
        });
    CompletionList {
        is_incomplete: false,
        items: items.collect(),
    }
}
