//! What a text means, places and the order of attributes left out.

use std::sync::Arc;

use attractor_dot::graph::{AttributeList, Graph, resolve};
use attractor_dot::parse;

/// The graphs of a text, one record for each thing in them.
pub fn meaning(text: &str) -> Vec<String> {
    let parse = parse(text);
    let mut records = vec![format!("{} errors", parse.errors.len())];
    let shared = Arc::from(text);
    for graph in &parse.file.graphs {
        let graph = resolve(graph, &shared);
        records.push(format!(
            "graph {:?} {} {} {:?}",
            graph.name,
            graph.directed,
            graph.strict,
            values(&graph, graph.attributes)
        ));
        records.extend(
            graph
                .nodes
                .iter()
                .map(|node| format!("node {:?} {:?}", node.id, values(&graph, node.attributes))),
        );
        records.extend(graph.edges.iter().map(|edge| {
            let ports = (edge.from_port(), edge.to_port());
            format!(
                "edge {} {} {ports:?} {:?}",
                edge.from(),
                edge.to(),
                values(&graph, edge.attributes)
            )
        }));
        records.extend(graph.subgraphs.iter().map(|one| {
            format!(
                "subgraph {:?} {:?} {:?} {:?}",
                one.name,
                one.parent,
                one.nodes,
                values(&graph, one.attributes)
            )
        }));
    }
    records
}

fn values(graph: &Graph, list: AttributeList) -> Vec<(&str, &str, bool)> {
    let attributes = graph.list(list).iter();
    let value = |one| (graph.name_of(one).as_str(), graph.value_of(one), one.value_id.is_html());
    let mut values: Vec<_> = attributes.map(value).collect();
    values.sort_unstable();
    values
}
