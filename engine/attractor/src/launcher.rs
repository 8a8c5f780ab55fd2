//! One run to start: what is special about it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use attractor_run::{
    Changes, ForeignRuns, Fork, ForkFiles, Launch, Mode, PipelineBundle, Script, Source, summary,
};
use serde_json::Value;

use crate::context::PipelineContext;
use crate::edit::PipelineEdit;
use crate::error::Error;
use crate::pipeline::{Pipeline, files_of};
use crate::prepared_run::PreparedRun;
use crate::run::Run;
use crate::run_start::Start;
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
    foreign: ForeignRuns,
    working_dir: Option<PathBuf>,
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
            foreign: ForeignRuns::Refuse,
            working_dir: None,
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

    /// Where commands run. Without it, where those of the engine do. A run that is continued or forked keeps its own.
    pub fn working_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.working_dir = Some(folder.into());
        self
    }

    /// Continues a run although its pipeline has changed since it began.
    pub fn accept_changes(mut self) -> Self {
        self.changes = Changes::Accept;
        self
    }

    /// Continues or forks a run that is not signed with the key of the engine: a person has looked at its records.
    pub fn accept_foreign(mut self) -> Self {
        self.foreign = ForeignRuns::Accept;
        self
    }

    /// Reads everything the run uses, so that a person or a policy can look at what will start.
    ///
    /// # Errors
    /// The pipeline cannot be read.
    pub fn prepare(self) -> Result<PreparedRun, Error> {
        Ok(PreparedRun {
            launch: self.launch()?,
            observer: self.settings.observer.clone(),
            start: self.start,
            checkpoint: self.checkpoint,
            changes: self.changes,
            foreign: self.foreign,
        })
    }

    /// Starts the run. It continues when its handle is dropped, as long as the runtime does.
    ///
    /// # Errors
    /// The pipeline cannot be read or has errors, inputs are missing, or the run's directory cannot be made.
    pub async fn start(self) -> Result<Run, Error> {
        self.prepare()?.start().await
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
        if let Some(folder) = self.working_dir.as_ref().or(settings.working_dir.as_ref()) {
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
        launch.record_key.clone_from(&settings.record_key);
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
