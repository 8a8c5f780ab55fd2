//! `textDocument/prepareRename`.

use std::sync::Arc;

use attractor_ide::rename;
use lsp_types::{PrepareRenameResponse, TextDocumentPositionParams};
use tower_lsp::jsonrpc::Result;

use crate::errors::Refusal;
use crate::session::{Session, View};

/// What would be renamed, or why nothing can.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let find = move |view: &View| {
        let prepared = rename::prepare(&view.document, view.offset(params.position))?;
        Ok(PrepareRenameResponse::RangeWithPlaceholder {
            range: view.range(prepared.range),
            placeholder: prepared.placeholder,
        })
    };
    let prepared = session
        .answer(&params.text_document.uri.clone(), find)
        .await?
        .transpose();
    Ok(prepared.map_err(|reason: rename::RenameError| Refusal::Edit(reason.to_string()))?)
}
