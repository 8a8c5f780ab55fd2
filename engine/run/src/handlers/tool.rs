//! Tool nodes and handlers of the configuration: run commands, keep what they wrote.
//!
//! Values of the context are not parsed by the shell: they reach the command quoted or as environment variables
//! (see the template language), and a value that could not be handed over safely fails the node.

use std::path::PathBuf;
use std::time::Duration;

use attractor_exec::{
    self as exec, Exit, Job, JobResult, OutputStream, footprint_name, is_incomplete,
};
use attractor_lang::duration;
use attractor_machine::event::Stream;
use attractor_machine::outcome::{FailureClass, Outcome, Status};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::commands::{self, CommandRole, NodeCommand, Program};
use super::output::stream_of;
use super::rendered_code::rendered_code;
use super::reported::Reporter;
use super::{HandlerEnv, Output, Prepared, Work, custom, fail, json::set_parsed, status};
use crate::handlers::reasons;

/// What one tool node runs.
struct Plan {
    before: Option<Job>,
    main: Job,
    after: Option<Job>,
    node: String,
    parse_json: Option<String>,
    output_key: Option<String>,
    /// `output_schema=routing`: the output says where to continue.
    routes: Option<Reporter>,
    /// The handler of the configuration that does the work; its output is an outcome.
    handler: Option<String>,
}

pub(super) fn prepare(work: Work<'_>) -> Prepared {
    let sign = |name: &str, found: &Value| work.place.secrets.sign(name, found);
    let work = Work {
        view: work.view.with_secrets(&sign),
        ..work
    };
    match plan(work) {
        Ok(plan) => Prepared::Task(Box::new(move |env| Box::pin(execute(plan, env)))),
        Err(reason) => fail(FailureClass::Configuration, reason),
    }
}

fn plan(work: Work<'_>) -> Result<Plan, String> {
    let node_ref = work.node_ref;
    let commands = commands::of(node_ref, &work.place.files, &work.place.handlers)
        .map_err(|error| error.to_string())?;
    let (mut before, mut main, mut after) = (None, None, None);
    let mut handler = None;
    for command in &commands {
        let slot = match command.role {
            CommandRole::Before => &mut before,
            CommandRole::Main => &mut main,
            CommandRole::After => &mut after,
            CommandRole::BeforeToolCall | CommandRole::AfterToolCall => continue,
        };
        *slot = Some(job(work, command)?);
        if let Program::Handler(declared) = command.program {
            handler = Some(declared.name.clone());
        }
    }
    let is_tool = handler.is_none();
    Ok(Plan {
        before,
        main: main.ok_or_else(|| format!("`{}` has no command", work.frame.node))?,
        after,
        node: work.frame.node.clone(),
        parse_json: (is_tool && node_ref.flag("parse_json")).then(|| {
            node_ref
                .written("output_key")
                .unwrap_or(&work.frame.node)
                .to_owned()
        }),
        output_key: node_ref
            .written("output_key")
            .filter(|_| is_tool)
            .map(str::to_owned),
        routes: node_ref
            .written("output_schema")
            .filter(|schema| is_tool && schema.trim().eq_ignore_ascii_case("routing"))
            .map(|_| Reporter::of(work)),
        handler,
    })
}

