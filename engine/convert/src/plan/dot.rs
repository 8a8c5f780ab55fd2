//! A plan → the text of a digraph.

use std::fmt::Write;

use attractor_dot::strings::quote;

use super::{ALWAYS, Edge, Node, Plan, quoted};

/// The plan as DOT, ended by a line end.
pub(super) fn graph(plan: &Plan) -> String {
    let mut text = format!("digraph {} {{\n", quote(&plan.id));
    for (name, value) in &plan.attributes {
        let _ = writeln!(text, "    {}={}", quote(name), quoted(value));
    }
    text.push('\n');
    plan.nodes
        .iter()
        .for_each(|node| write_node(&mut text, node));
    text.push('\n');
    for edge in &plan.edges {
        write_edge(&mut text, plan, edge);
    }
    text.push_str("}\n");
    text
}

/// `always` beside other conditions is the way for everything else: an edge without a condition.
fn write_edge(text: &mut String, plan: &Plan, edge: &Edge) {
    let is_always = |edge: &Edge| edge.condition.as_deref().is_none_or(|word| word == ALWAYS);
    let mut siblings = plan.edges.iter().filter(|other| other.from == edge.from);
    let rest = is_always(edge) && siblings.any(|other| !is_always(other));
    let condition = edge.condition.as_deref().filter(|_| !rest);
    let condition = condition.map(|condition| format!("condition={}", quoted(condition)));
    let pairs = edge.attributes.iter().map(pair);
    let pairs: Vec<String> = condition.into_iter().chain(pairs).collect();
    let (from, to) = (quote(&edge.from), quote(&edge.to));
    let _ = match pairs.as_slice() {
        [] => writeln!(text, "    {from} -> {to}"),
        pairs => writeln!(text, "    {from} -> {to} [{}]", pairs.join(", ")),
    };
}

fn pair((name, value): &(String, String)) -> String {
    format!("{}={}", quote(name), quoted(value))
}

fn write_node(text: &mut String, node: &Node) {
    let pairs: Vec<String> = node.attributes.iter().map(pair).collect();
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
