//! `textDocument/declaration`.

use std::sync::Arc;

use attractor_ide::navigation;
use lsp_types::request::{GotoDeclarationParams, GotoDeclarationResponse};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::to_proto;

/// Where a node is declared.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: GotoDeclarationParams,
) -> Result<Option<GotoDeclarationResponse>> {
    let at = params.text_document_position_params;
    let find = move |view: &View| {
        let offset = view.offset(at.position);
        to_proto::targets(view, &navigation::declaration(&view.document, offset))
    };
    session.answer(&at.text_document.uri.clone(), find).await
}
