//! `textDocument/completion`. Answered from the snapshot the request met, never with `ContentModified`: a person
//! who types on still wants the list.

use std::sync::Arc;

use attractor_ide::completion::{self, Item, ItemKind};
use lsp_types::{
    Command, CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionList,
    CompletionParams, CompletionResponse, CompletionTextEdit, InsertReplaceEdit, InsertTextFormat,
    TextEdit,
};
use serde_json::Value;
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// Asks a client to complete again; known to VS Code and harmless elsewhere.
const AGAIN: &str = "editor.action.triggerSuggest";

/// What can stand at the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: CompletionParams,
) -> Result<Option<CompletionResponse>> {
    let at = params.text_document_position;
    let find = move |view: &View| {
        let found = completion::complete(
            &view.document,
            view.offset(at.position),
            view.files().as_ref(),
            &view.session.workspace_words.current(),
        );
        CompletionResponse::List(CompletionList {
            is_incomplete: found.incomplete,
            items: found
                .items
                .into_iter()
                .map(|item| convert(view, item))
                .collect(),
        })
    };
    session
        .answer_from_snapshot(&at.text_document.uri.clone(), find)
        .await
}

fn convert(view: &View, item: Item) -> CompletionItem {
    let features = view.features();
    let snippet = item.snippet.filter(|_| features.snippets);
    let insert_text_format = snippet.is_some().then_some(InsertTextFormat::SNIPPET);
    let new_text = snippet.unwrap_or(item.text);
    let edit = if features.insert_replace && item.insert != item.replace {
        let (insert, replace) = (view.range(item.insert), view.range(item.replace));
        CompletionTextEdit::InsertAndReplace(InsertReplaceEdit {
            new_text,
            insert,
            replace,
        })
    } else {
        CompletionTextEdit::Edit(TextEdit::new(view.range(item.insert), new_text))
    };
    let again = || Command::new("Suggest".to_owned(), AGAIN.to_owned(), None);
    CompletionItem {
        label: item.label,
        label_details: item.note.map(|note| CompletionItemLabelDetails {
            detail: None,
            description: Some(note),
        }),
        kind: Some(icon(item.kind)),
        detail: item.detail,
        sort_text: Some(item.sort),
        filter_text: item.filter,
        insert_text_format,
        text_edit: Some(edit),
        commit_characters: (!item.commit.is_empty()).then(|| {
            item.commit
                .iter()
                .map(|character| (*character).to_owned())
                .collect()
        }),
        command: (item.retrigger && features.suggest_again).then(again),
        data: item.doc.map(Value::String),
        ..CompletionItem::default()
    }
}

fn icon(kind: ItemKind) -> CompletionItemKind {
    match kind {
        ItemKind::Node => CompletionItemKind::VARIABLE,
        ItemKind::Attribute | ItemKind::GraphvizAttribute => CompletionItemKind::PROPERTY,
        ItemKind::NodeKind => CompletionItemKind::FUNCTION,
        ItemKind::EnumValue => CompletionItemKind::ENUM_MEMBER,
        ItemKind::Value => CompletionItemKind::VALUE,
        ItemKind::Colour => CompletionItemKind::COLOR,
        ItemKind::Keyword => CompletionItemKind::KEYWORD,
        ItemKind::Operator => CompletionItemKind::OPERATOR,
        ItemKind::Key => CompletionItemKind::FIELD,
        ItemKind::Class => CompletionItemKind::CLASS,
        ItemKind::Graph => CompletionItemKind::MODULE,
        ItemKind::File => CompletionItemKind::FILE,
        ItemKind::Folder => CompletionItemKind::FOLDER,
        ItemKind::Snippet => CompletionItemKind::SNIPPET,
        ItemKind::Model => CompletionItemKind::CONSTANT,
    }
}
