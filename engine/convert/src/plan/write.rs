//! Pipelines → a JSON plan library in the `graph` form.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::value::{self, verify_to_json};
use super::words::{ALWAYS, field_of, shape_of_type, type_of_kind};
use attractor_model::Attribute;
use attractor_model::catalogue::NodeKind;
use attractor_model::workflow_block;
use attractor_model::{self, Edge, Pipeline};

/// A plan library, and what in it only Attractor understands.
#[derive(Debug, Clone, PartialEq)]
pub struct Library {
    /// A table of plans by name.
    pub json: Value,
    /// What plans have no word for, a sentence each. It is in the library as fields of its own.
    pub beyond: Vec<String>,
}

/// The pipelines as a plan library. Only what the files say is written, no defaults.
pub fn to_json(pipelines: &[Arc<Pipeline>]) -> Library {
    let mut plans = Map::new();
    let mut beyond = Vec::new();
    for pipeline in pipelines {
        let plan = plan(pipeline, &mut beyond);
        if plans.insert(pipeline.name.clone(), plan).is_some() {
            let name = &pipeline.name;
            beyond.push(format!(
                "two pipelines are called `{name}`; the last one is kept"
            ));
        }
    }
    Library {
        json: plans.into(),
        beyond,
    }
}

fn plan(pipeline: &Pipeline, beyond: &mut Vec<String>) -> Value {
    let mut fields = Map::new();
    if !workflow_block::is_wanted(pipeline) {
        fields.insert("workflow_context".to_owned(), false.into());
    }
    let attributes = pipeline.attributes.iter();
    for attribute in attributes.filter(|one| one.name() != "workflow_context") {
        let key = match attribute.name() {
            "label" => "name",
            _ => attribute.written(),
        };
        fields.insert(key.to_owned(), value(attribute));
    }
    let mut nodes = Map::new();
    for node in &pipeline.nodes {
        nodes.insert(node.id.to_string(), self::node(pipeline, node, beyond));
    }
    let edges = pipeline.edges.iter().map(|edge| self::edge(pipeline, edge));
    let edges: Vec<Value> = edges.collect();
    beyond.extend(
        pipeline
            .edges
            .iter()
            .filter_map(|edge| blurred(pipeline, edge)),
    );
    let start = pipeline.start.map(|start| pipeline.id(start));
    let graph = json!({"start": start, "nodes": nodes, "edges": edges});
    fields.insert("graph".to_owned(), graph);
    fields.into()
}

fn node(pipeline: &Pipeline, node: &attractor_model::Node, beyond: &mut Vec<String>) -> Value {
    let known = type_of_kind(node.kind);
    if known.is_none() {
        let kind = node.handler();
        let name = &pipeline.name;
        beyond.push(format!(
            "plans have no word for what `{}` of `{name}` does (`{kind}`): other readers take it for a task",
            node.id
        ));
    }
    let plan_type = known.unwrap_or("task");
    let mut fields = Map::from_iter([("type".to_owned(), plan_type.into())]);
    let shape = shape_of_type(plan_type).unwrap_or("box");
    let written = node.attributes.iter().filter(|one| one.is_written());
    if !node.classes().is_empty() {
        // Those that come from subgraphs too: plans have none.
        fields.insert("class".to_owned(), node.classes().join(",").into());
    }
    for attribute in written {
        match attribute.name() {
            "start" | "class" => {}
            "shape" if attribute.value() == shape => {}
            "handler"
                if known.is_some() && NodeKind::from_name(attribute.value()) == Some(node.kind) => {
            }
            "verify" => {
                fields.insert("verify".to_owned(), verify_to_json(attribute.value()));
            }
            name => {
                let field = field_of(name).unwrap_or(attribute.written());
                // `type` is the plan's own word.
                let field = if field == "type" { "handler" } else { field };
                fields.insert(field.to_owned(), value(attribute));
            }
        }
    }
    fields.into()
}

fn edge(pipeline: &Pipeline, edge: &Edge) -> Value {
    let mut fields = Map::from_iter([
        ("from".to_owned(), pipeline.id(edge.from).into()),
        ("to".to_owned(), pipeline.id(edge.to).into()),
    ]);
    let condition = condition(pipeline, edge);
    fields.extend(condition.map(|text| ("condition".to_owned(), text.into())));
    let more = edge.attributes.iter().filter(|one| one.is_written());
    let more = more.filter(|one| one.name() != "condition");
    fields.extend(more.map(|one| (one.written().to_string(), value(one))));
    fields.into()
}

/// The condition of an edge in a plan. An edge without one is the default if other edges of its node have
/// conditions; else it follows a success, or any outcome of a node that cannot fail. `None` if the node chooses.
fn condition<'p>(pipeline: &'p Pipeline, edge: &'p Edge) -> Option<&'p str> {
    if let Some(text) = edge.condition_text() {
        return Some(text);
    }
    let from = pipeline.node(edge.from)?;
    if edge.attributes.iter().any(Attribute::is_written) || type_of_kind(from.kind).is_none() {
        return None;
    }
    let siblings = pipeline.outgoing(edge.from).iter();
    let mut siblings = siblings.filter_map(|other| pipeline.edge(*other));
    let rest = siblings.any(Edge::is_conditional);
    let word = if rest || !can_fail(from) {
        ALWAYS
    } else {
        "on_success"
    };
    Some(word)
}

/// Reports an edge that plans read in a different way than a run: to them `always` is the default.
fn blurred(pipeline: &Pipeline, edge: &Edge) -> Option<String> {
    let is_always = |text: &str| text.trim().eq_ignore_ascii_case(ALWAYS);
    let siblings = pipeline.outgoing(edge.from).iter();
    let siblings = siblings.filter_map(|other| pipeline.edge(*other));
    let mut others = siblings.filter_map(|other| other.condition_text());
    let what = match edge.condition_text() {
        None if others.clone().next().is_some() && others.all(is_always) => {
            "has no condition, like `always` on another edge of this node: plans do not distinguish them"
        }
        Some(text) if is_always(text) && others.any(|text| !is_always(text)) => {
            "is `always`, but other edges of this node have conditions: plans read it as the default"
        }
        _ => return None,
    };
    let (from, to) = (pipeline.id(edge.from), pipeline.id(edge.to));
    Some(format!("the edge from `{from}` to `{to}` {what}"))
}

/// Whether a node of a type of plans can fail: an agent, and what is checked.
pub(super) fn can_fail(node: &attractor_model::Node) -> bool {
    let checked = ["verify", "must_write"];
    node.kind == NodeKind::Codergen || checked.iter().any(|name| node.attributes.has(name))
}

fn value(attribute: Attribute<'_>) -> Value {
    value::to_json(attribute.row(), attribute.value())
}
