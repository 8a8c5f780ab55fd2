//! `textDocument/documentColor`.

use std::sync::Arc;

use attractor_ide::colours;
use lsp_types::{Color, ColorInformation, DocumentColorParams};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// Every colour of a document.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentColorParams,
) -> Result<Vec<ColorInformation>> {
    let find = |view: &View| {
        let found = colours::colours(&view.document).into_iter();
        let convert = |colour: colours::Colour| {
            let [red, green, blue, alpha] = colour.rgba;
            ColorInformation {
                range: view.range(colour.range),
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
    Ok(session
        .answer(&params.text_document.uri, find)
        .await?
        .unwrap_or_default())
}
