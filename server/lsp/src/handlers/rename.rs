//! `textDocument/rename`.

use std::sync::Arc;

use attractor_ide::rename;
use lsp_types::{RenameParams, WorkspaceEdit};
use tower_lsp::jsonrpc::Result;

use crate::errors::Refusal;
use crate::session::{Session, View};
use crate::to_proto;

/// The edits that rename what is at the cursor everywhere, or why that cannot be done.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: RenameParams,
) -> Result<Option<WorkspaceEdit>> {
    let at = params.text_document_position;
    let find = move |view: &View| {
        let edits = rename::rename(&view.document, view.offset(at.position), &params.new_name);
        edits.map(|edits| to_proto::workspace_edit(view, edits))
    };
    let renamed = session
        .answer(&at.text_document.uri.clone(), find)
        .await?
        .transpose();
    Ok(renamed.map_err(|reason| Refusal::Edit(reason.to_string()))?)
}
