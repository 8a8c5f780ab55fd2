//! `completionItem/resolve`.

use attractor_ide::completion;
use lsp_types::{CompletionItem, Documentation, MarkupContent, MarkupKind};
use serde_json::Value;

/// Adds the page of an item; it needs no document.
pub fn handle(mut item: CompletionItem) -> CompletionItem {
    let page = item
        .data
        .as_ref()
        .and_then(Value::as_str)
        .and_then(completion::documentation);
    item.documentation = page
        .map(|value| {
            Documentation::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value,
            })
        })
        .or(item.documentation);
    item
}
