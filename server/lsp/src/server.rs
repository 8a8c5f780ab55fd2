//! Which method goes to which handler. One line each; nothing is decided here. Requests with very large answers are
//! answered in [`crate::large_responses`].

use std::sync::Arc;

use attractor_proto::requests;
use lsp_types::request::{
    CallHierarchyPrepare, CodeLensRequest, DocumentColor, DocumentHighlightRequest,
    DocumentLinkRequest, FoldingRangeRequest, GotoDeclaration, GotoDeclarationParams,
    GotoDeclarationResponse, GotoDefinition, HoverRequest, InlayHintRequest, LinkedEditingRange,
    OnTypeFormatting, PrepareRenameRequest, RangeFormatting, References, Rename,
    SelectionRangeRequest, SemanticTokensFullDeltaRequest, SemanticTokensRangeRequest,
    SignatureHelpRequest,
};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    CodeActionOrCommand, CodeActionParams, CodeLens, CodeLensParams, ColorInformation,
    ColorPresentation, ColorPresentationParams, CompletionItem, CompletionParams,
    CompletionResponse, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentColorParams,
    DocumentDiagnosticParams, DocumentDiagnosticReportResult, DocumentHighlight,
    DocumentHighlightParams, DocumentLink, DocumentLinkParams, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, ExecuteCommandParams, FoldingRange, FoldingRangeParams,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams, InitializeParams,
    InitializeResult, InitializedParams, InlayHint, InlayHintParams, LSPAny,
    LinkedEditingRangeParams, LinkedEditingRanges, Location, PrepareRenameResponse,
    ReferenceParams, RenameFilesParams, RenameParams, SelectionRange, SelectionRangeParams,
    SemanticTokensDeltaParams, SemanticTokensFullDeltaResult, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SetTraceParams, SignatureHelp, SignatureHelpParams,
    TextDocumentPositionParams, TextEdit, WorkDoneProgressCancelParams, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReportResult, WorkspaceEdit, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::Result;

use crate::handlers;
use crate::request::answer;
use crate::session::Session;

/// The server behind the framework.
pub(crate) struct Backend {
    session: Arc<Session>,
}

impl Backend {
    /// Serves one session.
    pub(crate) fn new(session: Arc<Session>) -> Self {
        Self { session }
    }

    /// `window/workDoneProgress/cancel`, which the framework does not know.
    #[expect(
        clippy::unused_async,
        reason = "the framework takes handlers of this form only"
    )]
    pub(crate) async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        handlers::cancel_progress::handle(&self.session, params);
    }

    /// `attractor/apiKeys`.
    #[expect(
        clippy::unused_async,
        reason = "the framework takes handlers of this form only"
    )]
    pub(crate) async fn api_keys(&self, params: LSPAny) {
        handlers::api_keys::handle(&self.session, &params);
    }

    /// `attractor/serverToken`.
    #[expect(
        clippy::unused_async,
        reason = "the framework takes handlers of this form only"
    )]
    pub(crate) async fn server_token(&self, params: LSPAny) {
        handlers::server_token::handle(&self.session, &params);
    }

    /// `$/setTrace`, which the framework does not know.
    #[expect(
        clippy::unused_async,
        reason = "the framework takes handlers of this form only"
    )]
    pub(crate) async fn set_trace(&self, params: SetTraceParams) {
        handlers::set_trace::handle(&self.session, &params);
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        Ok(handlers::initialize::handle(&self.session, &params))
    }

    async fn initialized(&self, _: InitializedParams) {
        handlers::initialized::handle(&self.session);
    }

    async fn shutdown(&self) -> Result<()> {
        handlers::shutdown::handle(&self.session);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        handlers::did_open::handle(&self.session, params);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        handlers::did_change::handle(&self.session, params);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        handlers::did_save::handle(&self.session, &params);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        handlers::did_close::handle(&self.session, params);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        handlers::did_change_configuration::handle(&self.session, params);
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        handlers::did_change_workspace_folders::handle(&self.session, params);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        handlers::did_change_watched_files::handle(&self.session, &params);
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        handlers::diagnostic::handle(&self.session, params).await
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        handlers::workspace_diagnostic::handle(&self.session, params).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        handlers::completion::handle(&self.session, params).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        Ok(requests::completion_resolve(item))
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        answer::<CodeLensRequest>(&self.session, params).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        handlers::execute_command::handle(&self.session, params).await
    }

    async fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        answer::<RangeFormatting>(&self.session, params).await
    }

    async fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        answer::<OnTypeFormatting>(&self.session, params).await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        answer::<HoverRequest>(&self.session, params).await
    }

    async fn code_action(
        &self,
        params: CodeActionParams,
    ) -> Result<Option<Vec<CodeActionOrCommand>>> {
        handlers::code_action::handle(&self.session, params).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        answer::<SemanticTokensFullDeltaRequest>(&self.session, params).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        answer::<SemanticTokensRangeRequest>(&self.session, params).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        answer::<InlayHintRequest>(&self.session, params).await
    }

    async fn document_color(&self, params: DocumentColorParams) -> Result<Vec<ColorInformation>> {
        answer::<DocumentColor>(&self.session, params).await
    }

    async fn color_presentation(
        &self,
        params: ColorPresentationParams,
    ) -> Result<Vec<ColorPresentation>> {
        Ok(requests::color_presentation(&params))
    }

    async fn linked_editing_range(
        &self,
        params: LinkedEditingRangeParams,
    ) -> Result<Option<LinkedEditingRanges>> {
        answer::<LinkedEditingRange>(&self.session, params).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        answer::<CallHierarchyPrepare>(&self.session, params).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        handlers::call_hierarchy::incoming(&self.session, params).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        handlers::call_hierarchy::outgoing(&self.session, params).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        answer::<SignatureHelpRequest>(&self.session, params).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        answer::<DocumentLinkRequest>(&self.session, params).await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        answer::<DocumentHighlightRequest>(&self.session, params).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        answer::<FoldingRangeRequest>(&self.session, params).await
    }

    async fn goto_declaration(
        &self,
        params: GotoDeclarationParams,
    ) -> Result<Option<GotoDeclarationResponse>> {
        answer::<GotoDeclaration>(&self.session, params).await
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        answer::<GotoDefinition>(&self.session, params).await
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        answer::<PrepareRenameRequest>(&self.session, params).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        answer::<References>(&self.session, params).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        answer::<Rename>(&self.session, params).await
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        answer::<SelectionRangeRequest>(&self.session, params).await
    }

    async fn symbol(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<WorkspaceSymbolResponse>> {
        handlers::workspace_symbol::handle(&self.session, params).await
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        handlers::will_rename_files::handle(&self.session, params).await
    }
}
