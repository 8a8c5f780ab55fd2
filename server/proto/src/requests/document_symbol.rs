//! `textDocument/documentSymbol`.

use attractor_ide::document_symbol::{self, Symbol};
use lsp_types::request::DocumentSymbolRequest;
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, Uri,
};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::to_proto;

/// The outline, as JSON: graphs, subgraphs, nodes.
impl DocumentRequest for DocumentSymbolRequest {
    fn uri(params: &DocumentSymbolParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        _: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>, RequestError> {
        Ok(Some(if context.features.hierarchical_symbols {
            let outline = document_symbol::outline(&context.document);
            let symbols = outline.into_iter();
            DocumentSymbolResponse::Nested(symbols.map(|symbol| nested(context, symbol)).collect())
        } else {
            DocumentSymbolResponse::Flat(flat(context))
        }))
    }
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
