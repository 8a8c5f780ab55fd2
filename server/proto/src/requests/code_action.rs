//! `textDocument/codeAction`.

use attractor_ide::code_action::{self, Action, ActionKind};
use lsp_types::request::CodeActionRequest;
use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams,
    CodeActionTriggerKind, Diagnostic, NumberOrString, Uri,
};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// The kind of actions that run, answer and cancel; editors list kinds they do not know after the others.
pub(crate) const RUN: CodeActionKind = CodeActionKind::new("attractor.run");

/// Fixes, rewrites, and what lenses do for clients that have none.
impl DocumentRequest for CodeActionRequest {
    fn uri(params: &CodeActionParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: CodeActionParams,
    ) -> Result<Option<Vec<CodeActionOrCommand>>, RequestError> {
        let range = from_proto::text_range(context, params.range);
        let files = context.files();
        let find = if params.context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC) {
            code_action::quick_actions
        } else {
            code_action::actions
        };
        let found = find(&context.document, range, &context.runs(), files.as_ref());
        let found = found.into_iter();
        let wanted = found.filter(|action| {
            is_wanted(&params.context, action)
                && is_requested(context, &params.context, action)
                && (!action.on_request || asks(&params))
        });
        let actions =
            wanted.filter_map(|action| convert(context, &params.context.diagnostics, action));
        Ok(Some(actions.collect()))
    }
}

fn is_wanted(context: &CodeActionContext, action: &Action) -> bool {
    let Some(only) = &context.only else {
        return true;
    };
    let kind = kind(action.kind);
    // Kinds are hierarchies: who wants `refactor` gets `refactor.rewrite`.
    only.iter().any(|wanted| {
        let rest = kind.as_str().strip_prefix(wanted.as_str());
        rest.is_some_and(|rest| {
            rest.is_empty() || wanted.as_str().is_empty() || rest.starts_with('.')
        })
    })
}

/// Whether a request is about a selection, or for refactorings.
fn asks(params: &CodeActionParams) -> bool {
    let mut only = params.context.only.iter().flatten();
    let refactor = CodeActionKind::REFACTOR;
    let is_refactoring = |kind: &CodeActionKind| kind.as_str().starts_with(refactor.as_str());
    params.range.start != params.range.end || only.any(is_refactoring)
}

/// Whether a fix is for a diagnostic of the request. A request without diagnostics is about all of its range.
fn is_requested(context: &RequestContext, requested: &CodeActionContext, action: &Action) -> bool {
    let Some((rule, range)) = action.fixes else {
        return true;
    };
    let range = to_proto::range(context, range);
    let mut reported = requested.diagnostics.iter();
    requested.diagnostics.is_empty() || reported.any(|one| is_about(one, rule, range))
}

/// Whether a diagnostic that the client has is this one of ours.
fn is_about(diagnostic: &Diagnostic, rule: &str, range: lsp_types::Range) -> bool {
    diagnostic.range == range
        && matches!(&diagnostic.code, Some(NumberOrString::String(code)) if code == rule)
}

fn convert(
    context: &RequestContext,
    reported: &[Diagnostic],
    action: Action,
) -> Option<CodeActionOrCommand> {
    let command = action
        .command
        .as_ref()
        .map(|command| to_proto::command(context, action.title.clone(), command));
    if !context.features.code_action_literals {
        return command.map(CodeActionOrCommand::Command);
    }
    let fixed = action
        .fixes
        .map(|(rule, range)| (rule, to_proto::range(context, range)));
    let is_fixed = |diagnostic: &&Diagnostic| {
        fixed.is_some_and(|(rule, range)| is_about(diagnostic, rule, range))
    };
    let diagnostics: Vec<_> = reported.iter().filter(is_fixed).cloned().collect();
    let edit = match &action.other_file {
        // Without its file the change would lead nowhere.
        Some(change) => Some(to_proto::file_change(context, &action.edits, change)?),
        None if command.is_none() => Some(to_proto::workspace_edit(context, action.edits)),
        None => None,
    };
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        kind: Some(kind(action.kind)),
        diagnostics: Some(diagnostics).filter(|fixed| !fixed.is_empty()),
        edit,
        is_preferred: action.preferred.then_some(true),
        title: action.title,
        command,
        ..CodeAction::default()
    }))
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::QuickFix => CodeActionKind::QUICKFIX,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::Insert => CodeActionKind::REFACTOR,
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::FixAll => CodeActionKind::SOURCE_FIX_ALL,
        ActionKind::Run => RUN,
    }
}
