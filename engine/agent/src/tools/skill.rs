//! `skill`: loads the instructions of a skill. What else it has is loaded file by file.

use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use crate::skills::{Skill, Skills};
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};

/// Loads a skill.
#[derive(Debug, Clone)]
pub struct LoadSkill {
    skills: Arc<Skills>,
}

#[derive(Deserialize)]
struct Arguments {
    name: String,
    #[serde(default)]
    file: Option<String>,
}

impl LoadSkill {
    /// Loads one of these.
    pub fn of(skills: Arc<Skills>) -> Self {
        Self { skills }
    }
}

#[async_trait]
impl Tool for LoadSkill {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("name", "string", "The name of the skill, as your instructions list it.")
            .optional(
                "file",
                "string",
                "A text file of the skill that its instructions name, relative to its folder; leave it out for the instructions.",
            )
            .define(
                "skill",
                "Loads a skill: instructions for a certain kind of work. Your instructions list the names and what they are for.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("skill", "name"), ("command", "name")]
    }

    fn access(&self, arguments: &Value) -> Access {
        let name = parse(self, arguments).map(|one: Arguments| one.name);
        Access::Other(name.unwrap_or_default())
    }

    fn can_run_again(&self) -> bool {
        true
    }

    async fn call(&self, call: ToolCall, _: &ToolContext) -> ToolResult {
        let arguments: Arguments = match parse(self, &call.arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let Some(skill) = self.skills.get(&arguments.name) else {
            let names = self.skills.skills.iter().map(|skill| skill.name.as_str());
            let names: Vec<&str> = names.collect();
            let unknown = &arguments.name;
            return ToolResult::error(format!(
                "unknown skill `{unknown}`; there are: {}",
                names.join(", ")
            ));
        };
        match arguments.file {
            Some(file) => read(skill.clone(), file).await,
            None => instructions(skill),
        }
    }
}

fn instructions(skill: &Skill) -> ToolResult {
    let mut text = format!("# Skill {}\n\n{}\n", skill.name, skill.text);
    let folder = skill.folder.display();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\n[The files of this skill are in `{folder}`; `skill` with `file` reads one.]"
    );
    if let Some(rules) = &skill.allowed_tools {
        let rules = rules.join(", ");
        let _ = write!(
            text,
            "\n[Until the task is done, only these tools may be used: {rules}]"
        );
    }
    ToolResult {
        skill: Some(Box::new(skill.clone())),
        ..ToolResult::ok(text)
    }
}

async fn read(skill: Skill, file: String) -> ToolResult {
    let read = tokio::task::spawn_blocking(move || skill.read(&file)).await;
    match read {
        Ok(Ok(text)) => ToolResult::ok(text),
        Ok(Err(problem)) => ToolResult::error(problem),
        Err(_) => ToolResult::error("the file could not be read"),
    }
}
