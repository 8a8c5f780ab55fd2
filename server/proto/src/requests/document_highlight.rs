//! `textDocument/documentHighlight`.

use attractor_ide::references::{self, Access};
use lsp_types::request::DocumentHighlightRequest;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// Every place of this document that names what is at the cursor.
impl DocumentRequest for DocumentHighlightRequest {
    fn uri(params: &DocumentHighlightParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>, RequestError> {
        let at = params.text_document_position_params.position;
        let offset = from_proto::offset(context, at);
        let found = references::highlights(&context.document, offset).into_iter();
        let convert = |highlight: references::Highlight| DocumentHighlight {
            range: to_proto::range(context, highlight.range),
            kind: Some(match highlight.access {
                Access::Write => DocumentHighlightKind::WRITE,
                Access::Read => DocumentHighlightKind::READ,
            }),
        };
        Ok(Some(found.map(convert).collect()))
    }
}
