//! A new run that continues another one from the beginning of a visit: with its journal up to there, and the context and
//! the files of that moment. The other run stays as it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use attractor_exec::{Disk, RealDisk, Secrets};
use attractor_machine::event::{Event, EventKind, NodeAttempt};
use attractor_machine::plan::Plan;
use attractor_machine::snapshot::RunSnapshot;
use attractor_machine::transition::{InputKind, State};
use serde_json::Value;

use super::handle::{Log, RunHandle};
use super::run_task::blocking;
use super::start::{Draft, Ready};
use super::validate::check_valid;
use crate::error::RunError;
use crate::file_changes::ForkWorkspace;
use crate::id::RunId;
use crate::launch::fork::Fork;
use crate::launch::reality::{reality_after, reality_of};
use crate::launch::{Launch, Mode, ModeName, Resume};
use crate::project::runs_dir::make_runs_dir;
use crate::replay::changes;
use crate::replay::recover::base;
use crate::replay::steps::replay;
use crate::replay::time::{time_text, timestamp};
use crate::store::artifacts::Artifacts;
use crate::store::{DiskStore, Journal, Layout, Lock, Manifest, Record, Snapshot, Store};
use crate::worktrees::copy_records;

/// Starts a new run at the beginning of a visit of another one, with its context; the inputs of the launch are set in it.
/// Secrets are given again as inputs, as for [`resume`](crate::resume).
///
/// The first events of the new run are those of the other one, up to the visit; `pipeline_forked` follows them.
///
/// # Errors
/// The visit never was, or was not one of the main line; the pipeline has changed or has errors; files are not as they
/// were.
pub async fn fork(fork: Fork, resume: Resume) -> Result<RunHandle, RunError> {
    check_valid(&resume.launch)?;
    fork_on(&fork, resume, Arc::new(RealDisk))
}

fn fork_on(fork: &Fork, resume: Resume, disk: Arc<dyn Disk>) -> Result<RunHandle, RunError> {
    let origin = Origin::load(fork, &resume)?;
    let mut launch = resume.launch;
    let set = inputs(&mut launch, &origin.manifest)?;
    let secrets = Secrets::recover(&origin.manifest.secrets, &launch.inputs)
        .map_err(|missing| RunError::missing_secrets(&origin.manifest.run, missing))?
        .masking(launch.backends.secrets());
    launch.inputs.clone_from(&origin.manifest.inputs);
    if origin.manifest.mode == ModeName::Simulate {
        launch.mode = Mode::Simulate;
    }
    let limits = launch.limits;
    let points = std::mem::take(&mut *launch.points);
    let id = RunId::generate();
    let begun = origin.copy(&id)?;
    let ahead = reality_after(&launch, &begun.state);
    let reality = reality_of(&launch);
    let redactor = Arc::new(secrets.redactor());
    let workspace = ForkWorkspace::find(&origin.layout, &begun.records, &origin.at, redactor);
    let workspace = workspace.prepare(&fork.files, &launch.workdir, &launch.runs_dir)?;
    launch.workdir.clone_from(&workspace.workdir);

    make_runs_dir(&launch.runs_dir)?;
    let directory = launch.runs_dir.join(id.as_str());
    let draft = Draft {
        layout: Layout::draft(&launch.runs_dir, id.as_str()),
    };
    let layout = draft.layout.clone();
    let now = time_text(timestamp(launch.clock.as_ref()));
    layout.create()?;
    let lock = Lock::acquire(layout.root(), id.as_str(), &now)?;
    let visit = visit_name(&origin.at);
    let manifest = Manifest {
        resumed_from: Some(format!("{} at {visit}", origin.manifest.run)),
        inputs: origin.manifest.inputs.clone(),
        secrets: origin.manifest.secrets.clone(),
        mode: origin.manifest.mode,
        reality: Some(ahead.unwrap_or_default()),
        ..Manifest::of(&launch, id.as_str(), &now)
    };
    manifest.save(&launch, &layout, disk.as_ref(), &secrets.redactor())?;
    origin.copy_files(&layout)?;
    let journal = begun.write(&layout, disk.as_ref(), origin.is_changed)?;
    workspace.keep_baseline(&layout)?;
    let files = workspace.restore()?;

    let events: Vec<Event> = begun
        .records
        .into_iter()
        .map(|record| record.event)
        .collect();
    let artifacts = Artifacts::new(Layout::new(directory.clone()).artifacts());
    let ready = Ready {
        plan: Plan::new(launch.pipeline.clone(), launch.library.clone())
            .knowing(Arc::new(artifacts)),
        launch,
        secrets,
        id,
        directory,
        state: begun.state,
        store: Store::Disk(DiskStore {
            layout,
            journal,
            disk,
            lock,
        }),
        log: Log::after(0, RunSnapshot::default(), events),
        repository: manifest.repository(),
        reality,
    };
    let started = ready.go(InputKind::Forked {
        visit: origin
            .at
            .graph
            .is_some()
            .then(|| Box::new(origin.at.clone())),
        from: origin.manifest.run,
        set,
        files,
        reality: ahead,
        limits,
        points,
    });
    if started.is_err() {
        workspace.undo();
    }
    started
}

