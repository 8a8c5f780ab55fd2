//! `textDocument/prepareCallHierarchy`.

use std::sync::Arc;

use attractor_ide::calls::{self, CallItem};
use lsp_types::{CallHierarchyItem, CallHierarchyPrepareParams};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::to_proto;

/// What an item remembers between the requests: its node.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Remembered {
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
    let find = move |view: &View| {
        let found = calls::prepare(&view.document, view.offset(at.position))?;
        Some(vec![item(view, found)])
    };
    Ok(session
        .answer(&at.text_document.uri.clone(), find)
        .await?
        .flatten())
}

/// A node as an item of the hierarchy.
pub(crate) fn item(view: &View, node: CallItem) -> CallHierarchyItem {
    let remembered = Remembered {
        graph: node.graph,
        id: node.id.clone(),
    };
    CallHierarchyItem {
        name: node.id,
        kind: to_proto::symbol_kind(node.kind),
        tags: None,
        detail: Some(node.detail).filter(|detail| !detail.is_empty()),
        uri: view.uri.clone(),
        range: view.range(node.range),
        selection_range: view.range(node.focus),
        data: serde_json::to_value(remembered).ok(),
    }
}
