//! What is needed to start a run, or to continue with one.
//!
//! [`Launch::new`] gives the safe defaults: models simulated, nobody to ask, runs kept under
//! `.attractor/runs` of the project. Reading the DOT file is the caller's.

pub(crate) mod agent_sandbox;
pub(crate) mod bundle;
pub(crate) mod fork;
pub(crate) mod inputs;
pub(crate) mod reality;
pub(crate) mod record_key;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use attractor_exec::{ExecutionEnvironment, LocalEnvironment};
use attractor_machine::control::PausePoints;
use attractor_machine::outcome::Limits;
use attractor_model::{Options, Pipeline};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::backend::BackendRegistry;
use crate::clock::{Clock, Rng, SystemClock, SystemRng};
use crate::handlers::HandlerRegistry;
use crate::handlers::script::Script;
use crate::launch::bundle::PipelineBundle;
use crate::launch::record_key::RecordKey;
use crate::project::files::project_root;
use crate::project::runs_dir::runs_dir;
use crate::questions::answer_policy::AnswerPolicy;

/// A run to start.
#[derive(Clone)]
pub struct Launch {
    /// The pipeline.
    pub pipeline: Arc<Pipeline>,
    /// Pipelines it may call: the other graphs of the file, and files next to it.
    pub library: Vec<Arc<Pipeline>>,
    /// The DOT file.
    pub source: Source,
    /// Files the pipeline names by `@path` or `prompt_file`, by path as written, with their text.
    pub files: Vec<(String, String)>,
    /// The DOT files of the pipelines of other files: path relative to the DOT file, and text.
    pub sources: Vec<(String, String)>,
    /// How DOT text is read here: what a run keeps of its files is read the same way later.
    pub options: Options,
    /// Where commands run and agents work.
    pub workdir: PathBuf,
    /// The folder that holds a folder per run.
    pub runs_dir: PathBuf,
    /// How real it is.
    pub mode: Mode,
    /// First values of the context.
    pub inputs: BTreeMap<String, Value>,
    /// Where to begin instead of the start node.
    pub from: Option<String>,
    /// Who answers questions.
    pub answers: AnswerPolicy,
    /// What does the work of nodes.
    pub handlers: HandlerRegistry,
    /// What calls models; each node gets one of them.
    pub backends: BackendRegistry,
    /// The time of the run.
    pub clock: Arc<dyn Clock>,
    /// The chance of the run.
    pub rng: Arc<dyn Rng>,
    /// Limits from outside the pipeline.
    pub limits: Limits,
    /// Where the run pauses by itself; boxed, because most runs have none.
    pub points: Box<PausePoints>,
    /// Where to write a `checkpoint_<ms>.json` after each node, if anywhere.
    pub checkpoint_dir: Option<PathBuf>,
    /// Runs commands.
    pub execution: Arc<dyn ExecutionEnvironment>,
    /// What the run is signed with. Without it a run is not signed, and what is continued may come from anybody.
    pub record_key: Option<RecordKey>,
}

/// The file a pipeline comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// Its path, as the caller knows it.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
}

/// How real a run is.
#[derive(Debug, Clone, Default)]
// Exhaustive: what a run may touch follows from its mode.
pub enum Mode {
    /// Everything is real. A model is simulated at the nodes that none of [`Launch::backends`] can answer.
    #[default]
    Run,
    /// All models are simulated; the rest is real.
    Simulate,
    /// Nothing is real: the graph is walked with scripted outcomes, without processes, models, waiting
    /// or files.
    DryRun(Script),
}

impl Launch {
    /// Adds what is around the pipeline, and how all of it was read.
    #[must_use]
    pub fn with_bundle(mut self, bundle: PipelineBundle, options: Options) -> Self {
        self.library = bundle.library;
        self.files = bundle.files;
        self.sources = bundle.sources;
        self.options = options;
        self
    }

    /// A run of `pipeline` with the safe defaults, in the folder of its file.
    pub fn new(pipeline: Arc<Pipeline>, source: Source) -> Self {
        let workdir = match source.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        Self {
            runs_dir: runs_dir(&project_root(&source.path)),
            pipeline,
            library: Vec::new(),
            source,
            files: Vec::new(),
            sources: Vec::new(),
            options: Options::default(),
            workdir,
            mode: Mode::default(),
            inputs: BTreeMap::new(),
            from: None,
            answers: AnswerPolicy::default(),
            handlers: HandlerRegistry::default(),
            backends: BackendRegistry::default(),
            clock: Arc::new(SystemClock::default()),
            rng: Arc::new(SystemRng),
            limits: Limits::default(),
            points: Box::default(),
            checkpoint_dir: None,
            execution: Arc::new(LocalEnvironment),
            record_key: None,
        }
    }
}

/// How to continue with a run.
#[derive(Clone)]
pub struct Resume {
    /// The pipeline as it is now, with its bundle. A run keeps its inputs: `inputs` only gives its
    /// secrets again. `from` is the run's own.
    pub launch: Launch,
    /// Whether a pipeline that is not what it was may be used.
    pub changes: Changes,
    /// Whether a run that was not recorded by this user may be continued.
    pub foreign: ForeignRuns,
}

impl Resume {
    /// A run of this user, with the pipeline that it began with.
    pub fn new(launch: Launch) -> Self {
        Self {
            launch,
            changes: Changes::default(),
            foreign: ForeignRuns::default(),
        }
    }
}

/// What to do with a run that is not signed with [`Launch::record_key`]: its records may come from anybody, and say anything,
/// such as that a person has approved a gate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForeignRuns {
    /// Do nothing.
    #[default]
    Refuse,
    /// Continue as they say.
    Accept,
}

/// What to do when the pipeline changed since the run began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Changes {
    /// Show the difference and do nothing.
    #[default]
    Refuse,
    /// Continue with the new one.
    Accept,
}

/// What a run's mode is called in its manifest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
// Exhaustive: these are the modes, by name.
pub enum ModeName {
    /// [`Mode::Run`].
    #[default]
    Run,
    /// [`Mode::Simulate`].
    Simulate,
    /// [`Mode::DryRun`].
    DryRun,
}

impl Mode {
    /// Its name.
    pub fn name(&self) -> ModeName {
        match self {
            Self::Run => ModeName::Run,
            Self::Simulate => ModeName::Simulate,
            Self::DryRun(_) => ModeName::DryRun,
        }
    }
}
