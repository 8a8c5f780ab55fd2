//! Runs one hook.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use attractor_exec::{Exit, Job, Redactor};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{ToolHook, ToolHooks};
use crate::both_streams::BothStreams;
use crate::tool::{Access, ToolResult};
use crate::truncation::{TruncationConfig, truncate_output};
use attractor_agent_events::{HookOutcome, HookTime};

/// How much of what a hook writes the model and the events get, in characters.
const OUTPUT: usize = 4_000;

/// The call that a hook is about.
#[derive(Clone, Copy)]
pub(crate) struct CallOfHook<'c> {
    /// The tool.
    pub(crate) tool: &'c str,
    /// The call.
    pub(crate) id: &'c str,
    /// What it does.
    pub(crate) access: &'c Access,
    /// Its arguments, without secrets.
    pub(crate) arguments: &'c Value,
    /// What came of it and how long it took, after it ran; without secrets, as long as the model gets it.
    pub(crate) result: Option<(&'c ToolResult, Duration)>,
    /// The run, and the session within it.
    pub(crate) run: &'c str,
    /// See `run`.
    pub(crate) session: &'c str,
    /// The folder of the session.
    pub(crate) folder: &'c Path,
    /// Masks secrets in what the hook writes.
    pub(crate) redactor: &'c Arc<Redactor>,
}

/// A hook that has run.
#[derive(Debug, Clone)]
pub(crate) struct Ran {
    pub(crate) hook: String,
    pub(crate) when: HookTime,
    pub(crate) outcome: HookOutcome,
    pub(crate) exit_code: Option<i32>,
    pub(crate) took: Duration,
    /// What it wrote, shortened, or why it did not end by itself.
    pub(crate) output: String,
}

/// The hooks that run for a call at that time, in turn.
pub(crate) fn run<'h>(
    hooks: &'h ToolHooks,
    when: HookTime,
    call: CallOfHook<'h>,
    stop: &'h CancellationToken,
) -> impl Iterator<Item = impl Future<Output = Ran> + 'h> + 'h {
    let matching = hooks.hooks.iter().filter(move |hook| {
        hook.when == when && hook.calls.include(call.folder, call.tool, call.access)
    });
    matching.map(move |hook| run_one(hooks, hook, call, stop))
}

async fn run_one(
    hooks: &ToolHooks,
    hook: &ToolHook,
    call: CallOfHook<'_>,
    stop: &CancellationToken,
) -> Ran {
    let begun = Instant::now();
    let directory = hook.directory.as_deref().unwrap_or(call.folder);
    let job = Job {
        argv: hook.argv.clone(),
        directory: directory.to_owned(),
        environment: environment(hooks, hook, call),
        stdin: Some(format!("{}\n", input(hooks, hook, call))),
        timeout: Some(hook.timeout),
        run: call.run.to_owned(),
        step: format!("{}/{}/{}/{}", call.run, call.session, call.id, hook.name),
        redactor: Arc::clone(call.redactor),
        ..Job::default()
    };
    let output = BothStreams::silent();
    let ended = hooks.environment.run(job, &output, stop).await;
    let written = shortened(output.finish().text.trim_end());
    let (exit_code, problem) = match ended.map(|result| result.exit) {
        Ok(Exit::Code(code)) => (Some(code), None),
        Ok(Exit::TimedOut) => (
            None,
            Some(format!("it took longer than {:?}", hook.timeout)),
        ),
        Ok(Exit::Stopped) => (None, Some("it was stopped".to_owned())),
        Err(error) => {
            let program = hook.argv.first().map_or("", String::as_str);
            let problem = format!("`{program}` cannot be started: {error}");
            (None, Some(problem))
        }
    };
    let lines = [written, problem.unwrap_or_default()];
    let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    Ran {
        hook: hook.name.clone(),
        when: hook.when,
        outcome: match (exit_code, hook.when) {
            (Some(0), _) => HookOutcome::Passed,
            (_, HookTime::Before) => HookOutcome::Refused,
            (_, HookTime::After) => HookOutcome::Failed,
        },
        exit_code,
        took: begun.elapsed(),
        output: lines.join("\n"),
    }
}

fn shortened(text: &str) -> String {
    let limits = TruncationConfig {
        char_limits: [("hook".to_owned(), OUTPUT)].into_iter().collect(),
        ..TruncationConfig::default()
    };
    truncate_output("hook", text, &limits)
}

fn environment(hooks: &ToolHooks, hook: &ToolHook, call: CallOfHook<'_>) -> Vec<(String, String)> {
    let own = [
        ("ATTRACTOR_HOOK", event(hook.when)),
        ("ATTRACTOR_NODE", &hooks.node),
        ("ATTRACTOR_SESSION", call.session),
        ("ATTRACTOR_TOOL", call.tool),
        ("ATTRACTOR_TOOL_CALL_ID", call.id),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value.replace('\0', "")));
    hook.environment.iter().cloned().chain(own).collect()
}

/// What a hook reads from its standard input.
fn input(hooks: &ToolHooks, hook: &ToolHook, call: CallOfHook<'_>) -> Value {
    let mut input = json!({
        "event": event(hook.when),
        "run": call.run,
        "node": hooks.node,
        "session": call.session,
        "tool_name": call.tool,
        "tool_call_id": call.id,
        "arguments": call.arguments,
        "working_dir": call.folder,
    });
    if let (Some((result, took)), Some(fields)) = (call.result, input.as_object_mut()) {
        let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        fields.insert("result".to_owned(), result.output.clone().into());
        fields.insert("is_error".to_owned(), result.is_error.into());
        fields.insert("duration_ms".to_owned(), milliseconds.into());
    }
    input
}

/// The name of a time on the wire.
const fn event(when: HookTime) -> &'static str {
    match when {
        HookTime::Before => "before_tool_call",
        HookTime::After => "after_tool_call",
    }
}
