//! What nodes have without saying it: from stylesheets, then from attributes of the graph that are defaults for
//! its nodes. A node's own attributes and the `node [...]` defaults in scope win over both.
//!
//! Nodes that nothing tells apart share one list.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::attributes::NodeDefaults;
use super::style::Sheet;
use crate::attributes::{Attributes, Given};
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
    let by_shape = sheet.asks_for_names();
    let mut groups: FxHashMap<Likeness, Arc<Given>> = FxHashMap::default();
    for node in nodes {
        let likeness = Likeness::of(node, by_shape);
        let given = groups
            .entry(likeness)
            .or_insert_with(|| Arc::new(given(node)));
        node.attributes.give(given);
    }
}

/// What selectors by kind, shape and class see of a node.
#[derive(PartialEq, Eq, Hash)]
struct Likeness {
    kind: NodeKind,
    /// What its handler and its shape are called, where rules ask for that.
    names: Option<(Option<Box<str>>, Option<SmolStr>)>,
    /// The address of its classes: nodes with the same share one list.
    classes: *const SmolStr,
}

impl Likeness {
    fn of(node: &Node, with_names: bool) -> Self {
        let names = || {
            let shape = node.attributes.get("shape");
            let shape = shape.map(|shape| SmolStr::new(shape.value()));
            (node.custom_handler.clone(), shape)
        };
        Self {
            kind: node.kind,
            names: with_names.then(names),
            classes: node.classes.as_ptr(),
        }
    }
}
