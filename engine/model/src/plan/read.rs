//! JSON → plans. Total: what does not fit is named and left out.

use serde_json::{Map, Value};

use super::value::{to_text, verify_to_text};
use super::{ALWAYS, Edge, Node, Plan, TYPES, attribute_of, shape_of_type, steps, type_of_kind};
use crate::catalogue::{self, NodeKind, Owner};

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

/// Attributes that make a node something plans have no word for.
const CARRIED: &[&str] = &["command", "branches", "sub_pipeline", "duration"];

impl Node {
    /// The run begins here. A task with nothing to do would be a mere beginning, so it says that it is a task.
    pub(super) fn begin(&mut self) {
        self.attributes
            .insert(0, ("start".to_owned(), "true".to_owned()));
        self.stay_a_task();
    }

    /// Whether it does what one of the types of plans does.
    fn is_plain(&self) -> bool {
        let said = |name: &str| {
            let mut found = self.attributes.iter().filter(|(own, _)| own == name);
            found.next_back().map(|(_, value)| value.as_str())
        };
        let shape = said("shape")
            .is_none_or(|shape| shape == "box" || TYPES.iter().any(|(_, own)| *own == Some(shape)));
        let handler = said("handler").is_none_or(|name| {
            NodeKind::from_name(name).is_some_and(|kind| type_of_kind(kind).is_some())
        });
        let carries = |(name, _): &(String, String)| {
            let row = catalogue::attribute(Owner::Node(NodeKind::Custom), name);
            row.is_some_and(|row| CARRIED.contains(&row.name))
        };
        shape && handler && !self.attributes.iter().any(carries)
    }

    fn stay_a_task(&mut self) {
        let decides = |(name, value): &(String, String)| match name.as_str() {
            "shape" | "handler" | "type" => true,
            "prompt" => !value.trim().is_empty(),
            _ => false,
        };
        if !self.attributes.iter().any(decides) {
            let kind = NodeKind::Codergen.name().to_owned();
            self.attributes.push(("handler".to_owned(), kind));
        }
    }
}

/// One node of a plan, or one step.
pub(super) fn node(id: &str, json: &Value, plan: &str, problems: &mut Vec<String>) -> Node {
    let mut node = Node {
        id: id.to_owned(),
        attributes: Vec::new(),
    };
    let said = json.get("type").and_then(Value::as_str).unwrap_or("task");
    if let Some(shape) = shape_of_type(said) {
        node.attributes.push(("shape".to_owned(), shape.to_owned()));
    }
    if !TYPES.iter().any(|(name, _)| *name == said) {
        problems.push(format!(
            "node `{id}` of plan `{plan}` has the unknown type \"{said}\"; it becomes a task"
        ));
    }
    let handler = json.get("handler").and_then(Value::as_str);
    let kind = handler
        .and_then(NodeKind::from_name)
        .or_else(|| NodeKind::from_shape(shape_of_type(said)?));
    let owner = Owner::Node(kind.unwrap_or(NodeKind::Codergen));
    for (key, value) in json.as_object().into_iter().flatten() {
        match key.as_str() {
            "type" => {}
            "verify" => node.attributes.push((key.clone(), verify_to_text(value))),
            key => {
                let name = attribute_of(key);
                let row = catalogue::attribute(owner, name);
                node.attributes.push((name.to_owned(), to_text(row, value)));
            }
        }
    }
    if ["start", "exit", "end"]
        .iter()
        .any(|end| id.eq_ignore_ascii_case(end))
    {
        node.stay_a_task();
    }
    node
}

/// `Run the tests!` is `run_the_tests`.
pub(super) fn slug(text: &str) -> String {
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
