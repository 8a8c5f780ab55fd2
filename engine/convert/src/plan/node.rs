//! One node of a plan, from JSON.

use serde_json::Value;

use super::places::member;
use super::problem::{Problem, UNKNOWN_TYPE};
use super::types::Node;
use super::value::{to_text, verify_to_text};
use super::words::{TYPES, attribute_of, shape_of_type, type_of_kind};
use attractor_model::catalogue::{self, NodeKind, Owner};

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
    pub(super) fn is_plain(&self) -> bool {
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
pub(super) fn node(
    id: &str,
    pointer: String,
    json: &Value,
    plan: &str,
    problems: &mut Vec<Problem>,
) -> Node {
    let mut node = Node {
        pointer,
        id: id.to_owned(),
        attributes: Vec::new(),
    };
    let said = json.get("type").and_then(Value::as_str).unwrap_or("task");
    if let Some(shape) = shape_of_type(said) {
        node.attributes.push(("shape".to_owned(), shape.to_owned()));
    }
    if !TYPES.iter().any(|(name, _)| *name == said) {
        let message = format!("node `{id}` of plan `{plan}` has the unknown type `{said}`");
        let problem = Problem::new(UNKNOWN_TYPE, &member(&node.pointer, "type"), message);
        problems.push(problem.suggest(said, TYPES.iter().map(|(name, _)| *name)));
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
