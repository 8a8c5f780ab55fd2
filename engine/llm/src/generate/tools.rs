//! Executes tool calls.

use async_trait::async_trait;
use futures::future::join_all;
use serde_json::Value;

use crate::content::{ToolCallContent, ToolResultContent};
use crate::error::{Error, ErrorKind};
use crate::media::MediaContent;
use crate::request::Request;
use crate::tool::ToolDefinition;

/// Executes the calls of a model.
#[async_trait]
pub trait ToolExecutor: Send + Sync {
    /// Executes one call. Calls of one answer are executed at the same time.
    async fn execute(&self, call: &ToolCallContent) -> Result<ToolOutput, ToolError>;
}

/// What a tool returns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolOutput {
    /// Text.
    pub content: String,
    /// Images and documents.
    pub media: Vec<MediaContent>,
}

impl<T: Into<String>> From<T> for ToolOutput {
    fn from(content: T) -> Self {
        Self {
            content: content.into(),
            media: Vec::new(),
        }
    }
}

/// Why a tool failed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ToolError {
    /// The model receives this message and may react.
    RespondToModel(String),
    /// The whole generation ends.
    Fatal(Error),
}

/// Executes calls at the same time; results are in the order of the calls.
pub(super) async fn execute_all(
    calls: &[&ToolCallContent],
    request: &Request,
    executor: &dyn ToolExecutor,
) -> Result<Vec<ToolResultContent>, Error> {
    let running = join_all(
        calls
            .iter()
            .map(|call| execute(call, &request.tools, executor)),
    );
    let results = tokio::select! {
        biased;
        () = request.cancel.cancelled() => return Err(Error::new(ErrorKind::Cancelled, "the call was cancelled")),
        results = running => results,
    };
    results.into_iter().collect()
}

async fn execute(
    call: &ToolCallContent,
    tools: &[ToolDefinition],
    executor: &dyn ToolExecutor,
) -> Result<ToolResultContent, Error> {
    let result = |content: String, is_error| ToolResultContent {
        tool_call_id: call.tool_call_id.clone(),
        tool_name: call.tool_name.clone(),
        content,
        media: Vec::new(),
        is_error,
    };
    if let Err(problem) = check(call, tools) {
        return Ok(result(format!("error: {problem}"), true));
    }
    match executor.execute(call).await {
        Ok(output) => Ok(ToolResultContent {
            media: output.media,
            ..result(output.content, false)
        }),
        Err(ToolError::RespondToModel(message)) => Ok(result(message, true)),
        Err(ToolError::Fatal(error)) => Err(error),
    }
}

/// What is wrong with a call before it is executed.
fn check(call: &ToolCallContent, tools: &[ToolDefinition]) -> Result<(), String> {
    let Some(tool) = tools.iter().find(|tool| tool.name == call.tool_name) else {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        return Err(format!(
            "unknown tool `{}`; available tools: {}",
            call.tool_name,
            names.join(", ")
        ));
    };
    if let Some(invalid) = &call.invalid {
        return Err(format!(
            "the arguments of `{}` are not valid JSON: {invalid}",
            tool.name
        ));
    }
    // A schema that is itself invalid checks nothing: the provider accepted it.
    let Ok(validator) = jsonschema::validator_for(&tool.to_json_schema()) else {
        return Ok(());
    };
    let arguments = Value::Object(call.arguments.clone());
    let problems: Vec<String> = validator
        .iter_errors(&arguments)
        .take(3)
        .map(|problem| match problem.instance_path().to_string() {
            path if path.is_empty() => problem.to_string(),
            path => format!("{path}: {problem}"),
        })
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the arguments of `{}` do not fit its schema: {}",
        tool.name,
        problems.join("; ")
    ))
}
