//! `textDocument/documentSymbol`.

use std::sync::Arc;

use attractor_ide::document_symbol::{self, Symbol};
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation,
};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{request, to_proto};

/// The outline, as JSON: graphs, subgraphs, nodes.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentSymbolParams,
) -> Result<Vec<u8>> {
    let find = |context: &RequestContext| {
        if context.features.hierarchical_symbols {
            let outline = document_symbol::outline(&context.document);
            DocumentSymbolResponse::Nested(
                outline
                    .into_iter()
                    .map(|symbol| nested(context, symbol))
                    .collect(),
            )
        } else {
            DocumentSymbolResponse::Flat(flat(context))
        }
    };
    request::answer_json(session, &params.text_document.uri, find).await
}

#[expect(deprecated, reason = "the type has no other way to be made")]
fn nested(context: &RequestContext, symbol: Symbol) -> DocumentSymbol {
    let children: Vec<_> = symbol
        .children
        .into_iter()
        .map(|child| nested(context, child))
        .collect();
    DocumentSymbol {
        name: symbol.name,
        detail: Some(symbol.detail).filter(|detail| !detail.is_empty()),
        kind: to_proto::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: to_proto::range(context, symbol.range),
        selection_range: to_proto::range(context, symbol.focus),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// The same as a list, with the container by name.
#[expect(deprecated, reason = "the type has no other way to be made")]
pub(crate) fn flat(context: &RequestContext) -> Vec<SymbolInformation> {
    let symbols = document_symbol::flat(&context.document).into_iter();
    symbols
        .map(|symbol| SymbolInformation {
            name: symbol.name,
            kind: to_proto::symbol_kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: Location::new(context.uri.clone(), to_proto::range(context, symbol.range)),
            container_name: symbol.container,
        })
        .collect()
}
