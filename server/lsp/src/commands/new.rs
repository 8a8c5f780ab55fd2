//! `attractor.new`.

use std::sync::Arc;

use attractor_model::templates::{TEMPLATES, by_name};
use attractor_scenario::scenario_path;
use lsp_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, ResourceOp, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};

use crate::errors::ServerError;
use crate::ext::commands::{NewArgs, NewResult};
use crate::paths;
use crate::session::Session;
use attractor_proto::RequestError;

/// The edit that makes a pipeline from a template, and the file of its scenarios. It overwrites nothing.
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
    let scenarios = free_scenario_file(&uri);
    let mut operations = operations(uri, version, template.text);
    if let Some(uri) = scenarios {
        operations.extend(self::operations(uri, None, template.scenarios));
    }
    let edit = WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(operations)),
        ..WorkspaceEdit::default()
    };
    let edit = serde_json::to_value(edit).map_err(|_| RequestError::Internal)?;
    Ok(NewResult { edit })
}

/// Where the scenarios of a pipeline go, unless it has some or is not a file.
fn free_scenario_file(pipeline: &Uri) -> Option<Uri> {
    let path = scenario_path(&paths::path_of(pipeline)?);
    let is_free = !path.exists();
    is_free.then(|| Uri::from_file_path(path)).flatten()
}

/// Makes a file, unless it is open, and puts a text into it.
fn operations(uri: Uri, version: Option<i32>, text: &str) -> Vec<DocumentChangeOperation> {
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
    create.into_iter().chain([fill]).collect()
}
