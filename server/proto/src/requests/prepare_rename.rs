//! `textDocument/prepareRename`.

use attractor_ide::rename;
use lsp_types::request::PrepareRenameRequest;
use lsp_types::{PrepareRenameResponse, TextDocumentPositionParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// What would be renamed, or why nothing can.
impl DocumentRequest for PrepareRenameRequest {
    fn uri(params: &TextDocumentPositionParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>, RequestError> {
        let offset = from_proto::offset(context, params.position);
        let prepared = rename::prepare(&context.document, offset)?;
        Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
            range: to_proto::range(context, prepared.range),
            placeholder: prepared.placeholder,
        }))
    }
}
