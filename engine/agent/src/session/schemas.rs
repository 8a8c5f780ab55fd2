//! The schemas of a session's tools, compiled once.

use std::collections::HashMap;

use attractor_llm::ToolDefinition;
use jsonschema::Validator;
use serde_json::Value;

/// How many problems of a call are named.
const SHOWN: usize = 3;

/// Checks arguments against the schemas of their tools.
#[derive(Debug, Default)]
pub(super) struct Schemas(HashMap<String, Schema>);

#[derive(Debug)]
struct Schema {
    validator: Validator,
    /// The names of all arguments, where the schema allows no others.
    names: Option<Vec<String>>,
}

impl Schemas {
    pub(super) fn of(tools: &[ToolDefinition]) -> Self {
        // A schema that is itself invalid checks nothing: the provider accepted it.
        let compiled = tools.iter().filter_map(|tool| {
            let schema = tool.to_json_schema();
            let validator = jsonschema::validator_for(&schema).ok()?;
            let names = closed_names(&schema);
            Some((tool.name.clone(), Schema { validator, names }))
        });
        Self(compiled.collect())
    }

    /// Leaves out arguments that the tool does not have, and says which: a call that is otherwise right is worth more than
    /// another round for a word too many.
    pub(super) fn leave_out_unknown(&self, tool: &str, arguments: &mut Value) -> Option<String> {
        let names = self.0.get(tool)?.names.as_ref()?;
        let arguments = arguments.as_object_mut()?;
        let unknown = arguments.keys().filter(|name| !names.contains(name));
        let unknown: Vec<String> = unknown.cloned().collect();
        for name in &unknown {
            arguments.shift_remove(name);
        }
        let shown: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
        (!shown.is_empty()).then(|| {
            format!(
                "[ignored unknown arguments of `{tool}`: {}; it takes {}]",
                shown.join(", "),
                names.join(", ")
            )
        })
    }

    /// What is wrong with the arguments: each field with its problem.
    pub(super) fn check(&self, tool: &str, arguments: &Value) -> Result<(), String> {
        let Some(schema) = self.0.get(tool) else {
            return Ok(());
        };
        let problems: Vec<String> = schema
            .validator
            .iter_errors(arguments)
            .take(SHOWN)
            .map(|problem| {
                let path = problem.instance_path().to_string();
                match path.strip_prefix('/') {
                    Some(field) => format!("`{field}`: {problem}"),
                    None => problem.to_string(),
                }
            })
            .collect();
        if problems.is_empty() {
            return Ok(());
        }
        Err(format!(
            "error: the arguments of `{tool}` do not fit its schema: {}",
            problems.join("; ")
        ))
    }
}

/// The names of the properties of an object that has no others.
fn closed_names(schema: &Value) -> Option<Vec<String>> {
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let properties = schema.get("properties")?.as_object()?;
    is_closed.then(|| properties.keys().cloned().collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn problems_name_the_field() {
        let schema = json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["path"],
        });
        let schemas = Schemas::of(&[ToolDefinition::new("read", "", schema)]);
        let problems = [
            json!({}),
            json!({"path": 1, "limit": "x"}),
            json!({"path": "a", "limit": 2}),
        ]
        .map(|arguments| schemas.check("read", &arguments).err().unwrap_or_default());
        expect_test::expect![[r#"
            error: the arguments of `read` do not fit its schema: "path" is a required property
            error: the arguments of `read` do not fit its schema: `path`: 1 is not of type "string"; `limit`: "x" is not of type "integer"
        "#]]
        .assert_eq(&problems.join("\n"));
        assert_eq!(schemas.check("other", &json!(1)), Ok(()));
    }

    #[test]
    fn unknown_arguments_are_left_out_and_named() {
        let schema = |additional| {
            json!({
                "type": "object",
                "properties": {"path": {"type": "string"}},
                "additionalProperties": additional,
            })
        };
        let schemas = Schemas::of(&[
            ToolDefinition::new("closed", "", schema(false)),
            ToolDefinition::new("open", "", schema(true)),
        ]);
        let mut arguments = json!({"path": "a", "why": "b"});
        assert_eq!(schemas.leave_out_unknown("open", &mut arguments), None);
        assert_eq!(
            schemas
                .leave_out_unknown("closed", &mut arguments)
                .as_deref(),
            Some("[ignored unknown arguments of `closed`: `why`; it takes path]")
        );
        assert_eq!(arguments, json!({"path": "a"}));
        assert_eq!(schemas.leave_out_unknown("closed", &mut arguments), None);
    }
}
