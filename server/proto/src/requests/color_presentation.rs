//! `textDocument/colorPresentation`.

use attractor_ide::document_color;
use lsp_types::{ColorPresentation, ColorPresentationParams};

/// The ways to write a colour; it needs no document.
pub fn handle(params: &ColorPresentationParams) -> Vec<ColorPresentation> {
    let color = params.color;
    let ways = document_color::presentations([color.red, color.green, color.blue, color.alpha])
        .into_iter();
    ways.map(|label| ColorPresentation {
        label,
        ..ColorPresentation::default()
    })
    .collect()
}
