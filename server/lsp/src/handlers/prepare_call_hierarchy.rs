//! `textDocument/prepareCallHierarchy`.

use std::sync::Arc;

use attractor_ide::call_hierarchy::{self, CallItem};
use lsp_types::{CallHierarchyItem, CallHierarchyPrepareParams};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// The data of an item, sent back by the client: its node.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CallHierarchyData {
    /// The number of its graph in the document.
    pub(crate) graph: usize,
    /// Its id.
    pub(crate) id: String,
}

/// The node at the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let at = params.text_document_position_params;
    let find = move |context: &RequestContext| {
        let found =
            call_hierarchy::prepare(&context.document, from_proto::offset(context, at.position))?;
        Some(vec![item(context, found)])
    };
    Ok(
        request::answer(session, &at.text_document.uri.clone(), find)
            .await?
            .flatten(),
    )
}

/// A node as an item of the hierarchy.
pub(crate) fn item(context: &RequestContext, node: CallItem) -> CallHierarchyItem {
    let data = CallHierarchyData {
        graph: node.graph,
        id: node.id.clone(),
    };
    CallHierarchyItem {
        name: node.id,
        kind: to_proto::symbol_kind(node.kind),
        tags: None,
        detail: Some(node.detail).filter(|detail| !detail.is_empty()),
        uri: context.uri.clone(),
        range: to_proto::range(context, node.range),
        selection_range: to_proto::range(context, node.focus),
        data: serde_json::to_value(data).ok(),
    }
}
