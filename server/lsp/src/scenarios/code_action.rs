//! Fixes of the problems of scenario files.

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, WorkspaceEdit,
};

use super::diagnostics::diagnostic;
use super::suite::Suite;
use crate::documents::Snapshot;
use crate::session::Session;

/// The fixes of the problems that touch a range. Reads the file of the pipeline.
pub(crate) fn of(
    session: &Session,
    snapshot: &Snapshot,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let features = session.notifier.features();
    let wanted = params.context.only.as_ref().is_none_or(|only| {
        only.iter()
            .any(|kind| *kind == CodeActionKind::QUICKFIX || *kind == CodeActionKind::EMPTY)
    });
    let suite = Suite::of_document(session, snapshot);
    let Some(suite) = suite.filter(|_| wanted && features.code_action_literals) else {
        return Vec::new();
    };
    let touched = suite.problems.iter().filter(|problem| {
        let range = suite.range(problem.range);
        range.start <= params.range.end && params.range.start <= range.end
    });
    let fixes = touched.flat_map(|problem| problem.fixes.iter().map(move |fix| (problem, fix)));
    let actions = fixes.map(|(problem, fix)| {
        let edits = fix.edits.iter();
        let edits = edits.map(|edit| TextEdit::new(suite.range(edit.range), edit.text.clone()));
        let edit = if features.document_changes {
            let document = TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier {
                    uri: snapshot.uri.clone(),
                    version: Some(snapshot.version),
                },
                edits: edits.map(OneOf::Left).collect(),
            };
            WorkspaceEdit {
                document_changes: Some(DocumentChanges::Edits(vec![document])),
                ..WorkspaceEdit::default()
            }
        } else {
            WorkspaceEdit {
                changes: Some([(snapshot.uri.clone(), edits.collect())].into()),
                ..WorkspaceEdit::default()
            }
        };
        CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(&suite, problem)]),
            edit: Some(edit),
            is_preferred: Some(true),
            ..CodeAction::default()
        })
    });
    actions.collect()
}
