//! `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`.

use std::sync::Arc;

use attractor_proto::requests::{incoming_calls, outgoing_calls};
use attractor_proto::{RequestContext, Workspace};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, LSPAny,
};
use tower_lsp::jsonrpc::{Error, Result};

use crate::context;
use crate::session::Session;

/// The nodes with an edge to this one, and for a start node those that run its pipeline.
pub(crate) async fn incoming(
    session: &Arc<Session>,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    neighbours(session, params.item, incoming_calls).await
}

/// The nodes this one has an edge to, and the start of the pipeline it runs.
pub(crate) async fn outgoing(
    session: &Arc<Session>,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    neighbours(session, params.item, outgoing_calls).await
}

/// Finds calls around a node by the data of its item.
type FindNeighbours<T> = fn(&dyn Workspace, &RequestContext, Option<LSPAny>) -> Option<Vec<T>>;

/// What `find` finds around a node. Reads files, so it works on a thread of its own.
async fn neighbours<T: Send + 'static>(
    session: &Arc<Session>,
    node: CallHierarchyItem,
    find: FindNeighbours<T>,
) -> Result<Option<Vec<T>>> {
    let Ok(context) = context::load(session, &node.uri).await else {
        return Ok(None);
    };
    let session = Arc::clone(session);
    let work = tokio::task::spawn_blocking(move || find(session.as_ref(), &context, node.data));
    work.await.map_err(|_| Error::internal_error())
}
