//! One run to start: what is special about it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_run::{
    Changes, Consent, Fork, ForkFiles, Launch, Mode, PipelineBundle, Resume, ResumeFrom, Script,
    Source, fork, resume, start, summary,
};
use serde_json::Value;

use attractor_config::Configuration;

use crate::consent::consent;
use crate::context::PipelineContext;
use crate::edit::PipelineEdit;
use crate::error::Error;
use crate::pipeline::{Pipeline, files_of};
use crate::run::Run;
use crate::settings::Settings;

/// A run that has not been started.
#[must_use = "a run begins with `start`"]
pub struct Launcher {
    settings: Arc<Settings>,
    start: Start,
    graph: Option<String>,
    inputs: PipelineContext,
    from: Option<String>,
    checkpoint: Option<PathBuf>,
    mode: Mode,
    changes: Changes,
}

/// What is run.
pub(crate) enum Start {
    File(PathBuf),
    Pipeline(Box<Pipeline>),
    /// The run in this directory, once more.
    Run(PathBuf),
    /// Another run from a visit of a run.
    Fork(Fork),
}

impl Start {
    /// The directory of the run that is continued or forked.
    fn directory(&self) -> Option<&Path> {
        match self {
            Self::Run(directory) | Self::Fork(Fork { run: directory, .. }) => Some(directory),
            Self::File(_) | Self::Pipeline(_) => None,
        }
    }
}

impl Launcher {
    pub(crate) fn new(settings: Arc<Settings>, start: Start) -> Self {
        Self {
            settings,
            start,
            graph: None,
            inputs: PipelineContext::new(),
            from: None,
            checkpoint: None,
            mode: Mode::Run,
            changes: Changes::Refuse,
        }
    }

    /// Sets a first value of the context. One whose name says so (`token`, `db_password`) is a secret and stored
    /// nowhere.
    pub fn input(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.inputs.set(key, value);
        self
    }

    /// Sets first values of the context.
    pub fn inputs(mut self, inputs: PipelineContext) -> Self {
        self.inputs.update(BTreeMap::from(inputs));
        self
    }

    /// The pipeline of the file to run. Without it, the first one.
    pub fn graph(mut self, name: impl Into<String>) -> Self {
        self.graph = Some(name.into());
        self
    }

    /// Begins at this node instead of the start node.
    pub fn from_node(mut self, id: impl Into<String>) -> Self {
        self.from = Some(id.into());
        self
    }

    /// Begins where a [`Checkpoint`](crate::Checkpoint) file says, with its context; of a folder, the newest one.
    pub fn from_checkpoint(mut self, path: impl Into<PathBuf>) -> Self {
        self.checkpoint = Some(path.into());
        self
    }

    /// The visit of the node at which a run is forked, from 1.
    pub fn visit(mut self, visit: u32) -> Self {
        if let Start::Fork(fork) = &mut self.start {
            fork.visit = Some(visit);
        }
        self
    }

    /// What to do about files that are not as they were when that visit began. Without it, the fork is refused.
    pub fn fork_files(mut self, files: ForkFiles) -> Self {
        if let Start::Fork(fork) = &mut self.start {
            fork.files = files;
        }
        self
    }

    /// Simulates models; the rest is real.
    pub fn simulate(mut self) -> Self {
        self.mode = Mode::Simulate;
        self
    }

    /// Walks the pipeline without any effect, with scripted outcomes.
    pub fn dry_run(mut self, script: Script) -> Self {
        self.mode = Mode::DryRun(script);
        self
    }

    /// Continues a run although its pipeline has changed since it began.
    pub fn accept_changes(mut self) -> Self {
        self.changes = Changes::Accept;
        self
    }

    /// Everything the run can do, for a person or a policy to look at before it starts.
    ///
    /// # Errors
    /// The pipeline cannot be read.
    pub fn consent(&self) -> Result<Consent, Error> {
        let launch = self.launch()?;
        let path = std::path::absolute(&launch.source.path);
        let path = path.unwrap_or_else(|_| launch.source.path.clone());
        Ok(consent(&launch, &Configuration::read(&path, None)))
    }

