//! `textDocument/formatting`.

use attractor_ide::dot::format;
use lsp_types::request::Formatting;
use lsp_types::{DocumentFormattingParams, TextEdit, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{format_options, to_proto};

/// The edits, as JSON, that give the whole document its layout; its meaning stays.
impl DocumentRequest for Formatting {
    fn uri(params: &DocumentFormattingParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: DocumentFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, RequestError> {
        let options = format_options::options(context, &params.options);
        let document = &context.document;
        let edits = format::edits_of(&document.text, &document.parse, &options);
        Ok(Some(to_proto::edits_in_order(context, edits)))
    }
}
