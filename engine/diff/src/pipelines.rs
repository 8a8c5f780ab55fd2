//! Two versions of a pipeline, and of a file with several.

use std::sync::Arc;

use attractor_model::{FileKind, Options, Pipeline, graphs};

use crate::difference::{Change, Difference, Status};
use crate::graph_attributes::{compare_graphs, effective};
use crate::matching::Matching;
use crate::nodes::compare_nodes;
use crate::routes::compare_routes;
use crate::versions::Versions;

/// What has changed between two versions of a pipeline.
pub fn diff(old: &Pipeline, new: &Pipeline) -> Difference {
    let changes = changes(old, new);
    let is_renamed = old.name != new.name;
    Difference {
        name: new.name.clone(),
        old_name: is_renamed.then(|| old.name.clone()),
        status: if is_renamed || !changes.is_empty() {
            Status::Changed
        } else {
            Status::Unchanged
        },
        changes,
        flowchart: None,
    }
}

/// What has changed between the pipelines of two versions of a file. Those of one name are compared, and the only one that
/// is left of each version if they have nodes in common. Pipelines that mean the same are among them.
pub fn diff_files(old: &[Arc<Pipeline>], new: &[Arc<Pipeline>]) -> Vec<Difference> {
    let mut rest: Vec<&Arc<Pipeline>> = old.iter().collect();
    let mut pairs: Vec<(Option<&Arc<Pipeline>>, &Arc<Pipeline>)> = new
        .iter()
        .map(|new| {
            let place = rest.iter().position(|old| old.name == new.name);
            (place.map(|place| rest.remove(place)), new)
        })
        .collect();
    let mut unmatched = pairs.iter_mut().filter(|(old, _)| old.is_none());
    if let ([only], Some((place, new)), None) =
        (rest.as_slice(), unmatched.next(), unmatched.next())
        && (old.len() == 1 || has_common_nodes(only, new))
    {
        *place = Some(*only);
        rest.clear();
    }
    let mut found: Vec<Difference> = pairs
        .into_iter()
        .map(|(old, new)| match old {
            Some(old) => diff(old, new),
            None => added(new),
        })
        .collect();
    found.extend(rest.into_iter().map(|old| Difference {
        name: old.name.clone(),
        old_name: None,
        status: Status::Removed,
        changes: Vec::new(),
        flowchart: None,
    }));
    found
}

/// Whether half of the nodes of a pipeline are in another one.
fn has_common_nodes(one: &Pipeline, other: &Pipeline) -> bool {
    let common = one.nodes.iter();
    let common = common.filter(|node| other.by_id(&node.id).is_some());
    2 * common.count() >= one.nodes.len().max(other.nodes.len())
}

fn added(new: &Pipeline) -> Difference {
    let empty = empty();
    Difference {
        name: new.name.clone(),
        old_name: None,
        status: Status::Added,
        changes: empty.map_or_else(Vec::new, |empty| changes(&empty, new)),
        flowchart: None,
    }
}

fn empty() -> Option<Arc<Pipeline>> {
    let options = Options {
        kind: FileKind::Pipelines,
        ..Options::default()
    };
    let text = Arc::from("digraph {}");
    let mut pipelines = graphs::pipelines(&text, &attractor_dot::parse(&text), &options);
    pipelines.pop()
}

fn changes(old: &Pipeline, new: &Pipeline) -> Vec<Change> {
    let matching = Matching::of(old, new);
    let new_ids = matching.new_ids(old, new);
    let rename = |id: &str| new_ids.get(id).copied();
    let versions = Versions {
        old,
        new,
        matching: &matching,
        rename: &rename,
    };
    let (of_graph, mut defaults) = compare_graphs(versions);
    let mut changes = compare_nodes(versions, &mut defaults);
    changes.extend(compare_routes(versions));
    changes.extend(effective(of_graph, &defaults));
    changes.sort_by_key(|change| change.topic);
    changes
}
