//! `textDocument/definition`.

use std::sync::Arc;

use attractor_ide::goto_definition;
use lsp_types::{GotoDefinitionParams, GotoDefinitionResponse};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// Where a node, a class, a key, a sub-pipeline or a file is defined.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let at = params.text_document_position_params;
    let find = move |context: &RequestContext| {
        let offset = from_proto::offset(context, at.position);
        to_proto::targets(
            context,
            &goto_definition::definition(&context.document, offset, context.files().as_ref()),
        )
    };
    request::answer(session, &at.text_document.uri.clone(), find).await
}
