//! The new version of a pipeline as a Mermaid flowchart, with what has changed in it marked.

use std::sync::Arc;

use attractor_model::Pipeline;
use attractor_model::render::{Arrow, Box, Drawing, Mark, labelled};
use rustc_hash::FxHashMap;

use crate::difference::{Change, ChangeKind, Difference, Status, Subject};

/// Code hosts draw no larger ones, and nobody could read them.
const MOST_EDGES: usize = 300;
/// The same, in bytes.
const MOST_TEXT: usize = 20_000;

/// Adds a flowchart to each difference between the pipelines of two versions of a file. Pipelines that were removed or are too
/// large have none.
pub fn draw(differences: &mut [Difference], old: &[Arc<Pipeline>], new: &[Arc<Pipeline>]) {
    for difference in differences {
        let named = |pipelines: &[Arc<Pipeline>], name: &str| {
            let mut pipelines = pipelines.iter();
            pipelines.find(|one| one.name == name).cloned()
        };
        let old_name = difference.old_name.as_ref().unwrap_or(&difference.name);
        difference.flowchart = match difference.status {
            Status::Added => {
                named(new, &difference.name).and_then(|new| flowchart(&[], None, &new))
            }
            Status::Changed => named(new, &difference.name).and_then(|new| {
                let old = named(old, old_name);
                flowchart(&difference.changes, old.as_deref(), &new)
            }),
            Status::Removed | Status::Unchanged => None,
        };
    }
}

fn flowchart(changes: &[Change], old: Option<&Pipeline>, new: &Pipeline) -> Option<String> {
    if new.edges.len() > MOST_EDGES || new.nodes.len() > MOST_EDGES {
        return None;
    }
    let mut flowchart = Flowchart::of(new);
    // Nodes first: edges that were removed may lead to those that were.
    for change in changes {
        if let Subject::Nodes { nodes } = &change.subject {
            flowchart.mark_nodes(change, nodes, old);
        }
    }
    for change in changes {
        flowchart.mark_edge(change);
    }
    let text = flowchart.drawing.mermaid();
    (text.len() <= MOST_TEXT).then_some(text)
}

struct Flowchart {
    drawing: Drawing,
    /// Where each node is, by its id; by the old one, too, if it has been renamed.
    places: FxHashMap<String, usize>,
}

impl Flowchart {
    fn of(pipeline: &Pipeline) -> Self {
        let drawing = Drawing::of_pipeline(pipeline);
        let nodes = drawing.nodes.iter().enumerate();
        let places = nodes.map(|(at, node)| (node.id.clone(), at)).collect();
        Self { drawing, places }
    }

    fn mark_nodes(&mut self, change: &Change, ids: &[String], old: Option<&Pipeline>) {
        let is_whole = change.attribute.is_none();
        for id in ids {
            if change.change == ChangeKind::Removed && is_whole {
                self.add_removed(id, old);
                continue;
            }
            let Some(at) = self.places.get(id).copied() else {
                continue;
            };
            if let (ChangeKind::Renamed, Some(before)) = (change.change, &change.old) {
                self.places.entry(before.clone()).or_insert(at);
            }
            if let Some(node) = self.drawing.nodes.get_mut(at) {
                let is_new = change.change == ChangeKind::Added && is_whole;
                node.mark = if is_new {
                    Some(Mark::Added)
                } else {
                    node.mark.or(Some(Mark::Changed))
                };
            }
        }
    }

    /// A node that is not there any more, after the others.
    fn add_removed(&mut self, id: &str, old: Option<&Pipeline>) {
        let node = old.and_then(|old| old.node_by_id(id));
        let at = self.drawing.nodes.len();
        self.places.entry(id.to_owned()).or_insert(at);
        self.drawing.nodes.push(Box {
            id: id.to_owned(),
            label: node.map_or(id, |node| node.label()).to_owned(),
            kind: node.map(|node| node.kind),
            mark: Some(Mark::Removed),
        });
    }

    fn mark_edge(&mut self, change: &Change) {
        let Subject::Route {
            from,
            to,
            condition,
            label,
        } = &change.subject
        else {
            return;
        };
        let place = |id: &str| self.places.get(id).copied();
        let (Some(from), Some(to)) = (place(from), place(to)) else {
            return;
        };
        let text = labelled(label.as_deref(), condition.as_deref());
        let mark = match (change.change, &change.attribute) {
            (ChangeKind::Removed, None) => {
                self.drawing.edges.push(Arrow {
                    from,
                    to,
                    text,
                    mark: Some(Mark::Removed),
                });
                return;
            }
            (ChangeKind::Added, None) => Mark::Added,
            _ => Mark::Changed,
        };
        let is_between = |edge: &&mut Arrow| {
            (edge.from, edge.to) == (from, to) && edge.mark != Some(Mark::Removed)
        };
        let mut candidates: Vec<&mut Arrow> =
            self.drawing.edges.iter_mut().filter(is_between).collect();
        // A drawing has conditions as they are written, a change has them in canonical form.
        let exact = candidates.iter().position(|edge| edge.text == text);
        let at = exact.or_else(|| candidates.iter().position(|edge| edge.mark.is_none()));
        if let Some(edge) = candidates.get_mut(at.unwrap_or_default()) {
            edge.mark = edge.mark.or(Some(mark));
        }
    }
}
