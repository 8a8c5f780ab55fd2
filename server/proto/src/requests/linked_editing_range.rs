//! `textDocument/linkedEditingRange`.

use attractor_ide::linked_editing;
use lsp_types::request::LinkedEditingRange;
use lsp_types::{LinkedEditingRangeParams, LinkedEditingRanges, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// The places that change together with the one under the cursor.
impl DocumentRequest for LinkedEditingRange {
    fn uri(params: &LinkedEditingRangeParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: LinkedEditingRangeParams,
    ) -> Result<Option<LinkedEditingRanges>, RequestError> {
        let at = params.text_document_position_params.position;
        let offset = from_proto::offset(context, at);
        let found = linked_editing::ranges(&context.document, offset);
        Ok(found.map(|found| {
            let ranges = found.into_iter();
            let ranges = ranges.map(|range| to_proto::range(context, range));
            LinkedEditingRanges {
                ranges: ranges.collect(),
                word_pattern: None,
            }
        }))
    }
}
