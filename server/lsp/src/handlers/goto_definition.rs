//! `textDocument/definition`.

use std::sync::Arc;

use attractor_ide::navigation;
use lsp_types::{GotoDefinitionParams, GotoDefinitionResponse};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::to_proto;

/// Where a node, a class, a key, a sub-pipeline or a file is defined.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let at = params.text_document_position_params;
    let find = move |view: &View| {
        let offset = view.offset(at.position);
        to_proto::targets(
            view,
            &navigation::definition(&view.document, offset, view.files().as_ref()),
        )
    };
    session.answer(&at.text_document.uri.clone(), find).await
}
