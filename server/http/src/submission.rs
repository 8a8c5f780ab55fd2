//! A pipeline to start: checked, and started, a text in a folder of its own and a file of the project where it is.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use attractor::{Engine, Error, Launcher, PipelineContext, has_errors, validate_dot_file};
use attractor_model::Diagnostic;
use attractor_run::{RunError, Script};
use serde::Deserialize;
use serde_json::{Value, json};
use ulid::Ulid;

use crate::error::ApiError;
use crate::pipeline_source::PipelineSource;
use crate::project::{Project, may_name_files};
use crate::runs::{Started, blocking};
use crate::shared::Shared;
use crate::submission_policy::{AllowedHandlers, Submissions};

/// The file of a submission in its folder.
const FILE: &str = "pipeline.dot";

/// A pipeline to start, and how.
#[derive(Debug, Deserialize)]
#[serde(try_from = "SubmissionBody")]
pub(crate) struct Submission {
    source: PipelineSource,
    options: StartOptions,
}

/// How to start a pipeline.
#[derive(Debug)]
struct StartOptions {
    /// The pipeline to run, where the source has several.
    graph: Option<String>,
    /// First values of the context.
    inputs: BTreeMap<String, Value>,
    /// How real the run is.
    mode: Mode,
    /// A name for the folder that a text works in.
    name: Option<String>,
}

/// The body of `POST /pipelines`: either `dot` or `path`, and how to start it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(extend("oneOf" = [{ "required": ["dot"] }, { "required": ["path"] }])))]
#[serde(deny_unknown_fields)]
pub(crate) struct SubmissionBody {
    /// The DOT text, which works in a folder of its own.
    dot: Option<String>,
    /// A file of the project, which works where it is.
    path: Option<String>,
    /// The pipeline to run, where the text or file has several.
    #[serde(default)]
    graph: Option<String>,
    /// First values of the context.
    #[serde(default)]
    inputs: BTreeMap<String, Value>,
    /// How real the run is.
    #[serde(default)]
    mode: Mode,
    /// A name for the folder that a text works in.
    #[serde(default)]
    name: Option<String>,
}

impl TryFrom<SubmissionBody> for Submission {
    type Error = &'static str;

    fn try_from(body: SubmissionBody) -> Result<Self, Self::Error> {
        Ok(Self {
            source: PipelineSource::of(body.dot, body.path)?,
            options: StartOptions {
                graph: body.graph,
                inputs: body.inputs,
                mode: body.mode,
                name: body.name,
            },
        })
    }
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

/// A file to start.
#[derive(Clone)]
struct PipelineFile {
    path: PathBuf,
    /// What its sender calls it.
    name: String,
}

impl Submission {
    /// Starts it: a text in a folder of its own, a file of `project` where it is.
    pub(crate) async fn start(
        self,
        shared: &Shared,
        project: Option<&Project>,
    ) -> Result<Started, ApiError> {
        let Self { source, options } = self;
        match source {
            PipelineSource::Text(text) => options.start_text(&text, &shared.submissions).await,
            PipelineSource::File(name) => {
                let path = may_name_files(project)?.find(name.clone()).await?;
                let handlers = &shared.submissions.handlers;
                // What submitted pipelines may do holds for it too: a client that may write files could write the
                // pipeline first. The engine of submissions has no agents of other programs where none are allowed.
                let engine = match handlers {
                    AllowedHandlers::WithoutPrograms => &shared.submissions.engine,
                    AllowedHandlers::All | AllowedHandlers::Only(_) => &shared.engine,
                };
                let file = PipelineFile { path, name };
                options.start_file(file, engine, handlers).await
            }
        }
    }
}

impl StartOptions {
    async fn start_text(self, text: &str, submissions: &Submissions) -> Result<Started, ApiError> {
        let unique = Ulid::generate().to_string();
        let name = self.name.as_deref().map(folder_name).unwrap_or_default();
        let folder = submissions.folder.join(if name.is_empty() {
            unique
        } else {
            format!("{name}-{unique}")
        });
        let path = folder.join(FILE);
        // Its own `.attractor` makes the folder the root of its project: files outside cannot be named.
        let written =
            private_folder(&folder.join(".attractor")).and_then(|()| write_private(&path, text));
        written.map_err(|error| {
            ApiError::internal(format!("cannot write {}: {error}", path.display()))
        })?;
        let file = PipelineFile {
            path,
            name: FILE.to_owned(),
        };
        let started = self
            .start_file(file, &submissions.engine, &submissions.handlers)
            .await;
        if started.is_err() {
            // Nothing of it has run. A folder that stays does no harm.
            let _ = std::fs::remove_dir_all(&folder);
        }
        started
    }

    async fn start_file(
        self,
        file: PipelineFile,
        engine: &Engine,
        handlers: &AllowedHandlers,
    ) -> Result<Started, ApiError> {
        let mode = self.mode;
        let launcher = self.launcher(engine, &file.path);
        let launcher = check(handlers, launcher, &file).await?;
        start(launcher, file, mode).await
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

/// A folder, and those above that are missing, which only the user of the server enters.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut folder = std::fs::DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// A new file that only the user of the server reads.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

/// Refuses a run that does more than is allowed.
async fn check(
    handlers: &AllowedHandlers,
    launcher: Launcher,
    file: &PipelineFile,
) -> Result<Launcher, ApiError> {
    if *handlers == AllowedHandlers::All {
        return Ok(launcher);
    }
    let (handlers, file) = (handlers.clone(), file.clone());
    blocking(move || {
        let consent = launcher.consent().map_err(|error| refused(&error, &file))?;
        handlers.check(&consent)?;
        Ok(launcher)
    })
    .await
}

async fn start(launcher: Launcher, file: PipelineFile, mode: Mode) -> Result<Started, ApiError> {
    match launcher.start().await {
        Ok(run) => Ok(Started {
            run,
            dry: (mode == Mode::DryRun).then_some(file.path),
        }),
        Err(Error::Run(error @ RunError::Io { .. })) => Err(ApiError::from(error)),
        Err(error) => Err(refused(&error, &file)),
    }
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
fn refused(error: &Error, file: &PipelineFile) -> ApiError {
    let text = std::fs::read_to_string(&file.path).unwrap_or_default();
    let diagnostics = validate_dot_file(&file.path).unwrap_or_default();
    let message = match error {
        _ if has_errors(&diagnostics) => "the pipeline has errors".to_owned(),
        Error::Run(RunError::MissingInputs { pipeline, missing }) => {
            let missing = missing.join("`, `");
            format!("pipeline `{pipeline}` requires the inputs `{missing}`; give each in `inputs`")
        }
        // The sender does not know the folder.
        error => {
            let path = file.path.display().to_string();
            error.to_string().replace(&path, &file.name)
        }
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