/// What is set in the context: the inputs that are not secrets of the run.
fn inputs(launch: &mut Launch, manifest: &Manifest) -> Result<BTreeMap<String, Value>, RunError> {
    let mut set = launch.inputs.clone();
    set.retain(|name, _| !manifest.secrets.contains(name));
    launch
        .inputs
        .retain(|name, _| manifest.secrets.contains(name));
    match Secrets::take(&mut set).names().first() {
        Some(name) => Err(RunError::NotASecret {
            run: manifest.run.clone(),
            name: name.clone(),
        }),
        None => Ok(set),
    }
}

/// The run that is forked.
struct Origin {
    layout: Layout,
    manifest: Manifest,
    /// What it walked.
    plan: Plan,
    /// Whether the pipeline is another one now.
    is_changed: bool,
    /// Its journal up to the visit.
    records: Vec<Record>,
    /// The beginning of the visit.
    at: NodeAttempt,
}

/// The beginning of the new run.
struct Beginning {
    records: Vec<Record>,
    /// Where what is replayed begins, if not with the first event.
    base: Option<Snapshot>,
    /// The state after the records.
    state: State,
}

impl Origin {
    fn load(fork: &Fork, resume: &Resume) -> Result<Self, RunError> {
        let layout = Layout::new(fork.run.clone());
        let manifest = Manifest::load_to_continue(&layout, resume)?;
        let change = changes::since(&manifest, &layout, &resume.launch)?;
        changes::refuse(change.as_ref(), resume.changes)?;
        let is_changed = change.is_some();
        let plan = match change {
            Some(change) => change.before,
            None => changes::plan_of(&manifest, &layout)?,
        };
        let mut records = crate::store::load(&layout.journal())?.records;
        let at = visit_of(&records, fork, &manifest.run)?;
        records.truncate(end_of_entry(&records, &at));
        Ok(Self {
            layout,
            manifest,
            plan,
            is_changed,
            records,
            at,
        })
    }

    /// The same history as that of another run.
    fn copy(&self, id: &RunId) -> Result<Beginning, RunError> {
        let mut records = self.records.clone();
        for record in &mut records {
            record.event.run = id.to_string();
            if let Some(InputKind::Start(begin)) =
                record.input.as_mut().map(|input| &mut input.kind)
            {
                begin.run = id.to_string();
            }
        }
        let base = base(&self.layout).map(|(snapshot, _)| snapshot);
        let base = base.map(|snapshot| snapshot.of_run(id.as_str()));
        let (state, seq) = match &base {
            Some(base) => (base.state.clone(), base.seq),
            None => (State::default(), 0),
        };
        let visit = || visit_name(&self.at);
        let skipped = usize::try_from(seq).unwrap_or(usize::MAX);
        let Some(rest) = records.get(skipped..) else {
            return Err(RunError::ForkBeforeChange { visit: visit() });
        };
        let (state, _) = replay(&self.plan, (state, seq), rest, &self.layout.journal())?;
        let mut frames = state.frames.values();
        if !frames.any(|frame| frame.node_attempt() == self.at) {
            return Err(RunError::NoForkPoint { visit: visit() });
        }
        Ok(Beginning {
            records,
            base,
            state,
        })
    }

    /// Copies what the attempts of the history have left, and values that are files.
    fn copy_files(&self, to: &Layout) -> Result<(), RunError> {
        let ended = self
            .records
            .iter()
            .filter_map(|record| match &record.event.kind {
                EventKind::StageCompleted { at, .. } | EventKind::StageFailed { at, .. } => {
                    Some(at)
                }
                _ => None,
            });
        let stages = ended.map(|at| (self.layout.stage(at), to.stage(at)));
        let artifacts = (self.layout.artifacts(), to.artifacts());
        for (from, to) in stages.chain([artifacts]) {
            blocking(|| copy_folder(&from, &to)).map_err(RunError::io("cannot copy", &from))?;
        }
        let (from, to) = (self.layout.root(), to.root());
        blocking(|| copy_records(from, to)).map_err(RunError::io("cannot copy", from))
    }
}

