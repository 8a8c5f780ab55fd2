//! `shell`: a command, in a process group of its own and with a limit on its time.

use std::sync::LazyLock;
use std::time::Duration;

use async_trait::async_trait;
use attractor_exec::{CapturedOutput, Exit, Job};
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use crate::both_streams::BothStreams;
use crate::prompt::shell;
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};

/// Runs a command.
#[derive(Debug, Clone, Copy)]
pub struct Shell;

#[derive(Deserialize)]
struct Arguments {
    command: String,
    #[serde(default)]
    timeout_ms: Option<u64>,
    #[serde(default)]
    background: bool,
}

#[async_trait]
impl Tool for Shell {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("command", "string", "The command line.")
            .count(
                "timeout_ms",
                "How long it may take, in milliseconds; default and maximum are in your instructions.",
            )
            .optional(
                "background",
                "boolean",
                "Whether it runs on while you work: the call returns an id at once. `timeout_ms` does not end it.",
            )
            .define(
                "shell",
                "Runs a command line by bash (by sh where there is no bash) in the working folder and returns its \
                 standard output and standard error as they were written, and the exit code if it is not 0. Each call \
                 is a new shell: folder and variables do not carry over. The command cannot be answered: it reads an \
                 empty input. When its time is up, it is ended with everything it started; give builds and tests a \
                 longer `timeout_ms`. What runs on, such as a server, is started with \
                 `background`: `shell_output` reads what it writes, `shell_input` writes to it, `shell_stop` ends it. Variables with secrets are not set. Long output is cut in the middle.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("cmd", "command"),
            ("timeout", "timeout_ms"),
            ("run_in_background", "background"),
        ]
    }

    fn access(&self, arguments: &Value) -> Access {
        let command = parse(self, arguments).map(|one: Arguments| one.command);
        Access::Execute(command.unwrap_or_default())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        match parse::<Arguments>(self, &call.arguments) {
            Ok(arguments) if arguments.background => start(&call.id, arguments.command, context),
            Ok(arguments) => run(&call.id, arguments, context).await,
            Err(result) => result,
        }
    }
}

/// The shell.
static PROGRAM: LazyLock<&str> = LazyLock::new(shell);

async fn run(id: &str, arguments: Arguments, context: &ToolContext) -> ToolResult {
    let limits = context.commands;
    let asked = arguments.timeout_ms.map(Duration::from_millis);
    let timeout = asked
        .unwrap_or(limits.default_timeout)
        .min(limits.max_timeout);
    let argv = vec![(*PROGRAM).to_owned(), "-c".to_owned(), arguments.command];
    let job = Job {
        timeout: Some(timeout),
        git: context.git.clone(),
        ..job(id, argv, context)
    };
    let both = BothStreams::shown(context.output.clone());
    match context.environment.run(job, &both, &context.cancel).await {
        Ok(result) => report(both.finish(), result.exit, timeout),
        Err(error) => ToolResult::error(format!("the command could not be started: {error}")),
    }
}

/// A command of a call.
fn job(id: &str, argv: Vec<String>, context: &ToolContext) -> Job {
    Job {
        argv,
        directory: context.workspace.folder(),
        run: context.run.clone(),
        // What a call started is ended with it, and nothing of another call, session or run.
        step: format!("{}/{}/{id}", context.run, context.step),
        redactor: context.redactor.clone(),
        ..Job::default()
    }
}

/// Runs the command in its second argument by the shell in its first, and writes both streams to one pipe, in order.
const MERGED: &str = "exec \"$0\" -c \"$1\" 2>&1";

/// Starts a command in the background.
fn start(id: &str, command: String, context: &ToolContext) -> ToolResult {
    let merged = ["sh", "-c", MERGED, *PROGRAM].map(str::to_owned);
    let argv = merged.into_iter().chain([command]).collect();
    let job = job(id, argv, context);
    let environment = context.environment.as_ref();
    let result = match context.background.start(job, environment) {
        Ok(id) => ToolResult::ok(format!(
            "started as `{id}`; `shell_output` with this id reads what it writes"
        )),
        Err(error) => ToolResult::error(error.to_string()),
    };
    ToolResult {
        is_open: true,
        ..result
    }
}

fn report(output: CapturedOutput, exit: Exit, timeout: Duration) -> ToolResult {
    let mut text = output.text;
    let note = match exit {
        Exit::Code(0) if text.is_empty() => Some("[the command wrote nothing]".to_owned()),
        Exit::Code(0) => None,
        Exit::Code(code) => Some(format!("[exit code: {code}]")),
        Exit::TimedOut => Some(format!(
            "[timed out after {} ms: the command and what it started were ended; call again with a longer \
             `timeout_ms` if it needs more time]",
            timeout.as_millis()
        )),
        Exit::Stopped => Some("[stopped: the session was cancelled]".to_owned()),
    };
    if let Some(note) = note {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&note);
    }
    ToolResult {
        output: text,
        is_error: exit != Exit::Code(0),
        ..ToolResult::default()
    }
}
