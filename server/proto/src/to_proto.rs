//! From our types to the protocol's. With [`crate::from_proto`] the only place that converts.

use std::borrow::Borrow;
use std::sync::LazyLock;

use attractor_ide::code_action::{FileChange, NewFile};
use attractor_ide::diagnostics::{self, Source};
use attractor_ide::document::Document;
use attractor_ide::document_symbol;
use attractor_ide::dot::{Edit, TextRange};
use attractor_ide::goto_definition::{Target, TargetLocation};
use attractor_ide::line_index::Lines;
use attractor_ide::model::Severity;
use attractor_ide::model::catalogue::NodeKind;
use attractor_ide::position::{Encoding, Position};
use attractor_lint::LINTS;
use lsp_types::{
    CodeDescription, CreateFile, CreateFileOptions, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, DocumentChangeOperation, DocumentChanges,
    GotoDefinitionResponse, Location, LocationLink, NumberOrString, OneOf,
    OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, TextEdit, Uri,
    WorkspaceEdit,
};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::client_capabilities::Features;
use crate::context::RequestContext;

/// Where the pages of lint rules are; the rule's name is the anchor.
const RULES: &str = "https://github.com/attractor-dot/attractor/blob/main/docs/reference/lints.md#";

/// A line and column.
pub fn line_column(position: Position) -> lsp_types::Position {
    lsp_types::Position::new(position.line, position.character)
}

/// The position of a byte offset.
pub fn position(context: &RequestContext, offset: usize) -> lsp_types::Position {
    line_column(context.document.position(offset, context.encoding()))
}

/// The range of bytes.
pub fn range(context: &RequestContext, range: TextRange) -> lsp_types::Range {
    document_range(&context.document, context.encoding(), range)
}

/// The range of bytes of a document.
pub fn document_range(
    document: &Document,
    encoding: Encoding,
    range: TextRange,
) -> lsp_types::Range {
    let position = |offset| line_column(document.position(offset, encoding));
    lsp_types::Range::new(position(range.start()), position(range.end()))
}

/// One problem.
pub fn diagnostic(
    context: &RequestContext,
    problem: &diagnostics::Diagnostic,
) -> lsp_types::Diagnostic {
    let related = problem
        .related
        .iter()
        .map(|related| DiagnosticRelatedInformation {
            location: Location::new(context.uri.clone(), range(context, related.range)),
            message: related.message.clone(),
        });
    let related: Option<Vec<_>> = context
        .features
        .related_information
        .then(|| related.collect());
    lsp_types::Diagnostic {
        range: range(context, problem.range),
        severity: Some(severity(problem.severity)),
        code: Some(NumberOrString::String(problem.code.to_owned())),
        code_description: page_of(problem),
        source: Some(problem.source.name().to_owned()),
        message: problem.message.clone(),
        related_information: related.filter(|related| !related.is_empty()),
        tags: problem
            .unnecessary
            .then(|| vec![DiagnosticTag::UNNECESSARY]),
        // Fixes are found again when code actions are asked for: most are never looked at.
        data: None,
    }
}

/// The page of a rule; what a run says has none.
fn page_of(problem: &diagnostics::Diagnostic) -> Option<CodeDescription> {
    static PAGES: LazyLock<FxHashMap<&str, Uri>> = LazyLock::new(|| {
        let pages = LINTS.iter().filter_map(|lint| {
            let href = format!("{RULES}{}", lint.rule).parse().ok()?;
            Some((lint.rule, href))
        });
        pages.collect()
    });
    match problem.source {
        Source::Pipeline => PAGES
            .get(problem.code)
            .map(|href| CodeDescription { href: href.clone() }),
        Source::Run => None,
    }
}

/// A severity.
pub fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

/// Edits of the context's document.
pub fn edits(context: &RequestContext, edits: &[Edit]) -> Vec<TextEdit> {
    edits
        .iter()
        .map(|edit| TextEdit::new(range(context, edit.range), edit.text.clone()))
        .collect()
}

