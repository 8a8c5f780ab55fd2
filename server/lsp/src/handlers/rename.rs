//! `textDocument/rename`.

use std::sync::Arc;

use attractor_ide::rename;
use lsp_types::{RenameParams, WorkspaceEdit};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::errors::ServerError;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// The edits that rename what is at the cursor everywhere, or why that cannot be done.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: RenameParams,
) -> Result<Option<WorkspaceEdit>> {
    let at = params.text_document_position;
    let find = move |context: &RequestContext| {
        let edits = rename::rename(
            &context.document,
            from_proto::offset(context, at.position),
            &params.new_name,
        );
        edits.map(|edits| to_proto::workspace_edit(context, edits))
    };
    let renamed = request::answer(session, &at.text_document.uri.clone(), find)
        .await?
        .transpose();
    Ok(renamed.map_err(|reason| ServerError::Edit(reason.to_string()))?)
}
