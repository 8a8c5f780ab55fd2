//! `textDocument/documentColor`.

use std::sync::Arc;

use attractor_ide::document_color;
use lsp_types::{Color, ColorInformation, DocumentColorParams};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{request, to_proto};

/// Every colour of a document.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentColorParams,
) -> Result<Vec<ColorInformation>> {
    let find = |context: &RequestContext| {
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
        found.map(convert).collect()
    };
    Ok(request::answer(session, &params.text_document.uri, find)
        .await?
        .unwrap_or_default())
}
