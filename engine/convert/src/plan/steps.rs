//! Steps in a line become a graph.

use serde_json::Value;

use super::node::{node, slug};
use super::places::member;
use super::problem::{Problem, UNKNOWN_NODE};
use super::types::{Edge, Node, Plan};

/// Steps in a line: each leads to the next on success, the last to an end.
pub(super) fn add(plan: &mut Plan, steps: &[Value], problems: &mut Vec<Problem>) {
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
    let all = member(&plan.pointer, "steps");
    for (at, (step, id)) in steps.iter().zip(&ids).enumerate() {
        let pointer = member(&all, &at.to_string());
        let mut node = node(id, pointer.clone(), step, &plan.id, problems);
        node.attributes
            .retain(|(key, _)| !matches!(key.as_str(), "id" | "on_fail"));
        if at == 0 {
            node.begin();
        }
        let next = ids.get(at + 1).map_or(END, String::as_str);
        let edge = |to: &str, condition: &str| Edge {
            pointer: pointer.clone(),
            from: id.clone(),
            to: to.to_owned(),
            condition: Some(condition.to_owned()),
            attributes: Vec::new(),
            allowed: None,
        };
        plan.edges.push(edge(next, "on_success"));
        let on_fail = step.get("on_fail").map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        });
        match on_fail.as_deref() {
            None | Some("" | "stop" | "abort" | "fail" | "stall") => {}
            Some("retry") => {
                if !node.attributes.iter().any(|(key, _)| key == "max_retries") {
                    node.attributes
                        .push(("max_retries".to_owned(), "2".to_owned()));
                }
            }
            Some("skip" | "continue" | "next") => plan.edges.push(Edge {
                // A failure of the last step is skipped as that of any other.
                allowed: (next == END).then_some("fail_routed_to_exit"),
                ..edge(next, "on_fail")
            }),
            Some("escalate") => plan.edges.push(edge(GIVE_UP, "on_fail")),
            Some(target) => {
                let by_index = target.parse::<usize>().ok().and_then(|at| ids.get(at));
                let found = by_index.or_else(|| ids.iter().find(|id| **id == slug(target)));
                if let Some(found) = found {
                    plan.edges.push(edge(found, "on_fail"));
                } else {
                    let message = format!(
                        "step `{id}` of plan `{}`: `on_fail` names an unknown step `{target}`",
                        plan.id
                    );
                    let problem = Problem::new(UNKNOWN_NODE, &member(&pointer, "on_fail"), message);
                    let known = ids.iter().map(String::as_str);
                    problems.push(problem.suggest(&slug(target), known));
                }
            }
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
            pointer: all.clone(),
            id: GIVE_UP.to_owned(),
            attributes: attributes(&[("shape", "octagon"), ("reason", "A step failed")]),
        });
    }
    plan.nodes.push(Node {
        pointer: all,
        id: END.to_owned(),
        attributes: attributes(&[("shape", "Msquare")]),
    });
}
