//! Tools a model may call.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A tool a model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// Its name: a letter or `_`, then at most 63 letters, digits, `_` or `-`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// A JSON Schema of its arguments; its root is an object.
    pub parameters: Value,
    /// Whether arguments must fit the schema exactly, where the provider can ensure that.
    #[serde(default)]
    pub strict: bool,
    /// For a tool whose input is text instead of JSON. Providers without such tools are given a function with the
    /// one parameter `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freeform: Option<Freeform>,
}

/// The input of a freeform tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Freeform {
    /// A grammar in Lark syntax that the input follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
}

impl ToolDefinition {
    /// A tool with a JSON Schema of its arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters,
            strict: false,
            freeform: None,
        }
    }

    /// A tool whose input is text.
    pub fn freeform(
        name: impl Into<String>,
        description: impl Into<String>,
        grammar: Option<String>,
    ) -> Self {
        let parameters = json!({
            "type": "object",
            "properties": {"input": {"type": "string"}},
            "required": ["input"],
            "additionalProperties": false,
        });
        Self {
            freeform: Some(Freeform { grammar }),
            ..Self::new(name, description, parameters)
        }
    }

    /// The JSON Schema of its arguments: always an object with `type` and `properties`.
    pub fn to_json_schema(&self) -> Value {
        let mut schema = match &self.parameters {
            Value::Object(schema) => schema.clone(),
            _ => serde_json::Map::new(),
        };
        schema.entry("type").or_insert_with(|| json!("object"));
        if schema.get("type") == Some(&json!("object")) {
            schema.entry("properties").or_insert_with(|| json!({}));
        }
        Value::Object(schema)
    }

    /// Whether every provider accepts its name.
    pub fn has_valid_name(&self) -> bool {
        let mut bytes = self.name.bytes();
        let first = bytes
            .next()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        first
            && self.name.len() <= 64
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    }
}

/// Whether a model must call a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// It calls no tool.
    None,
    /// It calls some tool.
    Required,
    /// It calls that tool.
    Tool(String),
}