/// Edits of the context's document in the order of the text; each position is found from the one before.
pub fn edits_in_order(context: &RequestContext, edits: Vec<Edit>) -> Vec<TextEdit> {
    let mut positions = context.document.positions(context.encoding());
    let mut position = |offset| line_column(positions.position(offset));
    let edits = edits.into_iter();
    edits
        .map(|edit| {
            let (start, end) = (edit.range.start(), edit.range.end());
            let range = lsp_types::Range::new(position(start), position(end));
            TextEdit::new(range, edit.text)
        })
        .collect()
}

/// Edits of the context's document as a change of the workspace.
pub fn workspace_edit(context: &RequestContext, changes: Vec<Edit>) -> WorkspaceEdit {
    workspace_edits(&context.features, &[(context, changes)])
}

/// Edits of several documents as one change. With versions where the client knows them, so that it refuses
/// edits of a text that has changed.
pub fn workspace_edits<V: Borrow<RequestContext>>(
    features: &Features,
    changes: &[(V, Vec<Edit>)],
) -> WorkspaceEdit {
    let changes = changes
        .iter()
        .map(|(context, changes)| (context.borrow(), changes.as_slice()));
    if !features.document_changes {
        let changes =
            changes.map(|(context, changes)| (context.uri.clone(), edits(context, changes)));
        return WorkspaceEdit {
            changes: Some(changes.collect()),
            ..WorkspaceEdit::default()
        };
    }
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(
            changes
                .map(|(context, changes)| document_edit(context, changes))
                .collect(),
        )),
        ..WorkspaceEdit::default()
    }
}

/// Edits of the context's document together with a change of another file. `None` for a document without a path, and
/// where the client cannot make files.
pub fn file_change(
    context: &RequestContext,
    changes: &[Edit],
    change: &FileChange,
) -> Option<WorkspaceEdit> {
    match change {
        FileChange::Create(new) => creating_edit(context, changes, new),
        FileChange::Append { path, before, text } => {
            appending_edit(context, changes, (path, before, text))
        }
    }
}

fn appending_edit(
    context: &RequestContext,
    changes: &[Edit],
    (path, before, text): (&str, &str, &str),
) -> Option<WorkspaceEdit> {
    let uri = context.uri_of(path)?;
    let end = Lines::new(before).position(before, before.len(), context.encoding());
    let end = line_column(end);
    let added = TextEdit::new(lsp_types::Range::new(end, end), text.to_owned());
    if !context.features.document_changes {
        let own = (context.uri.clone(), edits(context, changes));
        let all = [(uri, vec![added]), own];
        return Some(WorkspaceEdit {
            changes: Some(
                all.into_iter()
                    .filter(|(_, edits)| !edits.is_empty())
                    .collect(),
            ),
            ..WorkspaceEdit::default()
        });
    }
    let other = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(added)],
    };
    let own = (!changes.is_empty()).then(|| document_edit(context, changes));
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(
            std::iter::once(other).chain(own).collect(),
        )),
        ..WorkspaceEdit::default()
    })
}

/// A change that makes a file first. `None` for a client that cannot make files, or a document without a place.
fn creating_edit(
    context: &RequestContext,
    changes: &[Edit],
    new: &NewFile,
) -> Option<WorkspaceEdit> {
    if !context.features.creates_files {
        return None;
    }
    let uri = context.uri_of(&new.path)?;
    let create = CreateFile {
        uri: uri.clone(),
        options: Some(CreateFileOptions {
            overwrite: Some(false),
            ignore_if_exists: Some(false),
        }),
        annotation_id: None,
    };
    let text = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(TextEdit::new(
            lsp_types::Range::default(),
            new.text.clone(),
        ))],
    };
    let own = (!changes.is_empty()).then(|| document_edit(context, changes));
    let operations = [
        DocumentChangeOperation::Op(ResourceOp::Create(create)),
        DocumentChangeOperation::Edit(text),
    ];
    let operations = operations
        .into_iter()
        .chain(own.map(DocumentChangeOperation::Edit))
        .collect();
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(operations)),
        ..WorkspaceEdit::default()
    })
}

