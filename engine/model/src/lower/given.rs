//! What nodes have without saying it: from stylesheets, then from attributes of the graph that are defaults for
//! its nodes. A node's own attributes and the `node [...]` defaults in scope win over both.
//!
//! Nodes that nothing tells apart share one list.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::attributes::NodeDefaults;
use super::style::Sheet;
use crate::attributes::{Attribute, Attributes, Given};
use crate::catalogue::NodeKind;
use crate::options::Options;
use crate::pipeline::Node;

/// Gives each node what it lacks. `text` is the file.
pub(super) fn apply(nodes: &mut [Node], graph: &Attributes, options: &Options, text: &str) {
    let sheet = Sheet::of(graph, options, text);
    let defaults = NodeDefaults::of_graph(graph);
    if sheet.is_empty() && defaults.is_empty() {
        return;
    }
    let given =
        |node: &Node| Given::new(sheet.given(node).into_iter().chain(defaults.of(node.kind)));
    if sheet.is_particular() {
        for node in nodes {
            let given = Arc::new(given(node));
            node.attributes.give(&given);
        }
        return;
    }
    let mut groups: FxHashMap<Likeness<'_>, usize> = FxHashMap::default();
    let mut shared: Vec<Arc<Given>> = Vec::new();
    let group_of = nodes.iter().map(|node| {
        *groups.entry(Likeness::of(node)).or_insert_with(|| {
            shared.push(Arc::new(given(node)));
            shared.len() - 1
        })
    });
    let group_of: Vec<usize> = group_of.collect();
    for (node, group) in nodes.iter_mut().zip(group_of) {
        if let Some(given) = shared.get(group) {
            node.attributes.give(given);
        }
    }
}

/// What selectors by kind, shape and class see of a node.
#[derive(PartialEq, Eq, Hash)]
struct Likeness<'n> {
    kind: NodeKind,
    custom: Option<&'n str>,
    shape: Option<&'n str>,
    /// The address of its classes: nodes with the same share one list.
    classes: *const SmolStr,
}

impl<'n> Likeness<'n> {
    fn of(node: &'n Node) -> Self {
        Self {
            kind: node.kind,
            custom: node.custom_handler.as_deref(),
            shape: node.attributes.get("shape").map(Attribute::value),
            classes: node.classes.as_ptr(),
        }
    }
}
