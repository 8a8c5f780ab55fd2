//! What nodes inherit: from stylesheets, then from attributes of the graph that are defaults for its nodes. A node's
//! own attributes and the `node [...]` defaults in scope take precedence over both.
//!
//! Nodes that no selector distinguishes share one list.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::attributes::NodeDefaults;
use super::style::ResolvedStylesheet;
use crate::attributes::{Attributes, InheritedAttributes};
use crate::catalogue::NodeKind;
use crate::options::Options;
use crate::pipeline::Node;

/// Adds to each node what it inherits. `text` is the file.
pub(super) fn apply(
    nodes: &mut [Node],
    graph: &Attributes,
    options: &Options,
    text: &str,
) -> Vec<InheritedAttributes> {
    let sheet = ResolvedStylesheet::of(graph, options, text);
    let defaults = NodeDefaults::of_graph(graph);
    let mut all = Vec::new();
    if sheet.is_empty() && defaults.is_empty() {
        return all;
    }
    let list_of = |node: &Node, all: &mut Vec<InheritedAttributes>| {
        let inherited = sheet
            .of_node(node)
            .into_iter()
            .chain(defaults.of(node.kind));
        InheritedAttributes::new(inherited).number(all)
    };
    let (one_by_one, by_name) = (sheet.distinguishes_nodes(), sheet.selects_by_name());
    let mut groups: FxHashMap<SelectorInput, u32> = FxHashMap::default();
    // Consecutive nodes are often alike.
    let mut last: Option<(SelectorInput, u32)> = None;
    for node in nodes {
        if one_by_one {
            let number = list_of(node, &mut all);
            node.attributes.inherit(number, &mut all);
            continue;
        }
        let input = SelectorInput::of(node, by_name);
        let number = match &last {
            Some((last, number)) if *last == input => *number,
            _ => {
                let alike = groups.entry(input.clone());
                let number = *alike.or_insert_with(|| list_of(node, &mut all));
                last = Some((input, number));
                number
            }
        };
        node.attributes.inherit(number, &mut all);
    }
    all
}

/// What selectors by kind, shape and class depend on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct SelectorInput {
    kind: NodeKind,
    /// The names of its handler and its shape, if a rule selects by them.
    names: Option<(Option<Box<str>>, Option<SmolStr>)>,
    /// The number of its list of classes.
    classes: u32,
}

impl SelectorInput {
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
