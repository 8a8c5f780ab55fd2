//! The engine: what all runs of a program share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_exec::ExecutionEnvironment;
use attractor_model::Options;
use attractor_run::{
    AnswerPolicy, Clock, CodergenBackend, Fork, HandlerError, HandlerRegistry, Interviewer, Limits,
    NodeHandler, RecordKey, Rng,
};

use crate::error::Error;
use crate::goal_gate::GoalGate;
use crate::launcher::Launcher;
use crate::pipeline::Pipeline;
use crate::run_observer::RunObserver;
use crate::run_start::Start;
use crate::settings::Settings;
use crate::stylesheet::ModelStylesheet;
use crate::transform::Transform;

/// Runs pipelines. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    settings: Arc<Settings>,
}

/// What to do with questions when an engine has no interviewer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnMissingInterviewer {
    /// The default choice of the question is taken; without one the run fails.
    #[default]
    Fail,
    /// The question is approved, with a warning in the output of its node.
    ApproveWithWarning,
    /// The question stays open for [`Run::answer`](crate::Run::answer) and other processes.
    Wait,
}

/// Builds an [`Engine`].
#[derive(Clone, Default)]
pub struct EngineBuilder {
    settings: Settings,
    missing: OnMissingInterviewer,
    error: Option<HandlerError>,
}

impl Engine {
    /// An engine with the built-in handlers, simulated models and no interviewer, to be changed.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// The handlers of its runs.
    pub fn handlers(&self) -> &HandlerRegistry {
        &self.settings.handlers
    }

    /// A run of a DOT file.
    pub fn run_file(&self, path: impl AsRef<Path>) -> Launcher {
        let start = Start::File(path.as_ref().to_owned());
        Launcher::new(self.settings.clone(), start)
    }

    /// A run of a pipeline.
    pub fn run(&self, pipeline: &Pipeline) -> Launcher {
        let start = Start::Pipeline(Box::new(pipeline.clone()));
        Launcher::new(self.settings.clone(), start)
    }

    /// Continues with the run in a directory, after its process ended, or after it failed.
    pub fn resume(&self, directory: impl AsRef<Path>) -> Launcher {
        let start = Start::Run(directory.as_ref().to_owned());
        Launcher::new(self.settings.clone(), start)
    }

    /// Forks the run in a directory: a new run begins where that one entered a node (for the last time, unless
    /// [`Launcher::visit`] says otherwise), with its history and context up to there. [`Launcher::input`] sets other
    /// values in the context. The run in the directory stays as it is.
    pub fn fork(&self, directory: impl AsRef<Path>, node: impl Into<String>) -> Launcher {
        let start = Start::Fork(Fork {
            run: directory.as_ref().to_owned(),
            node: node.into(),
            ..Fork::default()
        });
        Launcher::new(self.settings.clone(), start)
    }
}

impl EngineBuilder {
    /// Registers a handler for the nodes that write `handler=name`.
    #[must_use]
    pub fn handler(mut self, name: impl Into<String>, handler: impl NodeHandler + 'static) -> Self {
        if let Err(error) = self.settings.handlers.register(name, handler) {
            self.error.get_or_insert(error);
        }
        self
    }

    /// Who answers the questions of runs.
    #[must_use]
    pub fn interviewer(mut self, interviewer: impl Interviewer + 'static) -> Self {
        self.settings.answers = AnswerPolicy::Interviewer(Arc::new(interviewer));
        self
    }

    /// What becomes of questions without an interviewer.
    #[must_use]
    pub fn on_missing_interviewer(mut self, missing: OnMissingInterviewer) -> Self {
        self.missing = missing;
        self
    }

    /// Adds what calls models, in front of the backends added before. A node gets the one it names, else the first one
    /// that can answer, else a simulation. [`NativeBackend`](crate::NativeBackend) calls the configured providers.
    #[must_use]
    pub fn backend(mut self, backend: impl CodergenBackend + 'static) -> Self {
        self.settings.backends.register(Arc::new(backend));
        self
    }

    /// The time of its runs: [`TestClock`](crate::TestClock) lets waits pass at once.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.settings.clock = Some(Arc::new(clock));
        self
    }

    /// The chance of its runs: by how much delays between attempts are stretched.
    #[must_use]
    pub fn rng(mut self, rng: impl Rng + 'static) -> Self {
        self.settings.rng = Some(Arc::new(rng));
        self
    }

    /// Adds a transform, after those added before.
    #[must_use]
    pub fn transform(mut self, transform: impl Transform + 'static) -> Self {
        self.settings.transforms.push(Arc::new(transform));
        self
    }

    /// Adds goals to those of each pipeline.
    #[must_use]
    pub fn goal_gate(self, gate: GoalGate) -> Self {
        self.transform(gate)
    }

    /// Rules applied after each pipeline's own stylesheet.
    #[must_use]
    pub fn stylesheet(mut self, sheet: ModelStylesheet) -> Self {
        self.settings.options.stylesheet = sheet.into_rules();
        self
    }

    /// How DOT text is read: dialect, levels of lints, handlers of a configuration.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        let stylesheet = std::mem::take(&mut self.settings.options.stylesheet);
        self.settings.options = options;
        if !stylesheet.rules.is_empty() {
            self.settings.options.stylesheet = stylesheet;
        }
        self
    }

    /// Limits of each run; of the pipeline's own and these, the lower ones count.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// What runs the commands of its runs. Without it, processes of this machine that see its environment without
    /// secrets.
    #[must_use]
    pub fn execution(mut self, environment: impl ExecutionEnvironment + 'static) -> Self {
        self.settings.execution = Some(Arc::new(environment));
        self
    }

    /// Is informed of each of its runs.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn RunObserver>) -> Self {
        self.settings.observer = Some(observer);
        self
    }

    /// Where commands run. Without it, in the folder of the DOT file.
    #[must_use]
    pub fn working_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.working_dir = Some(folder.into());
        self
    }

    /// The folder that gets a folder per run. Without it, `.attractor/runs` of the project.
    #[must_use]
    pub fn runs_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.runs_dir = Some(folder.into());
        self
    }

    /// What its runs are signed with. A run with another signature, or with none, is then continued or forked only after
    /// [`Launcher::accept_foreign`]: a folder of runs can come with a project, and its records decide what runs. Without a key
    /// runs are not signed, and every run is continued.
    #[must_use]
    pub fn record_key(mut self, key: RecordKey) -> Self {
        self.settings.record_key = Some(key);
        self
    }

    /// Writes a [`Checkpoint`](crate::Checkpoint) file to this folder after every node.
    #[must_use]
    pub fn checkpoint_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.checkpoint_dir = Some(folder.into());
        self
    }

    /// The engine.
    ///
    /// # Errors
    /// A handler cannot be registered under its name.
    pub fn build(self) -> Result<Engine, Error> {
        let mut settings = self.settings;
        if let Some(error) = self.error {
            return Err(error.into());
        }
        if !matches!(settings.answers, AnswerPolicy::Interviewer(_)) {
            settings.answers = match self.missing {
                OnMissingInterviewer::Fail => AnswerPolicy::Unattended,
                OnMissingInterviewer::ApproveWithWarning => AnswerPolicy::ApproveWithWarning,
                OnMissingInterviewer::Wait => AnswerPolicy::Ask,
            };
        }
        settings.options = settings.handlers.declared_in(settings.options);
        Ok(Engine {
            settings: Arc::new(settings),
        })
    }
}
