//! `textDocument/linkedEditingRange`.

use std::sync::Arc;

use attractor_ide::linked_editing;
use lsp_types::{LinkedEditingRangeParams, LinkedEditingRanges};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// The places that change together with the one under the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: LinkedEditingRangeParams,
) -> Result<Option<LinkedEditingRanges>> {
    let at = params.text_document_position_params;
    let find = move |context: &RequestContext| {
        let found =
            linked_editing::ranges(&context.document, from_proto::offset(context, at.position))?;
        let ranges = found
            .into_iter()
            .map(|range| to_proto::range(context, range))
            .collect();
        Some(LinkedEditingRanges {
            ranges,
            word_pattern: None,
        })
    };
    Ok(
        request::answer(session, &at.text_document.uri.clone(), find)
            .await?
            .flatten(),
    )
}
