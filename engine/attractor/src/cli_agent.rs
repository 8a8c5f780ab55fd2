//! The backend `cli`: runs the command-line agent that a node names (`agent_tool`) without a terminal, and reads the
//! events it writes as lines of JSON.
//!
//! The agent works with its own tools, permissions and login. Nodes get it only on request (`backend=cli`).

mod claude;
mod codex;
mod gemini;
mod opencode;
mod options;
pub(crate) mod program;
#[cfg(test)]
mod tests;
mod transcript;

use std::sync::{Arc, Mutex, PoisonError};

use attractor_exec::{
    AgentSandbox, ExecutionEnvironment, Exit, Job, JobResult, Output, OutputStream, Redactor,
    find_program, footprint_name, secret_environment,
};
use attractor_run::{
    AgentCapabilities, BackendError, CodergenBackend, CodergenRequest, CodergenResponse, EditScope,
    FailureClass, Progress, ShellScope,
};
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use program::AgentProgram;
use transcript::{Transcript, class_of};

use crate::other_agents::without_hooks;

/// The name nodes choose it by.
const NAME: &str = "cli";

/// How much of an agent's standard error a message shows, in characters.
const SHOWN: usize = 600;

/// Runs command-line agents.
#[derive(Debug, Clone, Copy, Default)]
pub struct CliBackend;

impl CodergenBackend for CliBackend {
    fn name(&self) -> &'static str {
        NAME
    }

    fn is_only_by_name(&self) -> bool {
        true
    }

    fn sandbox(&self) -> Option<AgentSandbox> {
        // Another program calls its tools itself.
        Some(AgentSandbox::NONE)
    }

    fn capabilities(&self, _: &CodergenRequest) -> Option<AgentCapabilities> {
        Some(AgentCapabilities {
            edits: EditScope::Workspace,
            shell: ShellScope::Foreign,
            web: Vec::new(),
        })
    }

    fn unavailable(&self, request: &CodergenRequest) -> Option<String> {
        match program::of(request) {
            Ok(agent) if find_program(agent.program).is_some() => None,
            Ok(agent) => Some(format!(
                "the program `{}` is not in PATH; install {}, or set `agent_tool` to another agent",
                agent.program, agent.label
            )),
            Err(reason) => Some(reason),
        }
    }

    fn secrets(&self) -> Vec<String> {
        let keys = program::PROGRAMS.iter().flat_map(keys);
        keys.map(|(_, value)| value).collect()
    }

    fn run(
        &self,
        request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        Box::pin(async move {
            let failed = |reason| BackendError::new(FailureClass::Configuration, reason);
            let agent = program::of(&request).map_err(failed)?;
            let (arguments, warnings) = (agent.arguments)(&request);
            let reader = Arc::new(EventReader {
                transcript: Mutex::new(Transcript::new(agent.read)),
                progress: Arc::clone(&progress),
            });
            let job = job(agent, &request, arguments, progress.redactor());
            let result = run_to_end(progress.execution(), job, Arc::clone(&reader))
                .await
                .map_err(|error| {
                    failed(format!("`{}` cannot be started: {error}", agent.program))
                })?;
            let transcript = reader.finish();
            let mut response =
                answer(agent, &request, transcript, &result).map_err(|error| *error)?;
            response.warnings.extend(warnings);
            response
                .warnings
                .extend(without_hooks(&request, agent.label));
            Ok(response)
        })
    }
}

/// The command of an agent. The prompt goes to its standard input, which is then closed: an agent that wants to ask
/// gets no answer instead of waiting.
fn job(
    agent: &AgentProgram,
    request: &CodergenRequest,
    arguments: Vec<String>,
    redactor: Arc<Redactor>,
) -> Job {
    Job {
        argv: std::iter::once(agent.program.to_owned())
            .chain(arguments)
            .collect(),
        directory: request.working_dir.clone(),
        environment: keys(agent),
        stdin: Some(program::input(request, agent.takes_system_prompt)),
        // The executor limits the time: it drops the call.
        timeout: None,
        run: request.run.clone(),
        step: format!("{}/{}", request.run, request.stage_dir.display()),
        stdout_log: Some(request.stage_dir.join("session.jsonl")),
        stderr_log: Some(request.stage_dir.join("stderr.log")),
        redactor,
        footprint: Some(request.stage_dir.join(footprint_name(0))),
        git: None,
        confinement: None,
    }
}

/// The API keys of an agent that are set.
pub(crate) fn keys(agent: &AgentProgram) -> Vec<(String, String)> {
    let names = agent.key_variables.iter();
    names
        .filter_map(|name| Some(((*name).to_owned(), secret_environment::variable(name)?)))
        .collect()
}

/// Runs a job to its end. Dropping this ends its processes.
async fn run_to_end(
    execution: Arc<dyn ExecutionEnvironment>,
    job: Job,
    reader: Arc<EventReader>,
) -> std::io::Result<JobResult> {
    let stop = CancellationToken::new();
    let _stops_when_dropped = stop.clone().drop_guard();
    let task = tokio::spawn(async move { execution.run(job, reader.as_ref(), &stop).await });
    task.await.map_err(std::io::Error::other)?
}

/// What an agent has answered, or why it has not.
fn answer(
    agent: &AgentProgram,
    request: &CodergenRequest,
    transcript: Transcript,
    result: &JobResult,
) -> Result<CodergenResponse, Box<BackendError>> {
    let stderr = tail(&result.stderr.text);
    let problem = match (&transcript.error, result.exit) {
        (Some(error), _) => Some(error.clone()),
        (None, Exit::Code(0)) if transcript.text.trim().is_empty() => Some(match stderr.as_str() {
            "" => "it ended without an answer".to_owned(),
            stderr => format!("it ended without an answer: {stderr}"),
        }),
        (None, Exit::Code(0)) => None,
        (None, Exit::Code(code)) => Some(match stderr.as_str() {
            "" => format!("it ended with exit code {code}"),
            stderr => format!("it ended with exit code {code}: {stderr}"),
        }),
        (None, Exit::TimedOut | Exit::Stopped) => Some("it was stopped".to_owned()),
    };
    let model = transcript.model.or_else(|| request.model.clone());
    if let Some(problem) = problem {
        let message = format!("{} failed: {problem}", agent.label);
        return Err(Box::new(BackendError {
            model,
            usage: transcript.usage,
            ..BackendError::new(class_of(&problem), message)
        }));
    }
    Ok(CodergenResponse {
        text: transcript.text,
        usage: transcript.usage,
        provider: agent.provider.map(str::to_owned),
        model,
        finish_reason: Some("stop".to_owned()),
        response_id: transcript.session,
        warnings: transcript.warnings,
        verification: None,
        status: None,
    })
}

/// The end of a text, in one line.
fn tail(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let skipped = text.chars().count().saturating_sub(SHOWN);
    text.chars().skip(skipped).collect()
}

/// Reads the lines an agent writes while it works.
struct EventReader {
    transcript: Mutex<Transcript>,
    progress: Arc<dyn Progress>,
}

impl EventReader {
    /// All that has been read; the last line need not end.
    fn finish(&self) -> Transcript {
        let mut transcript = self
            .transcript
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        transcript.end();
        std::mem::take(&mut *transcript)
    }
}

impl Output for EventReader {
    fn piece(&self, stream: OutputStream, bytes: &[u8]) {
        if stream == OutputStream::Stderr {
            return;
        }
        let mut transcript = self
            .transcript
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for text in transcript.push(bytes) {
            self.progress.text(&text);
        }
    }
}
