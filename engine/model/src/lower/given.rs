//! What nodes have without saying it: from stylesheets, then from attributes of the graph that are defaults for
//! its nodes. A node's own attributes and the `node [...]` defaults in scope win over both.
//!
//! Nodes that nothing tells apart share one list.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::attributes::NodeDefaults;
use super::style::Sheet;
use crate::attributes::{Attributes, Given};
use crate::catalogue::NodeKind;
use crate::options::Options;
use crate::pipeline::Node;

/// Gives each node what it lacks. `text` is the file.
pub(super) fn apply(
    nodes: &mut [Node],
    graph: &Attributes,
    options: &Options,
    text: &str,
) -> Vec<Given> {
    let sheet = Sheet::of(graph, options, text);
    let defaults = NodeDefaults::of_graph(graph);
    let mut all = Vec::new();
    if sheet.is_empty() && defaults.is_empty() {
        return all;
    }
    let given = |node: &Node, all: &mut Vec<Given>| {
        let lent = sheet.given(node).into_iter().chain(defaults.of(node.kind));
        Given::new(lent).number(all)
    };
    let (particular, by_shape) = (sheet.is_particular(), sheet.asks_for_names());
    let mut groups: FxHashMap<Likeness, u32> = FxHashMap::default();
    // Nodes beside each other are often alike.
    let mut last: Option<(Likeness, u32)> = None;
    for node in nodes {
        if particular {
            let number = given(node, &mut all);
            node.attributes.give(number, &mut all);
            continue;
        }
        let likeness = Likeness::of(node, by_shape);
        let number = match &last {
            Some((last, number)) if *last == likeness => *number,
            _ => {
                let alike = groups.entry(likeness.clone());
                let number = *alike.or_insert_with(|| given(node, &mut all));
                last = Some((likeness, number));
                number
            }
        };
        node.attributes.give(number, &mut all);
    }
    all
}

/// What selectors by kind, shape and class see of a node.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Likeness {
    kind: NodeKind,
    /// What its handler and its shape are called, where rules ask for that.
    names: Option<(Option<Box<str>>, Option<SmolStr>)>,
    /// The number of its list of classes.
    classes: u32,
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
            classes: node.class_list,
        }
    }
}
