//! Starting a run: what it begins with is checked and written down, then it belongs to its owner task.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use attractor_exec::git::Repository;
use attractor_exec::{AgentSandbox, Disk, RealDisk, Redactor, Secrets};
use attractor_machine::plan::Plan;
use attractor_machine::transition::{Begin, InputKind, State};
use attractor_model::{NodeKind, Reality};
use serde_json::Value;

use super::handle::{Log, RunHandle, Shared};
use super::run_task::{RunContext, RunTask, blocking};
use super::validate::check_valid;
use crate::backend::{BackendRegistry, SimulateBackend};
use crate::driver::control_server::Controlled;
use crate::driver::reviewed_gates::ReviewedGates;
use crate::error::RunError;
use crate::file_changes::{Baseline, Recorder};
use crate::handlers::RunEnvironment;
use crate::handlers::script::{Script, ScriptedModels, ScriptedOutcome};
use crate::id::RunId;
use crate::launch::agent_sandbox::agent_sandbox;
use crate::launch::inputs::{check_inputs, declared_inputs};
use crate::launch::reality::reality_of;
use crate::launch::{Launch, Mode};
use crate::project::files::project_root_of_folder;
use crate::project::runs_dir::make_runs_dir;
use crate::replay::time::{time_text, timestamp};
use crate::store::artifacts::Artifacts;
use crate::store::{DiskStore, Journal, Layout, Lock, Manifest, Store};
use crate::worktrees::{Place, Worktrees};

/// Everything there is to know before an owner takes over.
pub(super) struct Ready {
    pub(super) launch: Launch,
    pub(super) secrets: Secrets,
    pub(super) id: RunId,
    pub(super) directory: PathBuf,
    pub(super) plan: Plan,
    pub(super) state: State,
    pub(super) store: Store,
    /// What happened before.
    pub(super) log: Log,
    /// The repository when the run began.
    pub(super) repository: Option<Repository>,
    /// How real what this process does is.
    pub(super) reality: Reality,
}

/// Starts a run. It belongs to a task of its own; the handle may be dropped.
///
/// # Errors
/// The pipeline has errors, inputs are missing, or the run's directory cannot be made.
pub async fn start(launch: Launch) -> Result<RunHandle, RunError> {
    let begin = Begin {
        warnings: check_valid(&launch)?,
        ..Begin::default()
    };
    start_on(launch, begin, Arc::new(RealDisk), None)
}

/// Refuses what [`start`] would refuse: a pipeline with errors, or one without an input that it requires.
///
/// # Errors
/// As [`start`], without those of the run's directory.
pub fn check_launch(launch: &Launch) -> Result<(), RunError> {
    check_valid(launch)?;
    check_start(launch, &Begin::default())?;
    first_context(launch).map(drop)
}

/// Starts a run of a pipeline that has been validated.
pub(super) fn start_valid(launch: Launch) -> Result<RunHandle, RunError> {
    start_on(launch, Begin::default(), Arc::new(RealDisk), None)
}

/// Starts a run whose files are on `disk`.
pub(super) fn start_on(
    mut launch: Launch,
    mut begin: Begin,
    disk: Arc<dyn Disk>,
    resumed_from: Option<String>,
) -> Result<RunHandle, RunError> {
    let pipeline = launch.pipeline.clone();
    check_start(&launch, &begin)?;
    let secrets = Secrets::take(&mut launch.inputs).masking(launch.backends.secrets());
    let id = RunId::generate();
    let reality = reality_of(&launch);
    begin.reality = Some(reality);
    begin.run = id.to_string();
    begin.limits = launch.limits;
    begin.points = std::mem::take(&mut *launch.points);
    begin.from = begin.from.or_else(|| launch.from.clone());
    for (key, value) in first_context(&launch)? {
        begin.context.entry(key).or_insert(value);
    }
    for (key, value) in &launch.inputs {
        begin.context.insert(key.clone(), value.clone());
    }
    if let Mode::DryRun(script) = &launch.mode {
        begin.scripted = scripted_nodes(script, &launch);
        begin.dry = true;
    }
    begin.sandbox = agent_sandbox(&launch).map(AgentSandbox::describe);
    let directory = launch.runs_dir.join(id.as_str());
    let draft = Draft {
        layout: Layout::draft(&launch.runs_dir, id.as_str()),
    };
    let mut repository = None;
    let store = match &launch.mode {
        Mode::DryRun(_) => Store::Memory,
        Mode::Run | Mode::Simulate => {
            let now = time_text(timestamp(launch.clock.as_ref()));
            let layout = draft.layout.clone();
            make_runs_dir(&launch.runs_dir)?;
            layout.create()?;
            let lock = Lock::acquire(layout.root(), id.as_str(), &now)?;
            let manifest = Manifest {
                resumed_from,
                secrets: secrets.names(),
                reality: Some(reality),
                ..Manifest::of(&launch, id.as_str(), &now)
            };
            manifest.save(&launch, &layout, disk.as_ref(), &secrets.redactor())?;
            repository = manifest.repository();
            begin.compares_files = has_node(&launch, NodeKind::HumanGate);
            if records_files(&launch) {
                keep_baseline(&launch, &layout, secrets.redactor())?;
            }
            let journal = Journal::open(disk.as_ref(), &layout.journal(), 0)?;
            Store::Disk(DiskStore {
                layout,
                journal,
                disk,
                lock,
            })
        }
    };
    let ready = Ready {
        plan: Plan::new(pipeline, launch.library.clone()).knowing(Arc::new(Artifacts::new(
            Layout::new(directory.clone()).artifacts(),
        ))),
        launch,
        secrets,
        id,
        directory,
        state: State::default(),
        store,
        log: Log::default(),
        repository,
        reality,
    };
    ready.go(InputKind::Start(Box::new(begin)))
}