fn job(work: Work<'_>, command: &NodeCommand<'_>) -> Result<Job, String> {
    let node_ref = work.node_ref;
    let frame = work.frame;
    let is_main = command.role == CommandRole::Main;
    let handler = match command.program {
        Program::Handler(handler) => Some(handler),
        Program::Shell { .. } | Program::Python(_) | Program::Hook(_) => None,
    };
    let (text, mut environment) = rendered_code(work, &command.program)?;
    let reveal = |text| work.place.secrets.reveal(text);
    let argv = command.program.argv(&text);
    let argv: Vec<String> = argv.into_iter().map(reveal).collect();
    let own = commands::environment(node_ref).into_iter();
    environment.extend(own.map(|(name, value)| (name, work.fill(&value))));
    environment.push(("ATTRACTOR_NODE".to_owned(), frame.node.clone()));
    environment.push((
        "ATTRACTOR_STAGE_DIR".to_owned(),
        work.stage_dir.to_string_lossy().into_owned(),
    ));
    let environment: Vec<(String, String)> = environment
        .into_iter()
        .map(|(name, value)| (name, reveal(value)))
        .collect();
    let stdin = match handler {
        Some(handler) => Some(custom::request(work, handler)),
        None => work.text("stdin").or_else(|| {
            let key = node_ref.written("stdin_source")?;
            Some(work.view.text(key).unwrap_or_default())
        }),
    };
    let stdin = stdin.map(reveal);
    let log = |name: &str| -> Option<PathBuf> { is_main.then(|| work.stage_dir.join(name)) };
    if stdin.as_deref().is_some_and(is_incomplete) {
        return Err(reasons::incomplete_stdin(&frame.node));
    }
    let nul = argv.iter().any(|word| word.contains('\0'))
        || environment.iter().any(|(name, value)| {
            name.is_empty() || name.contains(['\0', '=']) || value.contains('\0')
        });
    if nul {
        return Err(format!(
            "`{}` cannot be run: a NUL character, or a variable name that is none",
            frame.node
        ));
    }
    // A handler's own `timeout` is for the handler to read.
    let limit = node_ref.node.attributes.duration("timeout");
    let limit = limit.filter(|_| !handler.is_some_and(|handler| handler.declares("timeout")));
    Ok(Job {
        argv,
        directory: match handler.and_then(|handler| handler.folder.as_deref()) {
            Some(folder) => PathBuf::from(folder),
            None => work.directory(),
        },
        environment,
        stdin: stdin.filter(|_| is_main),
        timeout: Some(limit.unwrap_or(Duration::from_mins(5))).filter(|limit| !limit.is_zero()),
        run: work.place.run.clone(),
        step: work.step(),
        stdout_log: log("stdout.log"),
        stderr_log: log("stderr.log"),
        redactor: work.place.redactor.clone(),
        footprint: Some(work.stage_dir.join(footprint_name(0))),
        git: None,
        confinement: None,
    })
}

async fn execute(plan: Plan, env: HandlerEnv) -> Outcome {
    if let Some(job) = plan.before
        && let Some(failed) = hook_failed(job, "pre_hook", &env).await
    {
        return failed;
    }
    let limit = plan.main.timeout;
    let directory = plan.main.directory.clone();
    let program = plan.main.argv.first().cloned().unwrap_or_default();
    let mut outcome = match run(plan.main, &env).await {
        Ok(done) => {
            for (name, captured) in [("stdout", &done.stdout), ("stderr", &done.stderr)] {
                if captured.omitted > 0 {
                    let note = reasons::left_out(name, captured.omitted);
                    env.output
                        .write(Stream::Note, format!("{note}\n").as_bytes());
                }
            }
            outcome_of(&done, limit)
        }
        Err(error) => {
            return Outcome::fail(
                FailureClass::Configuration,
                format!("cannot run `{program}` in {}: {error}", directory.display()),
            );
        }
    };
    if let Some(handler) = &plan.handler {
        custom::read(handler, &mut outcome);
    }
    if let Some(key) = &plan.parse_json {
        let text = outcome.output.as_str().unwrap_or_default().to_owned();
        if !set_parsed(&mut outcome, key, &text) && !outcome.status.is_failure() {
            let reason = format!(
                "expected a JSON object or list from `{}` (`parse_json`)",
                plan.node
            );
            return Outcome {
                context_updates: outcome.context_updates,
                ..Outcome::fail(FailureClass::Deterministic, reason)
            };
        }
    }
    if let Some(reporter) = plan.routes
        && let Some(said) = status::from_output(outcome.output.as_str().unwrap_or_default())
    {
        // What the exit code says wins over what the command claims.
        let failed = outcome.status.is_failure().then(|| outcome.clone());
        reporter.apply(&said, &mut outcome, &env);
        if let Some(failed) = failed {
            outcome.status = failed.status;
            outcome.failure_class = failed.failure_class;
            outcome.failure_reason = failed.failure_reason;
        }
    }
    if let Some(key) = &plan.output_key {
        let value = outcome.output.clone();
        outcome.context_updates.entry(key.clone()).or_insert(value);
    }
    if let Some(job) = plan.after
        && let Some(failed) = hook_failed(job, "post_hook", &env).await
    {
        let reason = failed.failure_reason.unwrap_or_default();
        env.output
            .write(Stream::Note, format!("{reason}\n").as_bytes());
    }
    outcome
}

