//! Pipelines → a JSON plan library in the `graph` form.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{FIELDS, TYPES};
use crate::attributes::{Attribute, Source};
use crate::catalogue::NodeKind;
use crate::pipeline::{self, Pipeline};

/// The pipelines as a plan library: a table of plans by name. Only what the files say is written, no defaults.
pub fn to_json(pipelines: &[Arc<Pipeline>]) -> Value {
    pipelines
        .iter()
        .map(|pipeline| (pipeline.name.clone(), plan(pipeline)))
        .collect::<Map<_, _>>()
        .into()
}

fn plan(pipeline: &Pipeline) -> Value {
    let mut fields = Map::new();
    for attribute in pipeline.attributes.iter() {
        let key = if attribute.name() == "label" {
            "name"
        } else {
            &attribute.written
        };
        fields.insert(key.to_owned(), value(attribute));
    }
    let nodes: Map<String, Value> = pipeline
        .nodes
        .iter()
        .map(|node| (node.id.to_string(), self::node(node)))
        .collect();
    let edges: Vec<Value> = pipeline
        .edges
        .iter()
        .map(|edge| {
            let condition = edge.condition_text.as_deref().unwrap_or("always");
            json!({"from": pipeline.id(edge.from), "to": pipeline.id(edge.to), "condition": condition})
        })
        .collect();
    let start = pipeline.start.map(|start| pipeline.id(start));
    fields.insert(
        "graph".to_owned(),
        json!({"start": start, "nodes": nodes, "edges": edges}),
    );
    fields.into()
}

fn node(node: &pipeline::Node) -> Value {
    let mut fields = Map::from_iter([("type".to_owned(), plan_type(node).into())]);
    let own = node
        .attributes
        .iter()
        .filter(|own| matches!(own.source, Source::Own | Source::Default { .. }));
    for attribute in own {
        match attribute.name() {
            "shape" | "start" => {}
            "verify" => {
                let (kind, value) = attribute
                    .value
                    .split_once(':')
                    .map_or((&*attribute.value, None), |(k, v)| (k, Some(v)));
                let mut verify = Map::from_iter([("type".to_owned(), kind.into())]);
                verify.extend(value.map(|value| ("value".to_owned(), value.into())));
                fields.insert("verify".to_owned(), verify.into());
            }
            name => {
                let field = FIELDS
                    .iter()
                    .find(|(_, other)| *other == name)
                    .map(|(field, _)| *field);
                fields.insert(
                    field.unwrap_or(&attribute.written).to_owned(),
                    value(attribute),
                );
            }
        }
    }
    fields.into()
}

/// The type of plan node that does what a node does; what plans cannot say becomes a task.
fn plan_type(node: &pipeline::Node) -> &'static str {
    let shape = match node.kind {
        NodeKind::Start => "Mdiamond",
        NodeKind::Exit => "Msquare",
        NodeKind::Conditional => "diamond",
        NodeKind::Escalate => "octagon",
        NodeKind::Checkpoint => "cylinder",
        _ => return "task",
    };
    TYPES
        .iter()
        .find(|(_, other)| *other == Some(shape))
        .map_or("task", |(name, _)| name)
}

/// Lists of the plan format as lists, numbers as numbers, all else as text.
fn value(attribute: &Attribute) -> Value {
    let text = &*attribute.value;
    if matches!(attribute.name(), "domains" | "triggers") {
        return crate::catalogue::values::list(text)
            .map(|(item, _)| item)
            .collect();
    }
    text.parse::<i64>()
        .map_or_else(|_| text.into(), Value::from)
}
