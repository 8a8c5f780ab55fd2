//! The schemas of a session's tools, compiled once.

use std::collections::HashMap;

use attractor_llm::ToolDefinition;
use jsonschema::Validator;
use serde_json::Value;

/// How many problems of a call are named.
const SHOWN: usize = 3;

/// Checks arguments against the schemas of their tools.
#[derive(Debug, Default)]
pub(super) struct Schemas(HashMap<String, Validator>);

impl Schemas {
    pub(super) fn of(tools: &[ToolDefinition]) -> Self {
        // A schema that is itself invalid checks nothing: the provider accepted it.
        let compiled = tools.iter().filter_map(|tool| {
            let validator = jsonschema::validator_for(&tool.to_json_schema()).ok()?;
            Some((tool.name.clone(), validator))
        });
        Self(compiled.collect())
    }

    /// What is wrong with the arguments: each field with its problem.
    pub(super) fn check(&self, tool: &str, arguments: &Value) -> Result<(), String> {
        let Some(validator) = self.0.get(tool) else {
            return Ok(());
        };
        let problems: Vec<String> = validator
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
}