async fn hook_failed(job: Job, name: &str, env: &HandlerEnv) -> Option<Outcome> {
    let reason = match run(job, env).await {
        Ok(JobResult {
            exit: Exit::Code(0),
            ..
        }) => return None,
        Ok(JobResult {
            exit: Exit::Code(code),
            ..
        }) => format!("`{name}` ended with exit code {code}"),
        Ok(JobResult {
            exit: Exit::Stopped,
            ..
        }) => return Some(Outcome::fail(FailureClass::Canceled, "stopped")),
        Ok(_) => format!("`{name}` took too long"),
        Err(error) => format!("`{name}` cannot be run: {error}"),
    };
    Some(Outcome::fail(FailureClass::Deterministic, reason))
}

async fn run(job: Job, env: &HandlerEnv) -> std::io::Result<JobResult> {
    let stop: &CancellationToken = &env.stop;
    let output = Pieces(env.output.as_ref());
    env.execution.run(job, &output, stop).await
}

struct Pieces<'o>(&'o dyn Output);

impl exec::Output for Pieces<'_> {
    fn piece(&self, stream: OutputStream, bytes: &[u8]) {
        self.0.write(stream_of(stream), bytes);
    }
}

fn outcome_of(done: &JobResult, limit: Option<Duration>) -> Outcome {
    let code = match done.exit {
        Exit::Code(code) => code,
        Exit::TimedOut | Exit::Stopped => -1,
    };
    let (out, err) = (&done.stdout.text, &done.stderr.text);
    let both = match (out.is_empty(), err.is_empty()) {
        (_, true) => out.clone(),
        (true, false) => err.clone(),
        (false, false) => format!("{}\n{err}", out.trim_end_matches('\n')),
    };
    let last_line = |text: &str| {
        text.lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default()
            .to_owned()
    };
    let last = last_line(&both);
    let mut outcome = Outcome {
        notes: match (code, done.stdout.omitted) {
            (0, 0) => last_line(out).chars().take(160).collect(),
            (0, omitted) => reasons::left_out("stdout", omitted),
            _ => String::new(),
        },
        output: Value::from(out.as_str()),
        ..Outcome::default()
    }
    .with("exit_code", code)
    .with("tool.exit_code", code)
    .with("stdout", out.as_str())
    .with("stderr", err.as_str())
    .with("tool.output", both)
    .with("tool.last_line", last.as_str());
    let failure = match done.exit {
        Exit::Code(0) => None,
        Exit::Code(code) => {
            let said = if last.is_empty() {
                String::new()
            } else {
                let short: String = last.chars().take(300).collect();
                format!(": {short}")
            };
            Some((
                FailureClass::Deterministic,
                format!("exit code {code}{said}"),
            ))
        }
        Exit::TimedOut => {
            let limit = limit.map(duration::format).unwrap_or_default();
            Some((
                FailureClass::Timeout,
                format!("timed out after {limit} (`timeout`)"),
            ))
        }
        Exit::Stopped => Some((FailureClass::Canceled, "stopped".to_owned())),
    };
    if let Some((class, reason)) = failure {
        outcome.status = Status::Fail;
        outcome.failure_class = Some(class);
        outcome.failure_reason = Some(reason);
    }
    outcome
}