    /// Starts the run. It continues when its handle is dropped, as long as the runtime does.
    ///
    /// # Errors
    /// The pipeline cannot be read or has errors, inputs are missing, or the run's directory cannot be made.
    pub async fn start(self) -> Result<Run, Error> {
        let launch = self.launch()?;
        let changes = self.changes;
        let observer = self.settings.observer.clone();
        let continued = |launch| Resume { launch, changes };
        let handle = match (self.start, self.checkpoint) {
            (Start::Fork(point), _) => fork(point, continued(launch)).await?,
            (Start::Run(directory), _) => {
                resume(ResumeFrom::Run(directory), continued(launch)).await?
            }
            (_, Some(path)) => resume(ResumeFrom::File(path), continued(launch)).await?,
            _ => start(launch).await?,
        };
        if let Some(observer) = observer {
            observer.started(&handle);
        }
        Ok(Run::new(handle))
    }

    fn launch(&self) -> Result<Launch, Error> {
        let settings = &self.settings;
        let pipeline = self.transformed(self.pipeline()?)?;
        let siblings = pipeline.siblings();
        let files = files_of(pipeline.path());
        let bundle =
            PipelineBundle::collect(pipeline.model(), &siblings, pipeline.options(), &files);
        let source = Source {
            path: pipeline.path().to_owned(),
            text: pipeline.text(),
        };
        let mut launch = Launch::new(pipeline.model().clone(), source)
            .with_bundle(bundle, pipeline.options().clone());
        if let Some(folder) = &settings.working_dir {
            launch.workdir.clone_from(folder);
        }
        if let Some(folder) = &settings.runs_dir {
            launch.runs_dir.clone_from(folder);
        }
        if let Some(execution) = &settings.execution {
            launch.execution = execution.clone();
        }
        if let Some(clock) = &settings.clock {
            launch.clock = clock.clone();
        }
        if let Some(rng) = &settings.rng {
            launch.rng = rng.clone();
        }
        if let Some(directory) = self.start.directory() {
            let summary = summary(directory)?;
            if let Some(folder) = directory.parent() {
                folder.clone_into(&mut launch.runs_dir);
            }
            launch.workdir = summary.workdir;
        }
        launch.backends = settings.backends.clone();
        launch.handlers = settings.handlers.clone();
        launch.answers = settings.answers.clone();
        launch.limits = settings.limits;
        launch.checkpoint_dir.clone_from(&settings.checkpoint_dir);
        launch.mode = self.mode.clone();
        launch.inputs = self.inputs.to_map();
        launch.from.clone_from(&self.from);
        Ok(launch)
    }

    fn pipeline(&self) -> Result<Pipeline, Error> {
        let options = &self.settings.options;
        let graph = self.graph.as_deref();
        Ok(match &self.start {
            Start::File(path) => Pipeline::read(path, graph, options)?,
            Start::Pipeline(pipeline) => pipeline.with_options(options)?,
            Start::Run(directory) | Start::Fork(Fork { run: directory, .. }) => {
                let summary = summary(directory)?;
                let graph = graph.unwrap_or(&summary.pipeline);
                if summary.path.exists() {
                    Pipeline::read(&summary.path, Some(graph), options)?
                } else {
                    let copy = attractor_run::source_file(directory);
                    let text = Pipeline::read(&copy, Some(graph), options)?.text();
                    Pipeline::of_text(text, &summary.path, Some(graph), options)?
                }
            }
        })
    }

    fn transformed(&self, mut pipeline: Pipeline) -> Result<Pipeline, Error> {
        for transform in &self.settings.transforms {
            let mut edit = PipelineEdit::default();
            let refused = |reason| Error::Transform {
                name: transform.name().to_owned(),
                pipeline: pipeline.name().to_owned(),
                reason,
            };
            transform.apply(&pipeline, &mut edit).map_err(refused)?;
            if !edit.is_empty() {
                pipeline = pipeline.edited(&edit)?;
            }
        }
        Ok(pipeline)
    }
}
