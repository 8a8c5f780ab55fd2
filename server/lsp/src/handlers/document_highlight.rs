//! `textDocument/documentHighlight`.

use std::sync::Arc;

use attractor_ide::references::{self, Access};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// Every place of this document that names what is at the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let at = params.text_document_position_params;
    let find = move |context: &RequestContext| {
        let found =
            references::highlights(&context.document, from_proto::offset(context, at.position))
                .into_iter();
        found
            .map(|highlight| DocumentHighlight {
                range: to_proto::range(context, highlight.range),
                kind: Some(match highlight.access {
                    Access::Write => DocumentHighlightKind::WRITE,
                    Access::Read => DocumentHighlightKind::READ,
                }),
            })
            .collect()
    };
    request::answer(session, &at.text_document.uri.clone(), find).await
}
