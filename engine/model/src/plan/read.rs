//! JSON → plans. Total: what does not fit is named and left out.

use serde_json::{Map, Value};

use super::{Edge, FIELDS, Node, Plan, TYPES};

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
            "name" => plan.attributes.push(("label".to_owned(), plain(value))),
            _ => plan.attributes.push((key.clone(), plain(value))),
        }
    }
    match (fields.get("graph"), fields.get("steps")) {
        (Some(Value::Object(graph)), _) => add_graph(&mut plan, graph, problems),
        (_, Some(Value::Array(steps))) => add_steps(&mut plan, steps, problems),
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
            node.attributes
                .insert(0, ("start".to_owned(), "true".to_owned()));
        }
        plan.nodes.push(node);
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
        let condition = end("condition").unwrap_or_else(|| "always".to_owned());
        plan.edges.push(Edge {
            from,
            to,
            condition,
        });
    }
}

fn node(id: &str, json: &Value, plan: &str, problems: &mut Vec<String>) -> Node {
    let mut node = Node {
        id: id.to_owned(),
        attributes: Vec::new(),
    };
    for (key, value) in json.as_object().into_iter().flatten() {
        match key.as_str() {
            "type" => match TYPES.iter().find(|(name, _)| value.as_str() == Some(name)) {
                Some((_, Some(shape))) => {
                    node.attributes
                        .insert(0, ("shape".to_owned(), (*shape).to_owned()));
                }
                Some((_, None)) => {}
                None => problems.push(format!(
                    "node `{id}` of plan `{plan}` has the unknown type {value}; it becomes a task"
                )),
            },
            "verify" => node.attributes.push(("verify".to_owned(), verify(value))),
            key => {
                let name = FIELDS
                    .iter()
                    .find(|(field, _)| *field == key)
                    .map_or(key, |(_, name)| name);
                node.attributes.push((name.to_owned(), plain(value)));
            }
        }
    }
    node
}

/// `{"type": "output_contains", "value": "ok"}` is `output_contains:ok`.
fn verify(json: &Value) -> String {
    let kind = json.get("type").map(plain);
    match (kind, json.get("value")) {
        (Some(kind), Some(value)) if !value.is_null() => format!("{kind}:{}", plain(value)),
        (Some(kind), _) => kind,
        (None, _) => plain(json),
    }
}

/// Steps in a line: each leads to the next on success, the last to an end.
fn add_steps(plan: &mut Plan, steps: &[Value], problems: &mut Vec<String>) {
    const END: &str = "done";
    const GIVE_UP: &str = "give_up";
    let mut ids: Vec<String> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let written = ["id", "name"]
            .iter()
            .find_map(|key| step.get(key)?.as_str());
        let mut id = written.map(slug).unwrap_or_default();
        if id.is_empty() || ids.contains(&id) || [END, GIVE_UP].contains(&id.as_str()) {
            id = format!("step_{}", at + 1);
        }
        ids.push(id);
    }
    for (at, (step, id)) in steps.iter().zip(&ids).enumerate() {
        let mut node = node(id, step, &plan.id, problems);
        node.attributes
            .retain(|(key, _)| !matches!(key.as_str(), "id" | "on_fail"));
        if at == 0 {
            node.attributes
                .insert(0, ("start".to_owned(), "true".to_owned()));
        }
        let next = ids.get(at + 1).map_or(END, String::as_str);
        let edge = |to: &str, condition: &str| Edge {
            from: id.clone(),
            to: to.to_owned(),
            condition: condition.to_owned(),
        };
        plan.edges.push(edge(next, "on_success"));
        let on_fail = step.get("on_fail").map(plain);
        match on_fail.as_deref() {
            None | Some("" | "stop" | "abort" | "fail" | "stall") => {}
            Some("retry") => {
                if !node.attributes.iter().any(|(key, _)| key == "max_retries") {
                    node.attributes
                        .push(("max_retries".to_owned(), "2".to_owned()));
                }
            }
            Some("skip" | "continue" | "next") => plan.edges.push(edge(next, "on_fail")),
            Some("escalate") => plan.edges.push(edge(GIVE_UP, "on_fail")),
            Some(target) => match target
                .parse::<usize>()
                .ok()
                .and_then(|at| ids.get(at))
                .or_else(|| ids.iter().find(|id| **id == slug(target)))
            {
                Some(target) => plan.edges.push(edge(target, "on_fail")),
                None => problems.push(format!(
                    "step `{id}` of plan `{}` has `on_fail` {target}, which is no step",
                    plan.id
                )),
            },
        }
        plan.nodes.push(node);
    }
    let attributes = |pairs: &[(&str, &str)]| {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect()
    };
    if plan.edges.iter().any(|edge| edge.to == GIVE_UP) {
        plan.nodes.push(Node {
            id: GIVE_UP.to_owned(),
            attributes: attributes(&[("shape", "octagon"), ("reason", "A step failed")]),
        });
    }
    plan.nodes.push(Node {
        id: END.to_owned(),
        attributes: attributes(&[("shape", "Msquare")]),
    });
}

/// `Run the tests!` is `run_the_tests`.
fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    slug.trim_end_matches('_').to_owned()
}

/// A text as it is, a list of texts by commas, anything else as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items)
            if items
                .iter()
                .all(|item| item.as_str().is_some_and(|text| !text.contains(','))) =>
        {
            items
                .iter()
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(", ")
        }
        other => other.to_string(),
    }
}
