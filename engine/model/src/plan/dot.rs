//! A plan → the text of a digraph.

use std::fmt::Write;

use attractor_dot::strings::quote;

use super::{Node, Plan};

/// The plan as DOT, ended by a line end.
pub(super) fn graph(plan: &Plan) -> String {
    let mut text = format!("digraph {} {{\n", quote(&plan.id));
    for (name, value) in &plan.attributes {
        let _ = writeln!(text, "    {}={}", quote(name), quote(value));
    }
    text.push('\n');
    plan.nodes
        .iter()
        .for_each(|node| write_node(&mut text, node));
    text.push('\n');
    for edge in &plan.edges {
        let _ = writeln!(
            text,
            "    {} -> {} [condition={}]",
            quote(&edge.from),
            quote(&edge.to),
            quote(&edge.condition)
        );
    }
    text.push_str("}\n");
    text
}

fn write_node(text: &mut String, node: &Node) {
    let pairs: Vec<String> = node
        .attributes
        .iter()
        .map(|(name, value)| format!("{}={}", quote(name), quote(value)))
        .collect();
    let id = quote(&node.id);
    let _ = match pairs.as_slice() {
        [] => writeln!(text, "    {id}"),
        [one] => writeln!(text, "    {id} [{one}]"),
        many => writeln!(
            text,
            "    {id} [\n        {}\n    ]",
            many.join(",\n        ")
        ),
    };
}
