//! `textDocument/declaration`.

use std::sync::Arc;

use attractor_ide::goto_definition;
use lsp_types::request::{GotoDeclarationParams, GotoDeclarationResponse};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// Where a node is declared.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: GotoDeclarationParams,
) -> Result<Option<GotoDeclarationResponse>> {
    let at = params.text_document_position_params;
    let find = move |context: &RequestContext| {
        let offset = from_proto::offset(context, at.position);
        to_proto::targets(
            context,
            &goto_definition::declaration(&context.document, offset),
        )
    };
    request::answer(session, &at.text_document.uri.clone(), find).await
}
