//! `attractor.inputs`: what a client needs to draw a form for the inputs of a run.

use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What `attractor.inputs` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputsArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The pipeline; may be left out when the document holds one.
    #[serde(default)]
    pub graph: Option<String>,
}

/// What `attractor.inputs` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputsResult {
    /// The pipeline.
    pub graph: String,
    /// Its inputs, in the order of `vars`.
    pub inputs: Vec<Input>,
}

/// An input of a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Input {
    /// Its name.
    pub name: String,
    /// What its default is; missing without one, which is a value as it is written.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<InputType>,
    /// Whether it has no default.
    pub required: bool,
    /// Whether it is a secret, which is neither stored nor shown.
    pub secret: bool,
    /// The value without one that is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The value that the newest run of the pipeline was given, as it is written where there is no type; never of a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Value>,
}

/// The type of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum InputType {
    /// A text.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list or an object, as JSON.
    Json,
}

impl InputType {
    /// The type of a value; `null` has none.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => None,
            Value::Bool(_) => Some(Self::Boolean),
            Value::Number(_) => Some(Self::Number),
            Value::String(_) => Some(Self::String),
            Value::Array(_) | Value::Object(_) => Some(Self::Json),
        }
    }
}
