//! Compares the names of a scenario file with those of its pipeline.

use attractor_model::catalogue::nearest;
use attractor_model::{Diagnostic, NodeKind, Pipeline};

use crate::expectation::PathItem;
use crate::file::ScenarioFile;
use crate::located::Located;
use crate::reader::Reader;
use crate::scenario::Scenario;
use crate::subject::Subject;

/// Problems of names that the pipeline does not have.
pub fn check(file: &ScenarioFile, subject: &Subject) -> Vec<Diagnostic> {
    let mut reader = Reader::default();
    for scenario in &file.scenarios {
        let graph = scenario.graph.as_ref();
        if let Some(tested) = subject.pipeline(graph.map(|graph| graph.value.as_str())) {
            let pipelines: Vec<&Pipeline> = tested.all().collect();
            check_scenario(&mut reader, scenario, &pipelines);
        } else if let Some(graph) = graph {
            let names: Vec<&str> = subject.pipelines().map(|one| one.name.as_str()).collect();
            unknown(&mut reader, "pipeline", graph, &names);
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
            unknown(reader, "node", name, &names);
        }
        known
    };
    for (name, outcomes) in &scenario.outcomes {
        node(reader, name);
        for outcome in outcomes {
            if let Some(next) = &outcome.value.next_node {
                let next = Located {
                    value: next.clone(),
                    range: outcome.range,
                };
                node(reader, &next);
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

fn unknown(reader: &mut Reader, what: &str, name: &Located<String>, known: &[&str]) {
    let written = &name.value;
    let message = match nearest(written, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{written}`; did you mean `{near}`?"),
        None => format!(
            "unknown {what} `{written}`; expected one of {}",
            some(known)
        ),
    };
    reader.report(name.range, message);
}

/// The first names of a list.
fn some(names: &[&str]) -> String {
    const MOST: usize = 12;
    let mut text = names
        .iter()
        .take(MOST)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST {
        text.push_str(", …");
    }
    text
}
