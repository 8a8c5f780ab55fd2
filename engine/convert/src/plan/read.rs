//! JSON → plans. Total: what does not fit is named and left out.

use serde_json::{Map, Value};

use super::node::{node, slug};
use super::value::to_text;
use super::{ALWAYS, Edge, Plan, steps};
use attractor_model::catalogue::{self, Owner};

/// The plans of a library.
pub(super) fn library(json: &Value) -> (Vec<Plan>, Vec<String>) {
    let mut problems = Vec::new();
    let json = json.get("plans").unwrap_or(json);
    let plans = match json {
        Value::Array(list) => list
            .iter()
            .filter_map(|item| plan(None, item, &mut problems))
            .collect(),
        Value::Object(fields) if fields.contains_key("graph") || fields.contains_key("steps") => {
            plan(None, json, &mut problems).into_iter().collect()
        }
        Value::Object(table) => table
            .iter()
            .filter_map(|(id, item)| plan(Some(id), item, &mut problems))
            .collect(),
        _ => Vec::new(),
    };
    if plans.is_empty() && problems.is_empty() {
        problems
            .push("this is no plan library: no plan with `graph` or `steps` was found".to_owned());
    }
    (plans, problems)
}

fn plan(id: Option<&str>, json: &Value, problems: &mut Vec<String>) -> Option<Plan> {
    let fields = json.as_object()?;
    let name = fields.get("name").and_then(Value::as_str);
    let id = id
        .or_else(|| fields.get("id").and_then(Value::as_str))
        .map(str::to_owned);
    let id = id.unwrap_or_else(|| slug(name.unwrap_or("plan")));
    let mut plan = Plan {
        id,
        ..Plan::default()
    };
    for (key, value) in fields {
        match key.as_str() {
            "id" | "graph" | "steps" => {}
            _ => {
                let name = if key == "name" { "label" } else { key };
                let row = catalogue::attribute(Owner::Graph, name);
                plan.attributes.push((name.to_owned(), to_text(row, value)));
            }
        }
    }
    match (fields.get("graph"), fields.get("steps")) {
        (Some(Value::Object(graph)), _) => add_graph(&mut plan, graph, problems),
        (_, Some(Value::Array(list))) => steps::add(&mut plan, list, problems),
        _ => {
            problems.push(format!(
                "plan `{}` has neither `graph` nor `steps`",
                plan.id
            ));
            return None;
        }
    }
    Some(plan)
}

fn add_graph(plan: &mut Plan, graph: &Map<String, Value>, problems: &mut Vec<String>) {
    let start = graph.get("start").and_then(Value::as_str);
    let nodes = graph.get("nodes").and_then(Value::as_object);
    for (id, json) in nodes.into_iter().flatten() {
        let mut node = node(id, json, &plan.id, problems);
        if start == Some(id) {
            node.begin();
        }
        plan.nodes.push(node);
    }
    if start.is_none() {
        problems.push(format!(
            "plan `{}` does not say where it starts (`start`)",
            plan.id
        ));
    }
    if let Some(start) = start.filter(|start| plan.nodes.iter().all(|node| node.id != **start)) {
        problems.push(format!(
            "plan `{}` starts at `{start}`, but has no such node",
            plan.id
        ));
    }
    for json in graph
        .get("edges")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let end = |key| json.get(key).and_then(Value::as_str).map(str::to_owned);
        let Some((from, to)) = end("from").zip(end("to")) else {
            problems.push(format!(
                "an edge of plan `{}` lacks `from` or `to`: {json}",
                plan.id
            ));
            continue;
        };
        for id in [&from, &to] {
            if plan.nodes.iter().all(|node| node.id != *id) {
                problems.push(format!(
                    "an edge of plan `{}` names `{id}`, but there is no such node",
                    plan.id
                ));
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
            from,
            to,
            condition: condition.or_else(|| simple.then(|| ALWAYS.to_owned())),
            attributes,
        });
    }
}
