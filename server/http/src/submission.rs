//! A submitted pipeline: checked, and started in a folder of its own.

use std::collections::BTreeMap;
use std::path::Path;

use attractor::{Engine, Error, Launcher, PipelineContext, has_errors, validate_dot_file};
use attractor_model::Diagnostic;
use attractor_run::{RunError, Script};
use serde::Deserialize;
use serde_json::{Value, json};
use ulid::Ulid;

use crate::error::ApiError;
use crate::runs::Started;
use crate::submission_policy::{AllowedHandlers, Submissions};

/// The file of a submission in its folder.
const FILE: &str = "pipeline.dot";

/// The body of `POST /pipelines`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Run,
    Simulate,
    DryRun,
}

impl Submission {
    /// Starts it, in a folder of its own.
    pub(crate) async fn start(self, submissions: &Submissions) -> Result<Started, ApiError> {
        let unique = Ulid::generate().to_string();
        let name = self.name.as_deref().map(folder_name).unwrap_or_default();
        let folder = submissions.folder.join(if name.is_empty() {
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
        let started = self.start_file(submissions, &file).await;
        if started.is_err() {
            // Nothing of it has run. A folder that stays does no harm.
            let _ = std::fs::remove_dir_all(&folder);
        }
        started
    }

    async fn start_file(self, submissions: &Submissions, file: &Path) -> Result<Started, ApiError> {
        let mode = self.mode;
        let launcher = self.launcher(&submissions.engine, file);
        let is_checked = submissions.handlers != AllowedHandlers::All;
        let checked = match is_checked.then(|| launcher.consent()).transpose() {
            Ok(consent) => consent.map_or(Ok(()), |consent| submissions.handlers.check(&consent)),
            Err(error) => Err(refused(&error, file)),
        };
        checked?;
        start(launcher, file, mode).await
    }

    /// Starts a file of the project with these options.
    pub(crate) async fn start_of(self, engine: &Engine, file: &Path) -> Result<Started, ApiError> {
        let mode = self.mode;
        start(self.launcher(engine, file), file, mode).await
    }

    fn launcher(self, engine: &Engine, file: &Path) -> Launcher {
        let launcher = engine
            .run_file(file)
            .inputs(PipelineContext::from(self.inputs));
        let launcher = match &self.graph {
            Some(graph) => launcher.graph(graph),
            None => launcher,
        };
        with_mode(launcher, self.mode)
    }
}

async fn start(launcher: Launcher, file: &Path, mode: Mode) -> Result<Started, ApiError> {
    let started = launcher.start().await.map(|run| Started {
        run,
        dry: (mode == Mode::DryRun).then(|| file.to_owned()),
    });
    started.map_err(|error| match error {
        Error::Run(error @ RunError::Io { .. }) => ApiError::from(error),
        error => refused(&error, file),
    })
}

fn with_mode(launcher: Launcher, mode: Mode) -> Launcher {
    match mode {
        Mode::Run => launcher,
        Mode::Simulate => launcher.simulate(),
        Mode::DryRun => launcher.dry_run(Script::default()),
    }
}

/// The letters of a name that a folder may have.
fn folder_name(name: &str) -> String {
    let is_kept = |letter: &char| letter.is_ascii_alphanumeric() || "-_".contains(*letter);
    name.chars().filter(is_kept).take(40).collect()
}

/// A refusal with what the validator says; only a pipeline that is refused is read once more for it.
fn refused(error: &Error, file: &Path) -> ApiError {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let diagnostics = validate_dot_file(file).unwrap_or_default();
    let message = match error {
        _ if has_errors(&diagnostics) => "the pipeline has errors".to_owned(),
        Error::Run(RunError::MissingInputs { pipeline, missing }) => {
            let missing = missing.join("`, `");
            format!("pipeline `{pipeline}` requires the inputs `{missing}`; give each in `inputs`")
        }
        // The sender does not know the folder.
        error => error.to_string().replace(&file.display().to_string(), FILE),
    };
    let shown = diagnostics.iter().map(|one| diagnostic(one, &text));
    ApiError::invalid(message).with("diagnostics", Value::Array(shown.collect()))
}

/// A diagnostic with its place: lines and columns from 1, columns in characters.
pub(crate) fn diagnostic(one: &Diagnostic, text: &str) -> Value {
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
