//! `textDocument/documentLink`.

use attractor_ide::document_link::{self, LinkTarget};
use lsp_types::request::DocumentLinkRequest;
use lsp_types::{DocumentLink, DocumentLinkParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::to_proto;

/// Files and addresses that values name.
impl DocumentRequest for DocumentLinkRequest {
    fn uri(params: &DocumentLinkParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        _: DocumentLinkParams,
    ) -> Result<Option<Vec<DocumentLink>>, RequestError> {
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
        Ok(Some(links.collect()))
    }
}
