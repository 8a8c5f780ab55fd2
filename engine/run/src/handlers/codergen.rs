//! Codergen and prompt nodes: fill in the prompt, run it by the backend, read what came back.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use attractor_exec::{ExecutionEnvironment, Redactor};
use attractor_lang::referred_file;
use attractor_model::{NodeKind, Source};
use futures::future::BoxFuture;
use serde_json::Value;

use super::json::set_parsed;
use super::workflow::with_workflow;
use super::{HandlerEnv, Prepared, Work, fail, status};
use crate::agent_activity::AgentActivity;
use crate::backend::{
    Agency, BackendError, BackendRegistry, CodergenRequest, CodergenResponse, Progress, RetriedBy,
    Turn,
};
use crate::event::{ModelCall, Stream};
use crate::inquiry::{AskError, Reply};
use crate::machine::{NodeRef, RetryPolicy, to_millis};
use crate::outcome::{FailureClass, Outcome, Status, Usage};
use crate::question::Question;
use crate::steering_message::SteeringMessage;
use attractor_model::fidelity::{DEFAULT_THREAD, Fidelity, History, Step, preamble, turn_key};

/// Attributes handed to the backend as they are.
const OPTIONS: &[&str] = &[
    "reasoning_effort",
    "temperature",
    "max_tokens",
    "top_p",
    "fidelity",
    "thread_id",
    "max_turns",
    "allowed_tools",
    "allowed_paths",
    "permissions",
    "agent_tool",
    "mcp",
    "max_cost",
    "speed",
    "output_schema",
    "output_retries",
    "fallback_models",
    "project_memory",
    "default_command_timeout_ms",
    "max_command_timeout_ms",
];

/// How much of an answer `last_response` keeps, in characters.
const SHORT: usize = 4000;

/// What to do with an answer.
struct Reading {
    node: String,
    output_key: Option<String>,
    parse_json: bool,
    require_status: bool,
    auto_status: bool,
}

pub(super) fn prepare(work: Work<'_>) -> Prepared {
    let prompt = match prompt(work) {
        Ok(prompt) => with_workflow(work, prompt),
        Err(reason) => return fail(FailureClass::Configuration, reason),
    };
    let node_ref = work.node_ref;
    let inherited = |name| node_ref.inherited(name).map(|text| work.fill(text));
    let selection = selection(node_ref, |text| work.fill(text));
    let (model, provider) = match escalated(work) {
        Some((provider, model)) => (Some(model), provider.or(selection.provider)),
        None => (selection.model, selection.provider),
    };
    let counted = work.frame.attempt.saturating_sub(work.frame.limited);
    let is_last = counted >= RetryPolicy::of(node_ref).attempts;
    let mut request = CodergenRequest {
        run: work.place.run.clone(),
        node: work.frame.node.clone(),
        visit: work.frame.visit,
        attempt: work.frame.attempt,
        prompt,
        preamble: String::new(),
        conversation: Vec::new(),
        system_prompt: work.text("system_prompt"),
        model,
        provider,
        options: OPTIONS
            .iter()
            .filter_map(|name| {
                let value = match carried(work, name) {
                    Some(value) => value.to_owned(),
                    None => inherited(name)?,
                };
                Some(((*name).to_owned(), value))
            })
            .collect(),
        backend: selection.backend,
        agency: selection.agency,
        working_dir: work.directory(),
        stage_dir: work.stage_dir.to_owned(),
        timeout: node_ref
            .node
            .attributes
            .duration("timeout")
            .filter(|limit| !limit.is_zero()),
        budget: work.budget,
        retries: if is_last {
            RetriedBy::Backend
        } else {
            RetriedBy::Executor
        },
    };
    let turn = add_history(work, &mut request);
    let choice = match work.place.backends.choose(&request) {
        Ok(choice) => choice,
        Err(reason) => return fail(FailureClass::Configuration, reason),
    };
    let reading = Reading {
        node: work.frame.node.clone(),
        output_key: node_ref.written("output_key").map(str::to_owned),
        parse_json: node_ref.flag("parse_json"),
        require_status: node_ref.flag("require_status"),
        auto_status: node_ref.flag("auto_status"),
    };
    let backend = choice.backend;
    let call = ModelCall {
        backend: backend.name().to_owned(),
        simulated: choice.simulated,
        ..ModelCall::default()
    };
    let redactor = work.place.redactor.clone();
    Prepared::Task(Box::new(move |env| {
        Box::pin(async move {
            let stage_dir = request.stage_dir.clone();
            let limit = request.timeout;
            // Copies for people; the run does not depend on them.
            let _ = tokio::fs::write(
                stage_dir.join("prompt.md"),
                redactor
                    .text(&format!("{}{}", request.preamble, request.prompt))
                    .as_bytes(),
            )
            .await;
            let asked = redactor.text(&request.prompt).into_owned();
            if backend.reads_messages() {
                env.inbox.open();
            }
            let progress = Arc::new(StageProgress::new(env.clone(), redactor.clone()));
            // A call that is dropped reports what it has used before its branch of the selection is taken.
            let unanswered = |outcome: Outcome| Outcome {
                usage: progress.usage(),
                ..outcome
            };
            let answer = tokio::select! {
                answer = backend.run(request, Arc::clone(&progress) as _) => answer,
                () = env.time.over(limit) => return unanswered(timed_out(limit)),
                () = env.stop.cancelled() => {
                    return unanswered(Outcome::fail(FailureClass::Canceled, "stopped"));
                }
            };
            match answer {
                Ok(mut response) => {
                    // Before anything is shortened: a key that has been cut is not recognised.
                    response.text = redactor.text(&response.text).into_owned();
                    let call = redacted(answered(call, &mut response), &redactor);
                    let _ =
                        tokio::fs::write(stage_dir.join("response.md"), response.text.as_bytes())
                            .await;
                    keep_call(&stage_dir, &call, &response.usage).await;
                    let file = status::from_file(&stage_dir).await;
                    let answer = response.text.clone();
                    let mut outcome = Outcome {
                        model: Some(Box::new(call)),
                        ..read(&reading, response, file, &env)
                    };
                    if let Some(key) = turn {
                        let turn = serde_json::json!({ "prompt": asked, "answer": answer });
                        outcome.context_updates.insert(key, turn);
                    }
                    outcome
                }
                Err(error) => {
                    let call = redacted(failed(call, &error), &redactor);
                    keep_call(&stage_dir, &call, &error.usage).await;
                    Outcome {
                        usage: error.usage,
                        retry_after_ms: error.retry_after.map(to_millis),
                        model: Some(Box::new(call)),
                        ..Outcome::fail(error.class, error.message)
                    }
                }
            }
        })
    }))
}

