//! `textDocument/documentSymbol`.

use std::sync::Arc;

use attractor_ide::symbols::{self, Symbol};
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation,
};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::to_proto;

/// The outline: graphs, subgraphs, nodes.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>> {
    let find = |view: &View| {
        if view.features().hierarchical_symbols {
            let outline = symbols::outline(&view.document);
            DocumentSymbolResponse::Nested(
                outline
                    .into_iter()
                    .map(|symbol| nested(view, symbol))
                    .collect(),
            )
        } else {
            DocumentSymbolResponse::Flat(flat(view))
        }
    };
    session.answer(&params.text_document.uri, find).await
}

#[expect(deprecated, reason = "the type has no other way to be made")]
fn nested(view: &View, symbol: Symbol) -> DocumentSymbol {
    let children: Vec<_> = symbol
        .children
        .into_iter()
        .map(|child| nested(view, child))
        .collect();
    DocumentSymbol {
        name: symbol.name,
        detail: Some(symbol.detail).filter(|detail| !detail.is_empty()),
        kind: to_proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: view.range(symbol.range),
        selection_range: view.range(symbol.focus),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// The same as a list, with the container by name.
#[expect(deprecated, reason = "the type has no other way to be made")]
pub(crate) fn flat(view: &View) -> Vec<SymbolInformation> {
    let symbols = symbols::flat(&view.document).into_iter();
    symbols
        .map(|symbol| SymbolInformation {
            name: symbol.name,
            kind: to_proto::symbol_kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: Location::new(view.uri.clone(), view.range(symbol.range)),
            container_name: symbol.container,
        })
        .collect()
}
