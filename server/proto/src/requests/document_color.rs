//! `textDocument/documentColor`.

use attractor_ide::document_color;
use lsp_types::request::DocumentColor;
use lsp_types::{Color, ColorInformation, DocumentColorParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::to_proto;

/// Every colour of a document.
impl DocumentRequest for DocumentColor {
    fn uri(params: &DocumentColorParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        _: DocumentColorParams,
    ) -> Result<Vec<ColorInformation>, RequestError> {
        let found = document_color::colors(&context.document).into_iter();
        let convert = |colour: document_color::Color| {
            let [red, green, blue, alpha] = colour.rgba;
            ColorInformation {
                range: to_proto::range(context, colour.range),
                color: Color {
                    red,
                    green,
                    blue,
                    alpha,
                },
            }
        };
        Ok(found.map(convert).collect())
    }
}
