//! Changes of routes: where a run begins, edges, and the order in which they are tried.

mod edges;
mod order;

use std::borrow::Cow;

use crate::attributes::AttributeChange;
use crate::difference::{Change, Subject};
use crate::topic::Topic;
use crate::versions::Versions;

/// The changes of routes.
pub(crate) fn compare_routes(versions: Versions<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    changes.extend(start(versions));
    let (edges, old_edges) = edges::compare_edges(versions);
    changes.extend(edges);
    changes.extend(order::compare_orders(versions, &old_edges));
    changes
}

/// Where a run begins, if that is another node.
fn start(
    Versions {
        old, new, matching, ..
    }: Versions<'_>,
) -> Option<Change> {
    let before = old.start.map(|ix| match matching.to_new(ix) {
        Some(ix) => new.id(ix),
        None => old.id(ix),
    });
    let after = new.start.map(|ix| new.id(ix));
    if before == after || old.nodes.is_empty() {
        return None;
    }
    let change = AttributeChange {
        name: "start",
        row: None,
        old: before.map(Cow::Borrowed),
        new: after.map(Cow::Borrowed),
        from_graph: false,
    };
    Some(change.into_change(Topic::Routes, Subject::Pipeline))
}
