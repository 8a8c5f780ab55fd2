//! The adapters: one module per API. Only their `wire` modules know a provider's JSON.

pub mod anthropic;
pub mod gemini;
mod ids;
pub mod openai;
pub mod openai_compatible;
pub(crate) mod registry;

use serde_json::{Map, Value};

use crate::request::Request;

/// Puts a user's own fields into a body: objects are merged, everything else is replaced.
pub(crate) fn merge_options(
    body: &mut Value,
    options: Option<&Map<String, Value>>,
    except: &[&str],
) {
    let Some(options) = options else { return };
    for (key, value) in options
        .iter()
        .filter(|(key, _)| !except.contains(&key.as_str()))
    {
        merge_field(body, key, value);
    }
}

fn merge_field(target: &mut Value, key: &str, value: &Value) {
    let Value::Object(fields) = target else {
        return;
    };
    match (fields.get_mut(key), value) {
        (Some(old @ Value::Object(_)), Value::Object(new)) => {
            for (key, value) in new {
                merge_field(old, key, value);
            }
        }
        _ => {
            fields.insert(key.to_owned(), value.clone());
        }
    }
}

/// An instruction for models whose output cannot be bound to a schema.
pub(crate) fn wants_json(request: &Request) -> Option<String> {
    use crate::request::ResponseFormat;
    match request.response_format.as_ref()? {
        ResponseFormat::Json => Some("Answer with JSON only, without any other text.".to_owned()),
        ResponseFormat::JsonSchema { schema, .. } => Some(format!(
            "Answer with JSON only, without any other text. The JSON must fit this JSON Schema:\n{schema}"
        )),
    }
}
