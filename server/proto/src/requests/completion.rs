//! `textDocument/completion`.

use attractor_ide::completion::{self, Item, ItemKind};
use lsp_types::request::Completion;
use lsp_types::{
    Command, CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionList,
    CompletionParams, CompletionResponse, CompletionTextEdit, InsertReplaceEdit, InsertTextFormat,
    TextEdit, Uri,
};
use serde_json::Value;

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// Asks a client to complete again; known to VS Code and harmless elsewhere.
const TRIGGER_SUGGEST: &str = "editor.action.triggerSuggest";

/// The completions at the cursor.
impl DocumentRequest for Completion {
    fn uri(params: &CompletionParams) -> &Uri {
        &params.text_document_position.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: CompletionParams,
    ) -> Result<Option<CompletionResponse>, RequestError> {
        let found = completion::complete(
            &context.document,
            from_proto::offset(context, params.text_document_position.position),
            context.files().as_ref(),
            &context.host.words(),
        );
        let items = found.items.into_iter();
        Ok(Some(CompletionResponse::List(CompletionList {
            is_incomplete: found.incomplete,
            items: items.map(|item| convert(context, item)).collect(),
        })))
    }
}

fn convert(context: &RequestContext, item: Item) -> CompletionItem {
    let features = &context.features;
    let snippet = item.snippet.filter(|_| features.snippets);
    let insert_text_format = snippet.is_some().then_some(InsertTextFormat::SNIPPET);
    let new_text = snippet.unwrap_or(item.text);
    let edit = if features.insert_replace && item.insert != item.replace {
        let (insert, replace) = (
            to_proto::range(context, item.insert),
            to_proto::range(context, item.replace),
        );
        CompletionTextEdit::InsertAndReplace(InsertReplaceEdit {
            new_text,
            insert,
            replace,
        })
    } else {
        CompletionTextEdit::Edit(TextEdit::new(
            to_proto::range(context, item.insert),
            new_text,
        ))
    };
    let again = || Command::new("Suggest".to_owned(), TRIGGER_SUGGEST.to_owned(), None);
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
        ItemKind::Color => CompletionItemKind::COLOR,
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
