//! Compares the names of a scenario file with those of its pipeline.

use std::path::Path;

use attractor_model::catalogue::nearest;
use attractor_model::{Diagnostic, Edge, NodeIx, NodeKind, Pipeline};
use attractor_run::{bare_label, normal_label};

use crate::expectation::PathItem;
use crate::expected_path;
use crate::file::ScenarioFile;
use crate::located::Located;
use crate::reader::{Reader, first_names};
use crate::scenario::{Scenario, ScenarioOutcome};
use crate::subject::Subject;

/// Problems of names that the pipeline does not have: errors. Edges that it does not have are warnings, as the run
/// itself explains best what it did instead.
pub fn check(file: &ScenarioFile, subject: &Subject) -> Vec<Diagnostic> {
    let mut reader = Reader::default();
    for scenario in &file.scenarios {
        let graph = scenario.graph.as_ref();
        if let Some(tested) = subject.pipeline(graph.map(|graph| graph.value.as_str())) {
            let pipelines: Vec<&Pipeline> = tested.all().collect();
            check_scenario(&mut reader, scenario, &pipelines);
            expected_path::check(&mut reader, scenario, &pipelines);
        } else if let Some(graph) = graph {
            let names: Vec<&str> = subject.pipelines().map(|one| one.name.as_str()).collect();
            reader.unknown("pipeline", graph, &names);
        }
    }
    reader.into_problems()
}

/// Cassettes that do not exist. `folder` is that of the scenario file.
pub fn check_cassettes(file: &ScenarioFile, folder: &Path) -> Vec<Diagnostic> {
    let mut reader = Reader::default();
    for cassette in file
        .scenarios
        .iter()
        .filter_map(|one| one.cassette.as_ref())
    {
        if !folder.join(&cassette.value).is_file() {
            let name = &cassette.value;
            let message = format!("the cassette `{name}` does not exist");
            reader.report(cassette.range, message);
        }
    }
    reader.into_problems()
}

fn check_scenario(reader: &mut Reader, scenario: &Scenario, pipelines: &[&Pipeline]) {
    let nodes = || pipelines.iter().flat_map(|pipeline| &pipeline.nodes);
    let names: Vec<&str> = nodes().map(|node| node.id.as_str()).collect();
    let gates: Vec<&str> = nodes()
        .filter(|node| node.kind == NodeKind::HumanGate)
        .map(|node| node.id.as_str())
        .collect();
    let node = |reader: &mut Reader, name: &Located<String>| {
        let known = names.contains(&name.value.as_str());
        if !known {
            reader.unknown("node", name, &names);
        }
        known
    };
    for (name, outcomes) in &scenario.outcomes {
        let is_known = node(reader, name);
        for outcome in outcomes {
            if let (Some(next), Some(range)) = (&outcome.outcome.next_node, outcome.next) {
                let value = next.clone();
                node(reader, &Located { value, range });
            }
            if is_known {
                check_label(reader, name, outcome, pipelines);
            }
        }
    }
    for (name, _) in &scenario.answers {
        if node(reader, name) && !gates.contains(&name.value.as_str()) {
            let message = match gates.as_slice() {
                [] => format!(
                    "`{}` is not a human gate; the pipeline has none",
                    name.value
                ),
                gates => format!(
                    "`{}` is not a human gate; expected one of {}",
                    name.value,
                    gates.join(", ")
                ),
            };
            reader.report(name.range, message);
        }
    }
    if let Some(end) = &scenario.expect.end_node {
        node(reader, end);
    }
    for item in scenario.expect.path.iter().flat_map(|path| &path.value) {
        if let PathItem::Node(name, range) = item {
            let name = Located {
                value: name.clone(),
                range: *range,
            };
            node(reader, &name);
        }
    }
}

/// A label that an outcome prefers and no edge has leads nowhere. Conditions may compare it with anything. A conditional
/// node routes by the outcome before it, so its edges count, too.
fn check_label(
    reader: &mut Reader,
    node: &Located<String>,
    outcome: &ScenarioOutcome,
    pipelines: &[&Pipeline],
) {
    let (Some(label), Some(range)) = (&outcome.outcome.preferred_label, outcome.label) else {
        return;
    };
    let mut labels: Vec<&str> = Vec::new();
    for pipeline in pipelines {
        for edge in routed_edges(pipeline, &node.value) {
            let reads_label = |text: &str| text.contains("preferred_label");
            if edge.condition_text().is_some_and(reads_label) {
                return;
            }
            labels.extend(edge.label().map(bare_label));
        }
    }
    if labels
        .iter()
        .any(|one| normal_label(one) == normal_label(label))
    {
        return;
    }
    let near = nearest(label, labels.iter().copied());
    let problem = format!("no edge of `{}` has the label `{label}`", node.value);
    let message = match (near, labels.as_slice()) {
        (Some(near), _) => format!("{problem}; did you mean `{near}`?"),
        (None, []) => format!("{problem}; its edges have none"),
        (None, labels) => format!("{problem}; expected one of {}", first_names(labels)),
    };
    let value = label.clone();
    reader.warn(&Located { value, range }, message, near);
}

/// The edges that an outcome of a node may choose: its own, and those of conditional nodes behind it.
fn routed_edges<'p>(pipeline: &'p Pipeline, node: &str) -> Vec<&'p Edge> {
    let mut nodes: Vec<NodeIx> = pipeline.by_id(node).into_iter().collect();
    let mut edges = Vec::new();
    let mut at = 0;
    while let Some(ix) = nodes.get(at).copied() {
        at += 1;
        let outgoing = pipeline.outgoing(ix).iter();
        for edge in outgoing.filter_map(|ix| pipeline.edge(*ix)) {
            edges.push(edge);
            let is_conditional = pipeline
                .node(edge.to)
                .is_some_and(|node| node.kind == NodeKind::Conditional);
            if is_conditional && !nodes.contains(&edge.to) {
                nodes.push(edge.to);
            }
        }
    }
    edges
}
