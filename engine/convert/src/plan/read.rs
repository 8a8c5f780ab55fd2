//! JSON → plans. Total: what does not fit is named and left out.

use serde_json::{Map, Value};

use super::node::{node, slug};
use super::places::member;
use super::problem::{Problem, START, STRUCTURE, UNKNOWN_NODE};
use super::steps;
use super::types::{Edge, Plan};
use super::value::to_text;
use super::words::ALWAYS;
use attractor_model::catalogue::{self, Owner};

/// The plans of a library.
pub(super) fn library(json: &Value) -> (Vec<Plan>, Vec<Problem>) {
    let mut problems = Vec::new();
    let (json, root) = match json.get("plans") {
        Some(plans) => (plans, "/plans"),
        None => (json, ""),
    };
    let plans = match json {
        Value::Array(list) => list
            .iter()
            .enumerate()
            .map(|(index, item)| (member(root, &index.to_string()), item))
            .filter_map(|(pointer, item)| plan(None, pointer, item, &mut problems))
            .collect(),
        Value::Object(fields) if fields.contains_key("graph") || fields.contains_key("steps") => {
            plan(None, root.to_owned(), json, &mut problems)
                .into_iter()
                .collect()
        }
        Value::Object(table) => table
            .iter()
            .filter_map(|(id, item)| plan(Some(id), member(root, id), item, &mut problems))
            .collect(),
        _ => Vec::new(),
    };
    if plans.is_empty() && problems.is_empty() {
        let message = "expected a plan with `graph` or `steps`";
        problems.push(Problem::new(STRUCTURE, root, message.to_owned()));
    }
    (plans, problems)
}

fn plan(
    id: Option<&str>,
    pointer: String,
    json: &Value,
    problems: &mut Vec<Problem>,
) -> Option<Plan> {
    let fields = json.as_object()?;
    let name = fields.get("name").and_then(Value::as_str);
    let id = id
        .or_else(|| fields.get("id").and_then(Value::as_str))
        .map(str::to_owned);
    let id = id.unwrap_or_else(|| slug(name.unwrap_or("plan")));
    let mut plan = Plan {
        pointer,
        id,
        ..Plan::default()
    };
    for (key, value) in fields {
        match key.as_str() {
            "id" | "graph" | "steps" => {}
            "workflow_context" if value.as_bool().is_some() => {}
            _ => {
                let name = if key == "name" { "label" } else { key };
                let row = catalogue::attribute(Owner::Graph, name);
                plan.attributes.push((name.to_owned(), to_text(row, value)));
            }
        }
    }
    // In plans the default is that prompts have it, in pipelines that they do not.
    if fields.get("workflow_context") != Some(&Value::Bool(false)) {
        plan.attributes
            .push(("workflow_context".to_owned(), "true".to_owned()));
    }
    match (fields.get("graph"), fields.get("steps")) {
        (Some(Value::Object(graph)), _) => add_graph(&mut plan, graph, problems),
        (_, Some(Value::Array(list))) => steps::add(&mut plan, list, problems),
        _ => {
            let message = format!(
                "plan `{}` has neither `graph` nor `steps`; add one of them",
                plan.id
            );
            problems.push(Problem::new(STRUCTURE, &plan.pointer, message));
            return None;
        }
    }
    Some(plan)
}

fn add_graph(plan: &mut Plan, graph: &Map<String, Value>, problems: &mut Vec<Problem>) {
    let pointer = member(&plan.pointer, "graph");
    add_nodes(plan, graph, &pointer, problems);
    let edges = graph.get("edges").and_then(Value::as_array);
    let pointer = member(&pointer, "edges");
    for (index, json) in edges.into_iter().flatten().enumerate() {
        add_edge(plan, json, member(&pointer, &index.to_string()), problems);
    }
}

fn add_nodes(
    plan: &mut Plan,
    graph: &Map<String, Value>,
    pointer: &str,
    problems: &mut Vec<Problem>,
) {
    let start = graph.get("start").and_then(Value::as_str);
    let nodes = graph.get("nodes").and_then(Value::as_object);
    let all = member(pointer, "nodes");
    for (id, json) in nodes.into_iter().flatten() {
        let mut node = node(id, member(&all, id), json, &plan.id, problems);
        if start == Some(id) {
            node.begin();
        }
        plan.nodes.push(node);
    }
    let Some(start) = start else {
        let message = format!(
            "plan `{}` has no start; add `start` with the name of its first node",
            plan.id
        );
        problems.push(Problem::new(START, pointer, message));
        return;
    };
    if plan.nodes.iter().all(|node| node.id != start) {
        let message = format!(
            "plan `{}` starts at `{start}`, but has no such node",
            plan.id
        );
        let problem = Problem::new(START, &member(pointer, "start"), message);
        problems.push(problem.suggest(start, node_ids(plan)));
    }
}

fn add_edge(plan: &mut Plan, json: &Value, pointer: String, problems: &mut Vec<Problem>) {
    let end = |key| json.get(key).and_then(Value::as_str).map(str::to_owned);
    let Some((from, to)) = end("from").zip(end("to")) else {
        let message = format!("an edge of plan `{}` lacks `from` or `to`: {json}", plan.id);
        problems.push(Problem::new(STRUCTURE, &pointer, message));
        return;
    };
    for (key, id) in [("from", &from), ("to", &to)] {
        if plan.nodes.iter().all(|node| node.id != *id) {
            let message = format!(
                "an edge of plan `{}` names `{id}`, but there is no such node",
                plan.id
            );
            let problem = Problem::new(UNKNOWN_NODE, &member(&pointer, key), message);
            problems.push(problem.suggest(id, node_ids(plan)));
        }
    }
    let condition = end("condition").filter(|text| !text.trim().is_empty());
    let known = |key: &str| matches!(key, "from" | "to" | "condition");
    let more = json.as_object().into_iter().flatten();
    let attributes = more.filter(|(key, _)| !known(key)).map(|(key, value)| {
        let row = catalogue::attribute(Owner::Edge, key);
        (key.clone(), to_text(row, value))
    });
    let attributes: Vec<_> = attributes.collect();
    // What plans have no word for routes in its own way: without a condition means no condition.
    let simple = attributes.is_empty()
        && plan
            .nodes
            .iter()
            .any(|node| node.id == from && node.is_plain());
    plan.edges.push(Edge {
        pointer,
        from,
        to,
        condition: condition.or_else(|| simple.then(|| ALWAYS.to_owned())),
        attributes,
        allowed: None,
    });
}

fn node_ids(plan: &Plan) -> impl Iterator<Item = &str> {
    plan.nodes.iter().map(|node| node.id.as_str())
}
