//! `textDocument/onTypeFormatting`.

use attractor_ide::dot::format;
use lsp_types::request::OnTypeFormatting;
use lsp_types::{DocumentOnTypeFormattingParams, TextEdit, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{format_options, from_proto, to_proto};

/// The characters that bring something into its layout, the first one and the others.
pub(crate) const TRIGGERS: (&str, [&str; 3]) = ("}", ["]", ";", "\n"]);

/// What the typed character ends, in its layout.
impl DocumentRequest for OnTypeFormatting {
    fn uri(params: &DocumentOnTypeFormattingParams) -> &Uri {
        &params.text_document_position.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, RequestError> {
        let Some(typed) = params.ch.chars().next() else {
            return Ok(None);
        };
        let options = format_options::options(context, &params.options);
        let offset = from_proto::offset(context, params.text_document_position.position);
        let edits = format::on_type(&context.document.text, offset, typed, &options);
        Ok(Some(to_proto::edits(context, &edits)))
    }
}
