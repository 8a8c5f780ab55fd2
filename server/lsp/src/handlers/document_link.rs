//! `textDocument/documentLink`.

use std::sync::Arc;

use attractor_ide::links::{self, LinkTarget};
use lsp_types::{DocumentLink, DocumentLinkParams};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// Files and addresses that values name.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentLinkParams,
) -> Result<Option<Vec<DocumentLink>>> {
    let find = |view: &View| {
        let found = links::links(&view.document, view.files().as_ref()).into_iter();
        let links = found.filter_map(|link| {
            let target = match &link.target {
                LinkTarget::File(path) => view.uri_of(path)?,
                LinkTarget::Url(url) => url.parse().ok()?,
            };
            Some(DocumentLink {
                range: view.range(link.range),
                target: Some(target),
                tooltip: None,
                data: None,
            })
        });
        links.collect()
    };
    session.answer(&params.text_document.uri, find).await
}