fn document_edit(context: &RequestContext, changes: &[Edit]) -> TextDocumentEdit {
    TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            uri: context.uri.clone(),
            version: context.open_version(),
        },
        edits: edits(context, changes)
            .into_iter()
            .map(OneOf::Left)
            .collect(),
    }
}

/// Places a definition leads to.
pub fn targets(context: &RequestContext, targets: &[Target]) -> GotoDefinitionResponse {
    let links = targets.iter().filter_map(|target| {
        let (target_uri, target_range, target_selection_range) = match &target.place {
            TargetLocation::Here { range: full, focus } => (
                context.uri.clone(),
                range(context, *full),
                range(context, *focus),
            ),
            TargetLocation::File(path) => (
                context.uri_of(path)?,
                lsp_types::Range::default(),
                lsp_types::Range::default(),
            ),
        };
        let origin_selection_range = Some(range(context, target.origin));
        Some(LocationLink {
            origin_selection_range,
            target_uri,
            target_range,
            target_selection_range,
        })
    });
    if context.features.definition_links {
        GotoDefinitionResponse::Link(links.collect())
    } else {
        let plain = links.map(|link| Location::new(link.target_uri, link.target_selection_range));
        GotoDefinitionResponse::Array(plain.collect())
    }
}

/// The icon of an outline entry.
pub fn symbol_kind(kind: document_symbol::SymbolKind) -> lsp_types::SymbolKind {
    use lsp_types::SymbolKind as Icon;
    match kind {
        document_symbol::SymbolKind::Graph => Icon::MODULE,
        document_symbol::SymbolKind::Pipeline => Icon::CLASS,
        document_symbol::SymbolKind::Subgraph => Icon::NAMESPACE,
        document_symbol::SymbolKind::PlainNode => Icon::VARIABLE,
        document_symbol::SymbolKind::Node(kind) => match kind {
            NodeKind::Start | NodeKind::Exit => Icon::EVENT,
            NodeKind::Codergen | NodeKind::Prompt => Icon::METHOD,
            NodeKind::HumanGate | NodeKind::Escalate => Icon::INTERFACE,
            NodeKind::Conditional => Icon::BOOLEAN,
            NodeKind::Parallel | NodeKind::FanIn => Icon::ARRAY,
            NodeKind::Tool => Icon::FUNCTION,
            NodeKind::Supervisor | NodeKind::Pipeline => Icon::PACKAGE,
            NodeKind::Wait | NodeKind::Loop => Icon::OPERATOR,
            NodeKind::Checkpoint => Icon::KEY,
            NodeKind::Custom => Icon::OBJECT,
        },
    }
}

/// A command of ours with the document it is about.
pub fn command(
    context: &RequestContext,
    title: String,
    command: &attractor_ide::command::Command,
) -> lsp_types::Command {
    let fields = command
        .arguments()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), Value::from(value)));
    let about = ("uri".to_owned(), Value::from(context.uri.as_str()));
    let argument = std::iter::once(about).chain(fields).collect();
    lsp_types::Command {
        title,
        command: command.name().to_owned(),
        arguments: Some(vec![Value::Object(argument)]),
    }
}

#[cfg(test)]
mod tests {
    use super::LINTS;

    #[test]
    fn every_rule_has_its_heading_on_the_page_that_is_linked() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (_, path) = super::RULES
            .split_once("/blob/main/")
            .expect("a page of the repository");
        let page = std::fs::read_to_string(root.join(path.trim_end_matches('#')))
            .expect("the page is there");
        for lint in LINTS {
            assert!(
                page.contains(&format!("\n## {}\n", lint.rule)),
                "{} has no heading",
                lint.rule
            );
        }
    }
}
