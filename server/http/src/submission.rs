//! A submitted pipeline: checked, and started in a folder of its own.

use std::collections::BTreeMap;
use std::path::Path;

use attractor::{Engine, Error, Launcher, PipelineContext, Run, has_errors, validate_dot_file};
use attractor_model::{Diagnostic, NodeKind};
use attractor_run::{Consent, ConsentStep, RunError, Script};
use serde::Deserialize;
use serde_json::{Value, json};
use ulid::Ulid;

use crate::error::ApiError;

/// The file of a submission in its folder.
const FILE: &str = "pipeline.dot";

/// The body of `POST /pipelines`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Submission {
    /// The DOT text.
    dot: String,
    /// The pipeline to run, where the text has several.
    #[serde(default)]
    graph: Option<String>,
    /// First values of the context.
    #[serde(default)]
    inputs: BTreeMap<String, Value>,
    /// How real the run is.
    #[serde(default)]
    mode: Mode,
    /// A name for the folder it works in.
    #[serde(default)]
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Run,
    Simulate,
    DryRun,
}

impl Submission {
    /// Starts it, in a folder of its own below `folder`. Its pipeline may run commands if `commands` allows it.
    pub(crate) async fn start(
        self,
        engine: &Engine,
        folder: &Path,
        commands: bool,
    ) -> Result<Run, ApiError> {
        let unique = Ulid::generate().to_string();
        let name = self.name.as_deref().map(folder_name).unwrap_or_default();
        let folder = folder.join(if name.is_empty() {
            unique
        } else {
            format!("{name}-{unique}")
        });
        let file = folder.join(FILE);
        // Its own `.attractor` makes the folder the root of its project: files outside cannot be named.
        let written = std::fs::create_dir_all(folder.join(".attractor"))
            .and_then(|()| std::fs::write(&file, &self.dot));
        written.map_err(|error| {
            ApiError::internal(format!("cannot write {}: {error}", file.display()))
        })?;
        let started = self.start_file(engine, &file, commands).await;
        if started.is_err() {
            // Nothing of it has run. A folder that stays does no harm.
            let _ = std::fs::remove_dir_all(&folder);
        }
        started
    }

    async fn start_file(
        self,
        engine: &Engine,
        file: &Path,
        commands: bool,
    ) -> Result<Run, ApiError> {
        let unreadable = |error: attractor::ParseError| ApiError::invalid(error.to_string());
        let diagnostics = validate_dot_file(file).map_err(unreadable)?;
        if has_errors(&diagnostics) {
            return Err(refused("the pipeline has errors", &diagnostics, &self.dot));
        }
        let launcher = engine
            .run_file(file)
            .inputs(PipelineContext::from(self.inputs));
        let launcher = match &self.graph {
            Some(graph) => launcher.graph(graph),
            None => launcher,
        };
        let launcher = with_mode(launcher, self.mode);
        if !commands {
            let consent = launcher.consent();
            refuse_commands(&consent.map_err(|error| ApiError::invalid(error.to_string()))?)?;
        }
        launcher.start().await.map_err(|error| match error {
            Error::Run(error @ RunError::Io { .. }) => ApiError::from(error),
            error => refused(&error.to_string(), &diagnostics, &self.dot),
        })
    }
}

fn with_mode(launcher: Launcher, mode: Mode) -> Launcher {
    match mode {
        Mode::Run => launcher,
        Mode::Simulate => launcher.simulate(),
        Mode::DryRun => launcher.dry_run(Script::default()),
    }
}

/// Refuses a run that starts programs: commands, hooks, handlers of the configuration, and agents with their tools.
fn refuse_commands(consent: &Consent) -> Result<(), ApiError> {
    let mut steps = consent
        .pipelines
        .iter()
        .flat_map(|pipeline| &pipeline.steps);
    let starts_programs = |step: &&ConsentStep| {
        let is_agent = step.handler == NodeKind::Codergen.name() && step.simulated.is_none();
        !step.commands.is_empty() || is_agent
    };
    match steps.find(starts_programs) {
        None => Ok(()),
        Some(step) => Err(ApiError::invalid(format!(
            "the node `{}` runs commands, which this server does not allow; start it with `--allow-commands`",
            step.node
        ))),
    }
}

/// The letters of a name that a folder may have.
fn folder_name(name: &str) -> String {
    let is_kept = |letter: &char| letter.is_ascii_alphanumeric() || "-_".contains(*letter);
    name.chars().filter(is_kept).take(40).collect()
}

fn refused(message: &str, diagnostics: &[Diagnostic], text: &str) -> ApiError {
    let shown: Vec<Value> = diagnostics
        .iter()
        .map(|one| diagnostic(one, text))
        .collect();
    ApiError::invalid(message).with("diagnostics", Value::Array(shown))
}

/// A diagnostic with its place: lines and columns from 1, columns in characters.
fn diagnostic(one: &Diagnostic, text: &str) -> Value {
    let before = text.get(..one.range.start()).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    json!({
        "rule": one.rule,
        "severity": one.severity,
        "message": one.message,
        "line": line,
        "column": column,
        "node": one.node,
        "fixes": one.fixes.iter().map(|fix| fix.title.as_str()).collect::<Vec<_>>(),
    })
}
