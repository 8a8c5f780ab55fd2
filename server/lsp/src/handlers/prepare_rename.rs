//! `textDocument/prepareRename`.

use std::sync::Arc;

use attractor_ide::rename;
use lsp_types::{PrepareRenameResponse, TextDocumentPositionParams};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::errors::ServerError;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// What would be renamed, or why nothing can.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let find = move |context: &RequestContext| {
        let prepared = rename::prepare(
            &context.document,
            from_proto::offset(context, params.position),
        )?;
        Ok(PrepareRenameResponse::RangeWithPlaceholder {
            range: to_proto::range(context, prepared.range),
            placeholder: prepared.placeholder,
        })
    };
    let prepared = request::answer(session, &params.text_document.uri.clone(), find)
        .await?
        .transpose();
    Ok(prepared.map_err(|reason: rename::RenameError| ServerError::Edit(reason.to_string()))?)
}
