//! The arguments of tools: their schema, and reading them.

use std::path::PathBuf;

use attractor_llm::ToolDefinition;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{Tool, ToolResult};

/// Gives arguments with another name the name of the schema. A session does it before it checks a call against the
/// schema. An argument that is there under both names keeps the one of the schema.
pub fn rename_aliases(tool: &dyn Tool, arguments: &mut Value) {
    let Some(arguments) = arguments.as_object_mut() else {
        return;
    };
    for (alias, name) in tool.aliases() {
        if !arguments.contains_key(*name)
            && let Some(value) = arguments.shift_remove(*alias)
        {
            arguments.insert((*name).to_owned(), value);
        }
    }
}

/// Reads the arguments of a call.
///
/// # Errors
/// They do not fit; the result names the problem.
pub(crate) fn parse<T: DeserializeOwned>(
    tool: &dyn Tool,
    arguments: &Value,
) -> Result<T, ToolResult> {
    let mut arguments = arguments.clone();
    rename_aliases(tool, &mut arguments);
    serde_json::from_value(arguments).map_err(|problem| {
        let name = tool.definition().name;
        ToolResult::error(format!(
            "the arguments of `{name}` do not fit its schema: {problem}"
        ))
    })
}

/// The argument `path` of a call, if it has one.
pub(crate) fn path_argument(tool: &dyn Tool, arguments: &Value) -> Option<PathBuf> {
    let mut arguments = arguments.clone();
    rename_aliases(tool, &mut arguments);
    arguments.get("path")?.as_str().map(PathBuf::from)
}

/// Builds the schema of the parameters of a tool.
pub(crate) struct Parameters {
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl Parameters {
    /// No parameters.
    pub(crate) fn new() -> Self {
        Self {
            properties: Map::new(),
            required: Vec::new(),
        }
    }

    /// A parameter that must be there.
    pub(crate) fn required(self, name: &str, kind: &str, description: &str) -> Self {
        self.required_schema(name, json!({"type": kind, "description": description}))
    }

    /// A parameter that may be left out.
    pub(crate) fn optional(self, name: &str, kind: &str, description: &str) -> Self {
        self.schema(name, json!({"type": kind, "description": description}))
    }

    /// A number from 1 that may be left out.
    pub(crate) fn count(self, name: &str, description: &str) -> Self {
        let schema = json!({"type": "integer", "minimum": 1, "description": description});
        self.schema(name, schema)
    }

    /// A parameter with a schema of its own that must be there.
    pub(crate) fn required_schema(mut self, name: &str, schema: Value) -> Self {
        self.required.push(name.into());
        self.schema(name, schema)
    }

    /// A parameter with a schema of its own that may be left out.
    pub(crate) fn schema(mut self, name: &str, schema: Value) -> Self {
        self.properties.insert(name.to_owned(), schema);
        self
    }

    /// The definition of a tool with these parameters.
    pub(crate) fn define(self, name: &str, description: &str) -> ToolDefinition {
        let schema = json!({
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            "additionalProperties": false,
        });
        ToolDefinition::new(name, description, schema)
    }
}