/// Whether a node of this kind may be reached.
fn has_node(launch: &Launch, kind: NodeKind) -> bool {
    let mut pipelines = launch.library.iter().chain([&launch.pipeline]);
    pipelines.any(|pipeline| pipeline.nodes.iter().any(|node| node.kind == kind))
}

/// Whether branches may work in folders of their own.
fn has_isolated_branches(launch: &Launch) -> bool {
    let mut pipelines = launch.library.iter().chain([&launch.pipeline]);
    pipelines.any(|pipeline| {
        let mut nodes = pipeline.nodes.iter();
        nodes.any(|node| node.kind == NodeKind::Parallel && node.attributes.has("isolation"))
    })
}

/// Whether anybody will want to see what the run changed: a person at a gate, or after an agent's work. A pipeline of
/// commands alone is not slowed down.
fn records_files(launch: &Launch) -> bool {
    has_node(launch, NodeKind::HumanGate)
        || has_node(launch, NodeKind::Codergen)
        || has_isolated_branches(launch)
}

/// Keeps the files of the project as they are before the run changes any.
fn keep_baseline(launch: &Launch, layout: &Layout, redactor: Redactor) -> Result<(), RunError> {
    let root = project_root_of_folder(&launch.workdir);
    let recorder = Recorder::new(&root, layout.runs_dir(), Arc::new(redactor));
    match blocking(|| recorder.take()) {
        Some(snapshot) => Baseline::save(&snapshot, &layout.baseline()),
        None => Ok(()),
    }
}

/// The directory of a run until it has its name. What is left of it when the start fails is removed.
pub(super) struct Draft {
    pub(super) layout: Layout,
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Usually it has its name by now.
        let _ = fs::remove_dir_all(self.layout.root());
    }
}

impl Ready {
    /// Hands everything to an owner. That it begins with `first` is on stable storage, in a directory with the
    /// name of the run, before anything is done.
    pub(super) fn go(self, first: InputKind) -> Result<RunHandle, RunError> {
        self.go_after(Vec::new(), first)
    }

