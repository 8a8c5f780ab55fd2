//! `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`: the nodes upstream and downstream.

use std::sync::Arc;

use attractor_ide::calls::{self, Call};
use attractor_ide::document::Document;
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, Range,
};
use serde::Deserialize as _;
use tower_lsp::jsonrpc::Result;

use super::prepare_call_hierarchy::{Remembered, item};
use crate::session::{Session, View};

/// The nodes with an edge to this one.
pub(crate) async fn incoming(
    session: &Arc<Session>,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let one = |from, from_ranges| CallHierarchyIncomingCall { from, from_ranges };
    neighbours(session, params.item, calls::incoming, one).await
}

/// The nodes this one has an edge to.
pub(crate) async fn outgoing(
    session: &Arc<Session>,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let one = |to, from_ranges| CallHierarchyOutgoingCall { to, from_ranges };
    neighbours(session, params.item, calls::outgoing, one).await
}

/// What `find` finds around a node, each with the edges that lead there.
async fn neighbours<T: Send + 'static>(
    session: &Arc<Session>,
    node: CallHierarchyItem,
    find: impl Fn(&Document, usize, &str) -> Vec<Call> + Send + 'static,
    one: impl Fn(CallHierarchyItem, Vec<Range>) -> T + Send + 'static,
) -> Result<Option<Vec<T>>> {
    let remembered = node.data.map(Remembered::deserialize);
    let Some(Ok(Remembered { graph, id })) = remembered else {
        return Ok(None);
    };
    let find = move |view: &View| {
        let found = find(&view.document, graph, &id).into_iter();
        found
            .map(|call| {
                let edges = call.ranges.into_iter().map(|range| view.range(range));
                one(item(view, call.item), edges.collect())
            })
            .collect()
    };
    session.answer(&node.uri, find).await
}
