//! Handlers of the configuration: a program that reads one JSON object from its standard input and writes the outcome
//! as one JSON object to its standard output.
//!
//! ```toml
//! [handlers.deploy]
//! command = ["python3", "deploy.py"]
//! ```
//!
//! What the program reads: `{node: {id, label, handler, visit, attempt}, attributes: {…}, context: {…}, run: {id,
//! working_dir, stage_dir}}`. What it writes has the fields of `status.json`: `outcome`, `notes`, `context_updates`,
//! `preferred_label`, `next_node`, `failure_reason`, and `output`.

use attractor_machine::outcome::{FailureClass, Outcome, Status};
use attractor_model::catalogue::values;
use attractor_model::{Attribute, CustomAttribute, CustomHandler, CustomType};
use serde_json::{Map, Value, json};

use super::{Work, status};

/// How much of an output that is not an outcome is shown, in characters.
const SHOWN: usize = 200;

/// What the program reads.
pub(super) fn request(work: Work<'_>, handler: &CustomHandler) -> String {
    let node = work.node_ref.node;
    let attributes: Map<String, Value> = node
        .attributes
        .iter()
        .map(|attribute| named(work, handler, attribute))
        .collect();
    let request = json!({
        "node": {
            "id": work.frame.node,
            "label": node.label(),
            "handler": handler.name,
            "visit": work.frame.visit,
            "attempt": work.frame.attempt,
        },
        "attributes": attributes,
        "context": work.view.all(),
        "run": {
            "id": work.place.run,
            "working_dir": work.directory(),
            "stage_dir": work.stage_dir,
        },
    });
    request.to_string()
}

/// An attribute by the name the handler declares, else by its canonical one.
fn named(work: Work<'_>, handler: &CustomHandler, attribute: Attribute<'_>) -> (String, Value) {
    let declared = handler.attribute(attribute.written());
    let name = declared.map_or_else(|| attribute.name(), |declared| &declared.name);
    let text = work.fill(attribute.value());
    (name.to_owned(), typed(declared, text))
}

/// A value as its declared type; text where it cannot be read as that.
fn typed(declared: Option<&CustomAttribute>, text: String) -> Value {
    let read = match declared.map(|declared| declared.ty) {
        Some(CustomType::Boolean) => values::boolean(&text).map(Value::from),
        Some(CustomType::Integer) => values::integer(&text).map(Value::from),
        Some(CustomType::Float) => values::float(&text).map(Value::from),
        Some(CustomType::List) => Some(values::list(&text).map(|(item, _)| item).collect()),
        Some(CustomType::Json) => serde_json::from_str(&text).ok(),
        _ => None,
    };
    read.unwrap_or(Value::String(text))
}

/// Puts what the program wrote into the outcome of its process.
pub(super) fn read(handler: &str, outcome: &mut Outcome) {
    let output = outcome
        .output
        .as_str()
        .unwrap_or_default()
        .trim()
        .to_owned();
    let written: Option<Map<String, Value>> = serde_json::from_str(&output).ok();
    if outcome.status.is_failure() {
        // The exit code says that it failed; the object may say why.
        let said = written.map(Value::Object).filter(says_failure);
        if let Some(said) = said {
            status::apply(&said, outcome);
        }
        outcome.output = Value::Null;
        return;
    }
    let Some(written) = written else {
        let found = match output.chars().take(SHOWN).collect::<String>() {
            nothing if nothing.is_empty() => "nothing".to_owned(),
            found => format!("`{found}`"),
        };
        outcome.status = Status::Fail;
        outcome.failure_class = Some(FailureClass::Deterministic);
        outcome.failure_reason = Some(format!(
            "the handler `{handler}` wrote {found}; expected an outcome as a JSON object on standard output, such as {{\"outcome\": \"success\"}}"
        ));
        return;
    };
    outcome.notes = String::new();
    let written = Value::Object(written);
    status::apply(&written, outcome);
    outcome.output = written.get("output").cloned().unwrap_or_default();
}

fn says_failure(value: &Value) -> bool {
    let word = value.get("outcome").or_else(|| value.get("status"));
    let word = word.and_then(Value::as_str);
    word.is_none_or(|word| Status::parse(word).is_failure())
}