/// What the edge says that leads here. Its `fidelity` wins over the node's; a `thread_id` of the node wins over
/// the edge's, which wins over the graph's.
fn carried<'w>(work: Work<'w>, name: &str) -> Option<&'w str> {
    let value = work.frame.carried.get(name)?;
    let own = work.node_ref.node.attributes.get(name);
    let keeps =
        name == "thread_id" && own.is_some_and(|own| !matches!(own.source(), Source::Graph { .. }));
    (!keeps).then_some(value.as_str())
}

/// Adds what the model sees of the run, as the `fidelity` of the node says. Gives the key that this turn of a
/// conversation is kept under.
fn add_history(work: Work<'_>, request: &mut CodergenRequest) -> Option<String> {
    let fidelity = request.option("fidelity").and_then(Fidelity::parse)?;
    let detail = match fidelity {
        Fidelity::Preamble(detail) => detail,
        Fidelity::Full => {
            let thread = request.option("thread_id").unwrap_or(DEFAULT_THREAD);
            let thread = thread.to_owned();
            request.conversation = conversation(work, &thread);
            return Some(turn_key(&thread, request.conversation.len() + 1));
        }
    };
    let preamble = preamble(detail, &history(work));
    if !preamble.is_empty() {
        request.preamble = format!("{preamble}\n");
    }
    None
}

/// The turns of a thread. They are in the context, so that a run that is resumed continues the conversation.
fn conversation(work: Work<'_>, thread: &str) -> Vec<Turn> {
    let turn = |number| {
        let turn = work.view.json(&turn_key(thread, number))?;
        let text = |name| Some(turn.get(name)?.as_str()?.to_owned());
        Some(Turn {
            prompt: text("prompt")?,
            answer: text("answer")?,
        })
    };
    (1..).map_while(turn).collect()
}

