//! `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`: the nodes upstream and downstream, through
//! sub-pipelines into other files.

use std::sync::Arc;

use attractor_ide::calls::{self, Call, Called, SubCall};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, Range, Uri,
};
use serde::Deserialize as _;
use tower_lsp::jsonrpc::{Error, Result};

use super::prepare_call_hierarchy::{Remembered, item};
use crate::runs::launch;
use crate::session::{Session, View};
use crate::workspace;

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
    find: fn(&View, &Remembered) -> Vec<Neighbour>,
) -> Result<Option<Vec<Neighbour>>> {
    let remembered = node.data.map(Remembered::deserialize);
    let Some(Ok(remembered)) = remembered else {
        return Ok(None);
    };
    let Ok(view) = launch::view(session, &node.uri).await else {
        return Ok(None);
    };
    let work = tokio::task::spawn_blocking(move || find(&view, &remembered));
    work.await.map(Some).map_err(|_| Error::internal_error())
}

fn callers(view: &View, node: &Remembered) -> Vec<Neighbour> {
    let mut found = along_edges(view, calls::incoming(&view.document, node.graph, &node.id));
    let entry = calls::entry(&view.document, Some(node.graph));
    if entry.is_none_or(|entry| entry.id != node.id) {
        return found;
    }
    let is_first =
        calls::entry(&view.document, None).is_some_and(|first| first.graph == node.graph);
    found.extend(who_runs(view, |called| *called == Called::Here(node.graph)));
    for other in view.session.views_of_workspace() {
        if other.uri == view.uri {
            continue;
        }
        let leads_here = |called: &Called| match called {
            Called::File(path) => {
                is_first && other.uri_of(path).is_some_and(|uri| same(&uri, &view.uri))
            }
            Called::Here(_) => false,
        };
        found.extend(who_runs(&other, leads_here));
    }
    found
}

fn callees(view: &View, node: &Remembered) -> Vec<Neighbour> {
    let mut found = along_edges(view, calls::outgoing(&view.document, node.graph, &node.id));
    let subs = calls::sub_calls(&view.document, view.files().as_ref());
    let mine = |call: &&SubCall| call.caller.graph == node.graph && call.caller.id == node.id;
    if let Some(call) = subs.iter().find(mine) {
        found.extend(
            start_of(view, &call.called).map(|start| (start, vec![view.range(call.range)])),
        );
    }
    found
}

fn along_edges(view: &View, calls: Vec<Call>) -> Vec<Neighbour> {
    let calls = calls.into_iter();
    calls
        .map(|call| {
            let edges = call.ranges.into_iter().map(|range| view.range(range));
            (item(view, call.item), edges.collect())
        })
        .collect()
}

/// The nodes of a document that run a pipeline that is meant.
fn who_runs(view: &View, is_meant: impl Fn(&Called) -> bool) -> Vec<Neighbour> {
    let subs = calls::sub_calls(&view.document, view.files().as_ref()).into_iter();
    let meant = subs.filter(|call| is_meant(&call.called));
    meant
        .map(|call| (item(view, call.caller), vec![view.range(call.range)]))
        .collect()
}

fn start_of(view: &View, called: &Called) -> Option<CallHierarchyItem> {
    match called {
        Called::Here(number) => {
            let start = calls::entry(&view.document, Some(*number))?;
            Some(item(view, start))
        }
        Called::File(path) => {
            let path = workspace::path_of(&view.uri_of(path)?)?;
            let open = view.session.documents.at(&path);
            let other = match open {
                Some(snapshot) => View::new(&view.session, &snapshot),
                None => view.session.view_of_file(&path)?,
            };
            let start = calls::entry(&other.document, None)?;
            Some(item(&other, start))
        }
    }
}

/// Whether two URIs name the same file, however they are written.
fn same(one: &Uri, other: &Uri) -> bool {
    one == other || workspace::path_of(one) == workspace::path_of(other)
}
