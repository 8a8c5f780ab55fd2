//! `textDocument/references`.

use std::sync::Arc;

use attractor_ide::references::{self, Declarations};
use lsp_types::{Location, ReferenceParams};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// Every place that names what is at the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: ReferenceParams,
) -> Result<Option<Vec<Location>>> {
    let at = params.text_document_position;
    let declarations = if params.context.include_declaration {
        Declarations::Include
    } else {
        Declarations::Exclude
    };
    let find = move |context: &RequestContext| {
        let found = references::references(
            &context.document,
            from_proto::offset(context, at.position),
            declarations,
        );
        found
            .into_iter()
            .map(|range| Location::new(context.uri.clone(), to_proto::range(context, range)))
            .collect()
    };
    request::answer(session, &at.text_document.uri.clone(), find).await
}
