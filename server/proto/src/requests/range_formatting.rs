//! `textDocument/rangeFormatting`.

use attractor_ide::dot::format;
use lsp_types::request::RangeFormatting;
use lsp_types::{DocumentRangeFormattingParams, TextEdit, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{format_options, from_proto, to_proto};

/// The edits of the whole document that are in a range.
impl DocumentRequest for RangeFormatting {
    fn uri(params: &DocumentRangeFormattingParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, RequestError> {
        let options = format_options::options(context, &params.options);
        let range = from_proto::text_range(context, params.range);
        let edits = format::range(&context.document.text, range, &options);
        Ok(Some(to_proto::edits(context, &edits)))
    }
}
