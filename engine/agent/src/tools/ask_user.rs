//! `ask_user`: a question to a person. The call waits for the answer, however long it takes.

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::person::{PersonAnswer, PersonQuestion};
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};

/// Asks a person.
#[derive(Debug, Clone, Copy)]
pub struct AskUser;

#[derive(Deserialize)]
struct Arguments {
    question: String,
    #[serde(default)]
    options: Vec<String>,
}

#[async_trait]
impl Tool for AskUser {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("question", "string", "The question, with what the person needs to know.")
            .schema(
                "options",
                json!({
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Answers to choose from. Leave it out for a free answer.",
                }),
            )
            .define(
                "ask_user",
                "Asks the person you work for and returns the answer. Ask only for what the task leaves open and files \
                 and commands cannot answer: a decision, a preference, a missing fact. There may be nobody to answer; \
                 then decide yourself and say what you have assumed.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("text", "question"), ("choices", "options")]
    }

    fn access(&self, arguments: &Value) -> Access {
        let question = parse(self, arguments).map(|one: Arguments| one.question);
        Access::Other(question.unwrap_or_default())
    }

    fn can_run_again(&self) -> bool {
        true
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let arguments: Arguments = match parse(self, &call.arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        if arguments.question.trim().is_empty() {
            return ToolResult::error("`question` is empty; write the question");
        }
        let question = PersonQuestion {
            id: call.id,
            text: arguments.question,
            options: arguments.options,
        };
        let answer = tokio::select! {
            answer = context.person.ask(question) => answer,
            () = context.cancel.cancelled() => {
                return ToolResult::error("the session was cancelled before an answer");
            }
        };
        match answer {
            PersonAnswer::Text(answer) => ToolResult::ok(answer),
            PersonAnswer::Nobody(reason) => ToolResult::error(format!(
                "no answer: {reason}; decide yourself and state what you assumed"
            )),
        }
    }
}
