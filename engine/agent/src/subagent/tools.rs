//! The tools for subagents: `spawn_agent`, `send_input`, `wait`, `close_agent`.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use super::manager::Subagents;
use crate::session::{Completion, Ending};
use crate::tool::{
    Access, Parameters, Tool, ToolCall, ToolContext, ToolRegistry, ToolResult, parse,
};

/// Adds the tools, in the order of the profiles.
pub(crate) fn register(agents: &Arc<Subagents>, registry: &mut ToolRegistry) {
    for kind in [Kind::Spawn, Kind::SendInput, Kind::Wait, Kind::Close] {
        registry.register(Arc::new(SubagentTool {
            kind,
            agents: Arc::clone(agents),
        }));
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Spawn,
    SendInput,
    Wait,
    Close,
}

struct SubagentTool {
    kind: Kind,
    agents: Arc<Subagents>,
}

#[derive(Deserialize)]
struct SpawnArguments {
    task: String,
    working_dir: Option<String>,
    model: Option<String>,
    max_turns: Option<u64>,
}

#[derive(Deserialize)]
struct InputArguments {
    agent_id: String,
    message: String,
}

#[derive(Deserialize)]
struct IdArguments {
    agent_id: String,
}

#[async_trait]
impl Tool for SubagentTool {
    fn definition(&self) -> ToolDefinition {
        let with_id = || {
            Parameters::new().required("agent_id", "string", "The id that `spawn_agent` returned.")
        };
        match self.kind {
            Kind::Spawn => Parameters::new()
                .required(
                    "task",
                    "string",
                    "The task, complete: the subagent does not see this conversation.",
                )
                .optional("working_dir", "string", "The folder to work in, below this one: relative paths and commands begin there.")
                .optional("model", "string", "The model to use, if not this one.")
                .count("max_turns", "Maximum number of model calls.")
                .define(
                    "spawn_agent",
                    "Starts a subagent that works on a task in the background, with the same files, permissions and \
                     budget. Use it for parts that do not depend on each other. Returns its id; `wait` returns its result.",
                ),
            Kind::SendInput => with_id()
                .required("message", "string", "The message.")
                .define(
                    "send_input",
                    "Sends a message to a subagent. It is worked on after its current task.",
                ),
            Kind::Wait => with_id().define(
                "wait",
                "Waits until a subagent has ended its task, and returns its result.",
            ),
            Kind::Close => with_id().define(
                "close_agent",
                "Ends a subagent, also while it works, and frees what it uses.",
            ),
        }
    }

    fn access(&self, arguments: &Value) -> Access {
        let name = if matches!(self.kind, Kind::Spawn) {
            "task"
        } else {
            "agent_id"
        };
        let text = arguments.get(name).and_then(Value::as_str);
        Access::Other(text.unwrap_or_default().to_owned())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let result = match self.kind {
            Kind::Spawn => parse(self, &call.arguments).map(|one| self.spawn(one)),
            Kind::SendInput => parse(self, &call.arguments).map(|one| self.send(one)),
            Kind::Wait => match parse(self, &call.arguments) {
                Ok(one) => Ok(self.wait(one, context).await),
                Err(problem) => Err(problem),
            },
            Kind::Close => match parse(self, &call.arguments) {
                Ok(one) => Ok(self.close(one).await),
                Err(problem) => Err(problem),
            },
        };
        match result {
            Ok(Ok(output)) => ToolResult::ok(output),
            Ok(Err(problem)) => ToolResult::error(problem),
            Err(problem) => problem,
        }
    }
}

impl SubagentTool {
    fn spawn(&self, arguments: SpawnArguments) -> Result<String, String> {
        if arguments.task.trim().is_empty() {
            return Err("error: `task` is empty; describe the task".to_owned());
        }
        let folder = arguments.working_dir.as_deref();
        let task = match folder {
            Some(folder) => format!(
                "You work in the folder `{folder}`: relative paths and commands begin there.\n\n{}",
                arguments.task
            ),
            None => arguments.task,
        };
        let spawned = self.agents.spawn(
            task,
            arguments.model,
            arguments.max_turns,
            folder.map(Path::new),
        );
        let id = spawned.map_err(|error| format!("error: `working_dir`: {error}"))?;
        Ok(format!(
            "Started the subagent {id}. Use wait(agent_id=\"{id}\") to retrieve its result."
        ))
    }

    fn send(&self, arguments: InputArguments) -> Result<String, String> {
        let id = &arguments.agent_id;
        let agent = self.agents.find(id)?;
        if agent.is_working() {
            let sent = agent.session.follow_up(arguments.message);
            sent.map_err(|error| format!("error: {error}"))?;
        } else {
            agent.begin(arguments.message);
        }
        Ok(format!("Sent the message to {id}."))
    }

    async fn wait(&self, arguments: IdArguments, context: &ToolContext) -> Result<String, String> {
        let id = &arguments.agent_id;
        let agent = self.agents.find(id)?;
        let result = tokio::select! {
            result = agent.wait() => result,
            () = context.cancel.cancelled() => {
                return Err(format!("error: the wait for {id} was interrupted; it still works"));
            }
        };
        match result {
            Ok(completion) => report(id, &completion),
            Err(error) => Err(format!("error: {id} failed: {error}")),
        }
    }

    async fn close(&self, arguments: IdArguments) -> Result<String, String> {
        let agent = self.agents.remove(&arguments.agent_id)?;
        agent.session.shutdown().await;
        Ok(format!("Closed {}.", arguments.agent_id))
    }
}

/// What a subagent has done.
fn report(id: &str, completion: &Completion) -> Result<String, String> {
    let summary = completion.verification.summary();
    match &completion.ending {
        Ending::Done => Ok(format!("{}\n\n[{id} {summary}]", completion.text)),
        ending => Err(format!(
            "error: {id} did not finish: {}; until then it {summary}. Its last message: {}",
            ending.reason().unwrap_or_default(),
            completion.text
        )),
    }
}
