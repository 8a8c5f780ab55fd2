//! `textDocument/prepareCallHierarchy`.

use attractor_ide::call_hierarchy::{self, CallItem};
use lsp_types::request::CallHierarchyPrepare;
use lsp_types::{CallHierarchyItem, CallHierarchyPrepareParams, Uri};
use serde::{Deserialize, Serialize};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// The data of an item, sent back by the client: its node.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CallHierarchyData {
    /// The number of its graph in the document.
    pub graph: usize,
    /// Its id.
    pub id: String,
}

/// The node at the cursor.
impl DocumentRequest for CallHierarchyPrepare {
    fn uri(params: &CallHierarchyPrepareParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>, RequestError> {
        let at = params.text_document_position_params.position;
        let offset = from_proto::offset(context, at);
        let found = call_hierarchy::prepare(&context.document, offset);
        Ok(found.map(|found| vec![item(context, found)]))
    }
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
