//! One file per method of the protocol: ask [`attractor_ide`], convert.

mod call_hierarchy;
mod code_action;
mod code_lens;
mod color_presentation;
mod completion;
mod completion_resolve;
mod document_color;
mod document_highlight;
mod document_link;
mod document_symbol;
mod folding_range;
mod formatting;
mod goto_declaration;
mod goto_definition;
mod hover;
mod inlay_hint;
mod linked_editing_range;
pub(crate) mod on_type_formatting;
mod prepare_call_hierarchy;
mod prepare_rename;
mod range_formatting;
mod references;
mod rename;
mod selection_range;
mod semantic_tokens_full;
mod semantic_tokens_full_delta;
mod semantic_tokens_range;
pub(crate) mod signature_help;
mod workspace_symbol;

use lsp_types::request::{
    CallHierarchyPrepare, CodeActionRequest, CodeLensRequest, Completion, DocumentColor,
    DocumentHighlightRequest, DocumentLinkRequest, DocumentSymbolRequest, FoldingRangeRequest,
    Formatting, GotoDeclaration, GotoDefinition, HoverRequest, InlayHintRequest,
    LinkedEditingRange, OnTypeFormatting, PrepareRenameRequest, RangeFormatting, References,
    Rename, SelectionRangeRequest, SemanticTokensFullDeltaRequest, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, SignatureHelpRequest,
};

use crate::request::{RequestRow, large, row};

pub use self::call_hierarchy::{incoming_calls, outgoing_calls};
pub(crate) use self::code_action::RUN;
pub use self::color_presentation::handle as color_presentation;
pub use self::completion_resolve::handle as completion_resolve;
pub use self::workspace_symbol::workspace_symbols;

/// Every request about one document.
pub const REQUESTS: [RequestRow; 25] = [
    row::<CallHierarchyPrepare>(),
    row::<CodeActionRequest>(),
    row::<CodeLensRequest>(),
    row::<Completion>(),
    row::<DocumentColor>(),
    row::<DocumentHighlightRequest>(),
    row::<DocumentLinkRequest>(),
    large::<DocumentSymbolRequest>(),
    row::<FoldingRangeRequest>(),
    large::<Formatting>(),
    row::<GotoDeclaration>(),
    row::<GotoDefinition>(),
    row::<HoverRequest>(),
    row::<InlayHintRequest>(),
    row::<LinkedEditingRange>(),
    row::<OnTypeFormatting>(),
    row::<PrepareRenameRequest>(),
    row::<RangeFormatting>(),
    row::<References>(),
    row::<Rename>(),
    row::<SelectionRangeRequest>(),
    row::<SemanticTokensFullDeltaRequest>(),
    large::<SemanticTokensFullRequest>(),
    row::<SemanticTokensRangeRequest>(),
    row::<SignatureHelpRequest>(),
];