impl Beginning {
    /// Writes the journal. `is_changed`: what follows it comes from another pipeline.
    fn write(
        &self,
        layout: &Layout,
        disk: &dyn Disk,
        is_changed: bool,
    ) -> Result<Journal, RunError> {
        let path = layout.journal();
        let mut journal = Journal::open(disk, &path, 0)?;
        let save = |base: &Snapshot| base.save(&layout.replay_base(), disk);
        let base = self.base.as_ref();
        let skipped = base.map_or(0, |base| usize::try_from(base.seq).unwrap_or(usize::MAX));
        let (before, after) = self.records.split_at(skipped.min(self.records.len()));
        blocking(|| journal.append(before))?;
        if let Some(base) = base {
            save(&Snapshot {
                journal: journal.position(),
                ..base.clone()
            })?;
        }
        blocking(|| journal.append(after))?;
        if is_changed {
            let mut view = RunSnapshot::default();
            for record in &self.records {
                view.apply(&record.event);
            }
            save(&Snapshot::of(&self.state, view, journal.position()))?;
        }
        Ok(journal)
    }
}

/// The beginning of the visit to fork at.
fn visit_of(records: &[Record], fork: &Fork, run: &str) -> Result<NodeAttempt, RunError> {
    let visits = || {
        records
            .iter()
            .filter_map(|record| match &record.event.kind {
                EventKind::StageStarted { at, .. } if at.attempt == 1 => Some(at),
                _ => None,
            })
    };
    let is_meant = |at: &&NodeAttempt| {
        let is_named = at.node == fork.node || place(at) == fork.node;
        is_named && fork.visit.is_none_or(|visit| visit == at.visit)
    };
    let is_outside = |at: &&NodeAttempt| at.branch.is_none();
    let mut meant = visits().filter(is_meant);
    // A node of the pipeline itself comes before one of a sub-pipeline with the same name.
    let mut outside = meant.clone().filter(is_outside);
    let own = outside.clone().rfind(|at| at.graph.is_none());
    if let Some(at) = own.or_else(|| outside.next_back()) {
        return Ok(at.clone());
    }
    if let Some(at) = meant.next_back() {
        return Err(RunError::ForkInside {
            node: at.node.clone(),
            branch: at.branch.clone().unwrap_or_default(),
            opener: opener(records, at),
        });
    }
    let mut known: Vec<String> = Vec::new();
    for at in visits().filter(is_outside) {
        let visit = visit_name(at);
        if !known.contains(&visit) {
            known.push(visit);
        }
    }
    Err(RunError::UnknownVisit {
        run: run.to_owned(),
        visit: match fork.visit {
            Some(visit) => format!("{}@{visit}", fork.node),
            None => fork.node.clone(),
        },
        known,
    })
}

/// `NODE`, or `GRAPH/NODE` in a sub-pipeline.
fn place(at: &NodeAttempt) -> String {
    match &at.graph {
        Some(graph) => format!("{graph}/{}", at.node),
        None => at.node.clone(),
    }
}

fn visit_name(at: &NodeAttempt) -> String {
    format!("{}@{}", place(at), at.visit)
}

/// The visit of the outermost parallel node that began the branch of a node: a run can be forked there.
fn opener(records: &[Record], at: &NodeAttempt) -> String {
    let branch = at.branch.as_deref().unwrap_or_default();
    let outermost = branch.split('/').next().unwrap_or_default();
    let is_before = |record: &&Record| !matches!(&record.event.kind, EventKind::StageStarted { at: begun, .. } if begun == at);
    let before = records.iter().take_while(is_before);
    let openers = before.filter_map(|record| match &record.event.kind {
        EventKind::ParallelBranchStarted { at, name, .. } => Some((at, name)),
        _ => None,
    });
    let own = openers.filter(|(at, name)| at.branch.is_none() && *name == outermost);
    own.last()
        .map_or_else(String::new, |(at, _)| visit_name(at))
}

/// How many records there are up to the end of the step that begins a visit.
fn end_of_entry(records: &[Record], at: &NodeAttempt) -> usize {
    let begins = |record: &Record| matches!(&record.event.kind, EventKind::StageStarted { at: begun, .. } if begun == at);
    let Some(entry) = records.iter().position(begins) else {
        return records.len();
    };
    let rest = records.iter().skip(entry + 1);
    let is_of_step = |record: &&Record| {
        let kind = &record.event.kind;
        let is_own = kind.is_from_driver() || matches!(kind, EventKind::CheckpointSaved { .. });
        record.input.is_none() && !is_own
    };
    entry + 1 + rest.take_while(is_of_step).count()
}

/// Copies a folder with everything in it; nothing when there is none.
fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut open = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = open.pop() {
        let entries = match fs::read_dir(&from) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        fs::create_dir_all(&to)?;
        for entry in entries {
            let entry = entry?;
            let target = to.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push((entry.path(), target));
            } else if kind.is_file() {
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}