    /// The same, after what is known only now of the time before.
    pub(super) fn go_after(
        self,
        earlier: Vec<InputKind>,
        first: InputKind,
    ) -> Result<RunHandle, RunError> {
        let gates = match agent_sandbox(&self.launch) {
            Some(sandbox) if !sandbox.isolation.keeps_from_answering() => ReviewedGates::OwnerOnly,
            _ => ReviewedGates::Anyone,
        };
        let launch = self.launch;
        let root = project_root_of_folder(&launch.workdir);
        let redactor = Arc::new(self.secrets.redactor());
        let recorder = match &self.store {
            Store::Disk(store) if records_files(&launch) => Some(Recorder::new(
                &root,
                store.layout.runs_dir(),
                Arc::clone(&redactor),
            )),
            Store::Disk(_) | Store::Memory => None,
        };
        let seq = self.log.last();
        let (handle, orders) = Shared::open(self.id, self.directory, self.log);
        let backends = match launch.mode {
            Mode::Run
            | Mode::DryRun(Script {
                models: ScriptedModels::Backends,
                ..
            }) => launch.backends,
            Mode::Simulate | Mode::DryRun(_) => BackendRegistry::of(SimulateBackend),
        };
        let script = match launch.mode {
            Mode::DryRun(script) => Some(script),
            Mode::Run | Mode::Simulate => None,
        };
        let directory = match &self.store {
            Store::Disk(_) => Some(handle.directory().to_owned()),
            Store::Memory => None,
        };
        let workdir = std::path::absolute(&launch.workdir).unwrap_or(launch.workdir);
        let worktrees = directory.as_deref().map(|directory| {
            let place = Place {
                root: root.clone(),
                workdir: workdir.clone(),
            };
            let execution = Arc::clone(&launch.execution);
            Arc::new(Worktrees::new(
                directory,
                place,
                self.repository,
                Arc::clone(&redactor),
                execution,
            ))
        });
        let context = RunContext {
            worktrees,
            recorder,
            plan: self.plan,
            state: self.state,
            seq,
            store: self.store,
            handle: handle.clone(),
            orders,
            reality: self.reality,
            handlers: launch
                .handlers
                .with_configured(&launch.options.custom_handlers),
            environment: RunEnvironment {
                run: handle.id().to_string(),
                directory,
                root,
                workdir,
                files: launch.files,
                handlers: launch.options.custom_handlers,
                tool_hooks: launch.options.tool_hooks,
                reality: self.reality,
                backends,
                redactor,
                secrets: self.secrets,
                execution: launch.execution,
            },
            answers: launch.answers,
            clock: launch.clock,
            rng: launch.rng,
            script,
            checkpoint_dir: launch.checkpoint_dir,
            control: None,
        };
        let mut owner = RunTask::new(context);
        for input in earlier {
            owner.apply(input)?;
        }
        let first = owner.record(first)?;
        owner.context.store.publish(handle.directory())?;
        owner.context.control = take_requests(&handle, gates, &mut owner.context.store);
        tokio::spawn(owner.drive(first));
        Ok(handle)
    }
}

/// Lets other processes answer and cancel the run. Where that is not possible it runs without.
fn take_requests(
    handle: &RunHandle,
    gates: ReviewedGates,
    store: &mut Store,
) -> Option<Controlled> {
    let Store::Disk(store) = store else {
        return None;
    };
    let opened = Controlled::open(handle, gates).and_then(|control| {
        store.lock.announce(control.socket())?;
        Ok(control)
    });
    opened
        .inspect_err(
            |error| tracing::warn!(%error, "other processes cannot answer questions of the run"),
        )
        .ok()
}

fn check_start(launch: &Launch, begin: &Begin) -> Result<(), RunError> {
    let pipeline = &launch.pipeline;
    match begin.from.as_ref().or(launch.from.as_ref()) {
        Some(node) if pipeline.by_id(node).is_none() => Err(RunError::UnknownNode {
            node: node.clone(),
            pipeline: pipeline.name.clone(),
        }),
        None if pipeline.start.is_none() => Err(RunError::NoStart(pipeline.name.clone())),
        _ => Ok(()),
    }
}

/// What `vars` declares: defaults go into the context, the rest must be given, except to a dry run.
fn first_context(launch: &Launch) -> Result<BTreeMap<String, Value>, RunError> {
    if !matches!(launch.mode, Mode::DryRun(_)) {
        check_inputs(&launch.pipeline, &launch.inputs)?;
    }
    let declared = declared_inputs(&launch.pipeline).into_iter();
    let with_default = declared.filter_map(|input| Some((input.name, input.default?)));
    Ok(with_default.collect())
}

/// Nodes that a dry run does not enter but takes from its script: those that are to fail or to set something, and
/// supervisors whose condition no simulated work could meet.
fn scripted_nodes(script: &Script, launch: &Launch) -> BTreeSet<String> {
    let fails = script
        .outcomes
        .iter()
        .filter(|(_, outcomes)| outcomes.iter().any(ScriptedOutcome::replaces_work))
        .map(|(node, _)| node.clone());
    let supervisors = launch
        .library
        .iter()
        .chain([&launch.pipeline])
        .flat_map(|pipeline| &pipeline.nodes)
        .filter(|node| node.kind == NodeKind::Supervisor && node.attributes.has("done_condition"))
        .map(|node| node.id.to_string());
    fails.chain(supervisors).collect()
}
