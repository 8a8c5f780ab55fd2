//! `textDocument/documentLink`.

use std::sync::Arc;

use attractor_ide::document_link::{self, LinkTarget};
use lsp_types::{DocumentLink, DocumentLinkParams};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{request, to_proto};

/// Files and addresses that values name.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentLinkParams,
) -> Result<Option<Vec<DocumentLink>>> {
    let find = |context: &RequestContext| {
        let found = document_link::links(&context.document, context.files().as_ref()).into_iter();
        let links = found.filter_map(|link| {
            let target = match &link.target {
                LinkTarget::File(path) => context.uri_of(path)?,
                LinkTarget::Url(url) => url.parse().ok()?,
            };
            Some(DocumentLink {
                range: to_proto::range(context, link.range),
                target: Some(target),
                tooltip: None,
                data: None,
            })
        });
        links.collect()
    };
    request::answer(session, &params.text_document.uri, find).await
}