/// What happened in the pipeline of a node; of a node that ran several times, the last time.
fn history(work: Work<'_>) -> History {
    let goal = work.node_ref.pipeline.attributes.text("goal");
    let mut steps: Vec<Step> = Vec::new();
    for node in work.state.path.iter().rev() {
        let is_known = steps.iter().any(|step| step.node == *node);
        if is_known || work.node_ref.at(node).is_none() {
            continue;
        }
        let record = work.state.nodes.get(&work.frame.key(node));
        let status = record.and_then(|record| record.status.as_ref());
        let result = ["response", "output"]
            .iter()
            .find_map(|kind| work.view.text(&format!("{kind}.{node}")));
        steps.push(Step {
            node: node.clone(),
            status: status.map_or("done", Status::name).to_owned(),
            result: result.unwrap_or_default(),
        });
    }
    steps.reverse();
    History {
        goal: goal.map(|goal| work.fill(goal)).unwrap_or_default(),
        steps,
    }
}

/// What decides about the backend of a node, with `fill` for the values of its templates.
fn selection(node_ref: NodeRef<'_>, fill: impl Fn(&str) -> String) -> CodergenRequest {
    let inherited = |name| node_ref.inherited(name).map(&fill);
    CodergenRequest {
        node: node_ref.node.id.to_string(),
        model: inherited("model"),
        provider: inherited("provider"),
        backend: inherited("backend"),
        agency: agency(node_ref),
        ..CodergenRequest::default()
    }
}

/// Why a node's model will be simulated, as far as that is known before values go in.
pub(crate) fn simulated(node_ref: NodeRef<'_>, backends: &BackendRegistry) -> Option<String> {
    let request = selection(node_ref, str::to_owned);
    backends.choose(&request).ok()?.simulated
}

/// What an answer says of the call.
fn answered(call: ModelCall, response: &mut CodergenResponse) -> ModelCall {
    ModelCall {
        provider: response.provider.take(),
        model: response.model.take(),
        finish_reason: response.finish_reason.take(),
        response_id: response.response_id.take(),
        verification: response.verification.take(),
        warnings: std::mem::take(&mut response.warnings),
        ..call
    }
}

/// What an error says of the call.
fn failed(call: ModelCall, error: &BackendError) -> ModelCall {
    ModelCall {
        provider: error.provider.clone(),
        model: error.model.clone(),
        status: error.status,
        category: error.category.clone(),
        ..call
    }
}

/// The call without secrets: providers repeat parts of a request in their messages.
fn redacted(call: ModelCall, redactor: &Redactor) -> ModelCall {
    let text = |text: Option<String>| text.map(|text| redactor.text(&text).into_owned());
    ModelCall {
        provider: text(call.provider),
        model: text(call.model),
        response_id: text(call.response_id),
        verification: text(call.verification),
        warnings: call
            .warnings
            .iter()
            .map(|warning| redactor.text(warning).into_owned())
            .collect(),
        ..call
    }
}

/// Writes `model.json`, a copy for people: the model that was really called, and what it cost.
async fn keep_call(stage_dir: &Path, call: &ModelCall, usage: &Usage) {
    let value = serde_json::json!({ "call": call, "usage": usage });
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    let _ = tokio::fs::write(stage_dir.join("model.json"), text).await;
}

fn agency(node_ref: NodeRef<'_>) -> Agency {
    let by_kind = match node_ref.node.kind {
        NodeKind::Prompt | NodeKind::FanIn => Agency::OneAnswer,
        _ => Agency::Agent,
    };
    match node_ref.word("agent_mode").as_deref() {
        Some("one_shot") => Agency::OneAnswer,
        Some("agent_loop") => Agency::Agent,
        _ => by_kind,
    }
}

/// The next of `escalation_models` once those before it have had their tries: its provider, if one is named,
/// and the model.
fn escalated(work: Work<'_>) -> Option<(Option<String>, String)> {
    let tries = work
        .node_ref
        .inherited("retries_before_escalation")
        .and_then(|text| text.trim().parse::<usize>().ok())
        .unwrap_or(2)
        .max(1);
    let failures = work.frame.attempt.saturating_sub(1) as usize;
    let before = (failures / tries).checked_sub(1)?;
    let models = work.node_ref.node.attributes.list("escalation_models");
    let model = models.get(before).or(models.last())?;
    Some(match model.split_once(':') {
        Some((provider, model)) => (Some(provider.trim().to_owned()), model.trim().to_owned()),
        None => (None, model.clone()),
    })
}

