//! `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`: the nodes upstream and downstream, through
//! sub-pipelines into other files.

use attractor_ide::call_hierarchy::{self, Call, Called, SubCall};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, LSPAny, Range,
};
use serde::Deserialize as _;

use super::prepare_call_hierarchy::{CallHierarchyData, item};
use crate::context::{RequestContext, Workspace};
use crate::{paths, to_proto};

/// A neighbour, and the places that lead to it.
type Neighbour = (CallHierarchyItem, Vec<Range>);

/// The nodes with an edge to the node of an item, and for a start node those that run its pipeline. `None` when the data
/// of the item is not ours.
pub fn incoming_calls(
    workspace: &dyn Workspace,
    context: &RequestContext,
    data: Option<LSPAny>,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let found = callers(workspace, context, &node(data)?).into_iter();
    let one = |(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges };
    Some(found.map(one).collect())
}

/// The nodes the node of an item has an edge to, and the start of the pipeline it runs.
pub fn outgoing_calls(
    workspace: &dyn Workspace,
    context: &RequestContext,
    data: Option<LSPAny>,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let found = callees(workspace, context, &node(data)?).into_iter();
    let one = |(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges };
    Some(found.map(one).collect())
}

fn node(data: Option<LSPAny>) -> Option<CallHierarchyData> {
    CallHierarchyData::deserialize(data?).ok()
}

fn callers(
    workspace: &dyn Workspace,
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
    for other in workspace.contexts() {
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
    workspace: &dyn Workspace,
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
            start_of(workspace, context, &call.called)
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
    workspace: &dyn Workspace,
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
            let other = workspace.at(&path)?;
            let start = call_hierarchy::entry(&other.document, None)?;
            Some(item(&other, start))
        }
    }
}
