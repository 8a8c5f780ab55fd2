//! A pipeline to start: checked, and started, a text in a folder of its own and a file of the project in the project.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use attractor::{Engine, Launcher, PipelineContext};
use attractor_run::Script;
use serde::Deserialize;
use serde_json::Value;
use ulid::Ulid;

use crate::allowed_run::AllowedRun;
use crate::error::ApiError;
use crate::pipeline_source::{PipelineFile, PipelineSource};
use crate::project::{Project, may_name_files};
use crate::runs::{Started, blocking};
use crate::shared::Shared;
use crate::submission_policy::{AllowedHandlers, Submissions};
use crate::unapproved::Unapproved;

/// The file of a submission in its folder.
const FILE: &str = "pipeline.dot";

/// A pipeline to start, and how.
#[derive(Debug, Deserialize)]
#[serde(try_from = "SubmissionBody")]
pub(crate) struct Submission {
    source: PipelineSource,
    options: StartOptions,
    /// The digest of what its sender has approved.
    pub(crate) approve: Option<String>,
}

/// What comes of a submission.
pub(crate) enum Submitted {
    /// It runs.
    Started(Started),
    /// Nobody has approved what the file of the project runs.
    Unapproved(Box<Unapproved>),
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
    /// Approves what a file of the project runs, once: the `digest` of the refusal that shows it.
    #[serde(default)]
    approve: Option<String>,
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
            approve: body.approve,
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

impl Submission {
    /// Starts it: a text in a folder of its own, a file of `project` in the project once it is approved. Sending a text
    /// approves it.
    pub(crate) async fn start(
        self,
        shared: &Shared,
        project: Option<&Project>,
    ) -> Result<Submitted, ApiError> {
        let options = self.options;
        match self.source {
            PipelineSource::Text(text) => {
                let started = options.start_text(&text, &shared.submissions).await?;
                Ok(Submitted::Started(started))
            }
            PipelineSource::File(name) => {
                let project = may_name_files(project)?;
                let path = project.find(name.clone()).await?;
                let run = options
                    .prepare_file(PipelineFile { path, name }, shared, project)
                    .await?;
                let approvals = Arc::clone(&shared.approvals);
                let checked = blocking(move || {
                    run.check()?;
                    Ok(Unapproved::check(run, approvals))
                });
                match checked.await? {
                    Ok(run) => Ok(Submitted::Started(run.start().await?)),
                    Err(unapproved) => Ok(Submitted::Unapproved(unapproved)),
                }
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
        let is_dry = self.mode == Mode::DryRun;
        let launcher = self.launcher(&submissions.engine, &file.path);
        let read = AllowedRun::read(launcher, file, &submissions.handlers, is_dry);
        let started = match read.await {
            Ok(run) => run.start().await,
            Err(error) => Err(error),
        };
        if started.is_err() {
            // Nothing of it has run. A folder that stays does no harm.
            let _ = std::fs::remove_dir_all(&folder);
        }
        started
    }

    async fn prepare_file(
        self,
        file: PipelineFile,
        shared: &Shared,
        project: &Project,
    ) -> Result<AllowedRun, ApiError> {
        let handlers = &shared.submissions.handlers;
        // What submitted pipelines may do holds for it too: a client that may write files could write the
        // pipeline first. The engine of submissions has no agents of other programs where none are allowed.
        let engine = match handlers {
            AllowedHandlers::WithoutPrograms => &shared.submissions.engine,
            AllowedHandlers::All | AllowedHandlers::Only(_) => &shared.engine,
        };
        let is_dry = self.mode == Mode::DryRun;
        let launcher = self.launcher(engine, &file.path);
        let launcher = launcher.working_dir(project.root());
        AllowedRun::read(launcher, file, handlers, is_dry).await
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
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// A new file that only the user of the server reads.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
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