/// The prompt with everything that belongs to it.
fn prompt(work: Work<'_>) -> Result<String, String> {
    let node_ref = work.node_ref;
    let mut prompt = match node_ref.written("prompt_file") {
        Some(path) => match work.file(path) {
            Some(content) => crate::text::plain(work.view, content),
            None => {
                return Err(format!(
                    "`{}` reads its prompt from `{path}`, which cannot be read",
                    work.frame.node
                ));
            }
        },
        None => match node_ref.written("prompt") {
            Some(text) if referred_file(text).is_some_and(|path| work.file(path).is_none()) => {
                return Err(format!(
                    "`{}` reads its prompt from `{text}`, which cannot be read",
                    work.frame.node
                ));
            }
            Some(text) => work.fill(text),
            None => work.fill(node_ref.node.label()),
        },
    };
    if let Some(extra) = work.text("user_instructions") {
        prompt.push_str("\n\n");
        prompt.push_str(&extra);
    }
    for key in node_ref.node.attributes.list("context_keys") {
        if let Some(value) = work.view.text(&key) {
            prompt.extend(["\n\n## ", &key, "\n", &value]);
        }
    }
    if let Some(node) = node_ref.written("feedback_from") {
        let feedback = ["response", "output"]
            .iter()
            .find_map(|kind| work.view.text(&format!("{kind}.{node}")));
        if let Some(feedback) = feedback {
            prompt.extend(["\n\n## Feedback from ", node, "\n", &feedback]);
        }
    }
    for message in &work.frame.messages {
        prompt.extend(["\n\n## Message\n", &message.text]);
    }
    Ok(prompt)
}

fn read(
    reading: &Reading,
    response: CodergenResponse,
    file: Option<Value>,
    env: &HandlerEnv,
) -> Outcome {
    let text = response.text;
    let mut outcome = Outcome {
        usage: response.usage,
        output: Value::from(text.as_str()),
        notes: text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .map(|line| line.chars().take(160).collect())
            .unwrap_or_default(),
        ..Outcome::default()
    };
    let said = response
        .status
        .or(file)
        .or_else(|| status::from_answer(&text));
    match said {
        Some(said) => status::apply(&said, &mut outcome),
        None if reading.require_status && !reading.auto_status => {
            outcome.status = Status::Fail;
            outcome.failure_class = Some(FailureClass::Deterministic);
            outcome.failure_reason = Some(format!(
                "`{}` must say how it went (`require_status`), and did not",
                reading.node
            ));
        }
        None => {}
    }
    let short: String = text.chars().take(SHORT).collect();
    let node = &reading.node;
    let updates = [
        ("last_response".to_owned(), Value::from(short)),
        (
            "last_codergen_output".to_owned(),
            Value::from(text.as_str()),
        ),
        (format!("response.{node}"), Value::from(text.as_str())),
    ];
    for (key, value) in updates {
        outcome.context_updates.entry(key).or_insert(value);
    }
    let key = reading.output_key.as_deref().unwrap_or(node);
    if let Some(key) = &reading.output_key {
        let answer = Value::from(text.as_str());
        outcome.context_updates.insert(key.clone(), answer);
    }
    if reading.parse_json && !set_parsed(&mut outcome, key, &text) {
        env.output.write(
            Stream::Note,
            b"expected a JSON object or list in the answer (`parse_json`); nothing is set\n",
        );
    }
    outcome
}

pub(super) fn timed_out(limit: Option<Duration>) -> Outcome {
    let limit = limit
        .map(attractor_lang::duration::format)
        .unwrap_or_default();
    Outcome::fail(FailureClass::Timeout, crate::wording::longer_than(&limit))
}

/// The side of the run that a backend sees.
struct StageProgress {
    env: HandlerEnv,
    redactor: Arc<Redactor>,
    used: Mutex<Usage>,
}

impl StageProgress {
    fn new(env: HandlerEnv, redactor: Arc<Redactor>) -> Self {
        Self {
            env,
            redactor,
            used: Mutex::default(),
        }
    }

    fn usage(&self) -> Usage {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for StageProgress {
    fn used(&self, usage: &Usage) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.add(usage);
    }

    fn text(&self, text: &str) {
        self.env.output.write(Stream::Model, text.as_bytes());
    }

    fn activity(&self, activity: AgentActivity) {
        self.env.output.activity(activity);
    }

    fn messages(&self) -> Vec<SteeringMessage> {
        self.env.messages()
    }

    fn message(&self) -> BoxFuture<'_, SteeringMessage> {
        Box::pin(self.env.message())
    }

    fn execution(&self) -> Arc<dyn ExecutionEnvironment> {
        self.env.execution.clone()
    }

    fn redactor(&self) -> Arc<Redactor> {
        self.redactor.clone()
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Result<Reply, AskError>> {
        Box::pin(self.env.ask(question))
    }
}
