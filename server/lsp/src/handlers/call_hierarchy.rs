//! `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`: the nodes upstream and downstream, through
//! sub-pipelines into other files.

use std::sync::Arc;

use attractor_ide::call_hierarchy::{self, Call, Called, SubCall};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, Range,
};
use serde::Deserialize as _;
use tower_lsp::jsonrpc::{Error, Result};

use super::prepare_call_hierarchy::{CallHierarchyData, item};
use crate::context::RequestContext;
use crate::session::Session;
use crate::{context, paths, to_proto};

/// A neighbour, and the places that lead to it.
type Neighbour = (CallHierarchyItem, Vec<Range>);

/// The nodes with an edge to this one, and for a start node those that run its pipeline.
pub(crate) async fn incoming(
    session: &Arc<Session>,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let found = neighbours(session, params.item, callers).await?;
    let one = |(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges };
    Ok(found.map(|found| found.into_iter().map(one).collect()))
}

/// The nodes this one has an edge to, and the start of the pipeline it runs.
pub(crate) async fn outgoing(
    session: &Arc<Session>,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let found = neighbours(session, params.item, callees).await?;
    let one = |(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges };
    Ok(found.map(|found| found.into_iter().map(one).collect()))
}

/// What `find` finds around a node. Reads files, so it works on a thread of its own.
async fn neighbours(
    session: &Arc<Session>,
    node: CallHierarchyItem,
    find: fn(&Session, &RequestContext, &CallHierarchyData) -> Vec<Neighbour>,
) -> Result<Option<Vec<Neighbour>>> {
    let data = node.data.map(CallHierarchyData::deserialize);
    let Some(Ok(data)) = data else {
        return Ok(None);
    };
    let Ok(context) = context::load(session, &node.uri).await else {
        return Ok(None);
    };
    let session = Arc::clone(session);
    let work = tokio::task::spawn_blocking(move || find(&session, &context, &data));
    work.await.map(Some).map_err(|_| Error::internal_error())
}

fn callers(
    session: &Session,
    context: &RequestContext,
    node: &CallHierarchyData,
) -> Vec<Neighbour> {
    let mut found = along_edges(
        context,
        call_hierarchy::incoming(&context.document, node.graph, &node.id),
    );
    let entry = call_hierarchy::entry(&context.document, Some(node.graph));
    if entry.is_none_or(|entry| entry.id != node.id) {
        return found;
    }
    let is_first = call_hierarchy::entry(&context.document, None)
        .is_some_and(|first| first.graph == node.graph);
    found.extend(who_runs(context, |called| {
        *called == Called::Here(node.graph)
    }));
    for other in context::of_workspace(session) {
        if other.uri == context.uri {
            continue;
        }
        let leads_here = |called: &Called| match called {
            Called::File(path) => {
                is_first
                    && other
                        .uri_of(path)
                        .is_some_and(|uri| paths::same_uri(&uri, &context.uri))
            }
            Called::Here(_) => false,
        };
        found.extend(who_runs(&other, leads_here));
    }
    found
}

fn callees(
    session: &Session,
    context: &RequestContext,
    node: &CallHierarchyData,
) -> Vec<Neighbour> {
    let mut found = along_edges(
        context,
        call_hierarchy::outgoing(&context.document, node.graph, &node.id),
    );
    let subs = call_hierarchy::sub_calls(&context.document, context.files().as_ref());
    let mine = |call: &&SubCall| call.caller.graph == node.graph && call.caller.id == node.id;
    if let Some(call) = subs.iter().find(mine) {
        found.extend(
            start_of(session, context, &call.called)
                .map(|start| (start, vec![to_proto::range(context, call.range)])),
        );
    }
    found
}

fn along_edges(context: &RequestContext, calls: Vec<Call>) -> Vec<Neighbour> {
    let calls = calls.into_iter();
    calls
        .map(|call| {
            let edges = call
                .ranges
                .into_iter()
                .map(|range| to_proto::range(context, range));
            (item(context, call.item), edges.collect())
        })
        .collect()
}

/// The nodes of a document that run a pipeline that is meant.
fn who_runs(context: &RequestContext, is_meant: impl Fn(&Called) -> bool) -> Vec<Neighbour> {
    let subs = call_hierarchy::sub_calls(&context.document, context.files().as_ref()).into_iter();
    let meant = subs.filter(|call| is_meant(&call.called));
    meant
        .map(|call| {
            (
                item(context, call.caller),
                vec![to_proto::range(context, call.range)],
            )
        })
        .collect()
}

fn start_of(
    session: &Session,
    context: &RequestContext,
    called: &Called,
) -> Option<CallHierarchyItem> {
    match called {
        Called::Here(number) => {
            let start = call_hierarchy::entry(&context.document, Some(*number))?;
            Some(item(context, start))
        }
        Called::File(path) => {
            let path = paths::path_of(&context.uri_of(path)?)?;
            let other = RequestContext::of_file(session, &path)?;
            let start = call_hierarchy::entry(&other.document, None)?;
            Some(item(&other, start))
        }
    }
}
