//! `attractor.new`.

use std::sync::Arc;

use attractor_model::templates::{TEMPLATES, by_name};
use lsp_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, ResourceOp, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};

use crate::errors::ServerError;
use crate::ext::commands::{NewArgs, NewResult};
use crate::paths;
use crate::session::Session;

/// The edit that makes a pipeline from a template. It overwrites nothing.
pub(crate) fn handle(session: &Arc<Session>, args: NewArgs) -> Result<NewResult, ServerError> {
    let template = by_name(&args.template).ok_or_else(|| ServerError::UnknownTemplate {
        template: args.template.clone(),
        known: {
            let names = TEMPLATES.iter().map(|template| template.name);
            names.collect::<Vec<_>>().join(", ")
        },
    })?;
    let NewArgs { uri, .. } = args;
    let open = session.documents.get(&uri);
    let taken = match &open {
        Some(snapshot) => snapshot.rope.chars().any(|letter| !letter.is_whitespace()),
        None => paths::path_of(&uri).is_some_and(|path| path.exists()),
    };
    if taken {
        return Err(ServerError::Taken {
            uri: uri.as_str().to_owned(),
        });
    }
    let version = open.as_ref().map(|snapshot| snapshot.version);
    let edit = edit(uri, version, template.text);
    let edit = serde_json::to_value(edit).map_err(|_| ServerError::Internal)?;
    Ok(NewResult { edit })
}

/// Makes the file, unless it is open, and puts the text into it.
fn edit(uri: Uri, version: Option<i32>, text: &str) -> WorkspaceEdit {
    let create = DocumentChangeOperation::Op(ResourceOp::Create(CreateFile {
        uri: uri.clone(),
        options: Some(CreateFileOptions {
            overwrite: Some(false),
            ignore_if_exists: Some(false),
        }),
        annotation_id: None,
    }));
    let start = Position::default();
    let fill = DocumentChangeOperation::Edit(TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: vec![OneOf::Left(TextEdit {
            range: Range::new(start, start),
            new_text: text.to_owned(),
        })],
    });
    let create = version.is_none().then_some(create);
    let operations = create.into_iter().chain([fill]).collect();
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(operations)),
        ..WorkspaceEdit::default()
    }
}
