//! Continuing with a run: where it stopped, after a named checkpoint, or from a checkpoint file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_exec::{Disk, OrphanScope, RealDisk, Secrets, end_run, footprints_in};
use attractor_machine::plan::Plan;
use attractor_machine::transition::{Begin, InputKind, State};

use super::handle::{Log, RunHandle};
use super::killed_calls;
use super::run_task::blocking;
use super::start::{Ready, start_on};
use super::validate::check_valid;
use crate::error::RunError;
use crate::id::RunId;
use crate::launch::reality::{reality_after, reality_of};
use crate::launch::{ForeignRuns, Mode, ModeName, Resume};
use crate::replay::changes;
use crate::replay::recover::recover;
use crate::replay::time::{time_text, timestamp};
use crate::store::artifacts::Artifacts;
use crate::store::checkpoint_file::Checkpoint;
use crate::store::{DiskStore, Journal, Layout, Lock, Manifest, Snapshot, Store, load};

/// What to continue from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResumeFrom {
    /// A run's directory: it continues where it stopped, in the same directory.
    Run(PathBuf),
    /// A `checkpoint` node of a run, by name: a new run begins after it.
    Checkpoint {
        /// The run's directory.
        run: PathBuf,
        /// The checkpoint's name.
        name: String,
    },
    /// A `checkpoint_<ms>.json`, or a folder of them, of which the newest counts: a new run begins at the node
    /// it names.
    File(PathBuf),
}

/// Continues with a run.
///
/// # Errors
/// There is nothing to continue from, someone else owns the run, the pipeline has changed or has errors, or the
/// journal is damaged.
pub async fn resume(from: ResumeFrom, resume: Resume) -> Result<RunHandle, RunError> {
    check_valid(&resume.launch)?;
    match from {
        ResumeFrom::Run(directory) => resume_run(&directory, resume, Arc::new(RealDisk)),
        ResumeFrom::Checkpoint { run, name } => {
            let snapshot = named_checkpoint(&run, &name)?;
            let manifest = Manifest::load_to_continue(&Layout::new(run), &resume)?;
            let mut launch = resume.launch;
            Secrets::recover(&manifest.secrets, &launch.inputs)
                .map_err(|missing| RunError::missing_secrets(&manifest.run, missing))?
                .put(&mut launch.inputs);
            let last = snapshot.state.completed.last().cloned();
            let begin = Begin {
                from: snapshot.next.clone().or(last),
                after: snapshot.next.is_none(),
                context: snapshot
                    .state
                    .contexts
                    .flatten(attractor_machine::context::ROOT),
                completed: snapshot.state.completed,
                ..Begin::default()
            };
            let origin = format!("{} at {name}", snapshot.state.run);
            start_on(launch, begin, Arc::new(RealDisk), Some(origin))
        }
        ResumeFrom::File(path) => {
            let checkpoint = if path.is_dir() {
                Checkpoint::latest(&path)?.ok_or_else(|| RunError::NoCheckpoints {
                    folder: path.clone(),
                })?
            } else {
                Checkpoint::load(&path)?
            };
            let origin = path.display().to_string();
            start_on(
                resume.launch,
                begin_at(checkpoint),
                Arc::new(RealDisk),
                Some(origin),
            )
        }
    }
}

/// The node a checkpoint file names next; one that names only a completed node continues after it.
fn begin_at(checkpoint: Checkpoint) -> Begin {
    let done = checkpoint.completed_nodes.last() == Some(&checkpoint.current_node);
    let after = checkpoint.next_node.is_none() && done;
    Begin {
        from: Some(checkpoint.next_node.unwrap_or(checkpoint.current_node)),
        after,
        context: checkpoint.context,
        completed: checkpoint.completed_nodes,
        ..Begin::default()
    }
}

fn named_checkpoint(run: &Path, name: &str) -> Result<Snapshot, RunError> {
    let layout = Layout::new(run.to_owned());
    let path = layout.named(name);
    if path.exists() {
        return Snapshot::load(&path);
    }
    let known = fs::read_dir(layout.checkpoints()).into_iter().flatten();
    let mut known: Vec<String> = known
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some(path.file_stem()?.to_string_lossy().into_owned())
        })
        .collect();
    known.sort();
    Err(RunError::UnknownCheckpoint {
        name: name.to_owned(),
        known,
    })
}

/// Continues with the run in `directory`.
pub(super) fn resume_run(
    directory: &Path,
    resume: Resume,
    disk: Arc<dyn Disk>,
) -> Result<RunHandle, RunError> {
    let layout = Layout::new(directory.to_owned());
    let manifest = Manifest::load_to_continue(&layout, &resume)?;
    let id: RunId = manifest.run.parse().map_err(|error| RunError::Format {
        path: layout.manifest(),
        expected: "the manifest of a run",
        reason: format!("{error}"),
    })?;
    let lock = Lock::acquire(
        directory,
        id.as_str(),
        &time_text(timestamp(resume.launch.clock.as_ref())),
    )?;
    let mut launch = resume.launch;
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone())
        .knowing(Arc::new(Artifacts::new(layout.artifacts())));
    let change = changes::since(&manifest, &layout, &launch)?;
    changes::refuse(change.as_ref(), resume.changes)?;
    let before = change.as_ref().map_or(&plan, |change| &change.before);
    let recovered = recover(before, &layout)?;
    let mut journal = Journal::open(disk.as_ref(), &layout.journal(), recovered.length)?;
    journal.append(&recovered.missing)?;
    if let Some(end) = &recovered.state.end
        && !end.status.is_resumable()
    {
        return Err(RunError::AlreadyEnded {
            run: id.to_string(),
            state: format!("{:?}", end.status).to_lowercase(),
        });
    }
    if let Some(name) = launch
        .inputs
        .keys()
        .find(|name| !manifest.secrets.contains(name))
    {
        return Err(RunError::NotASecret {
            run: id.to_string(),
            name: name.clone(),
        });
    }
    let secrets = Secrets::recover(&manifest.secrets, &launch.inputs)
        .map_err(|missing| RunError::missing_secrets(id.as_str(), missing))?
        .masking(launch.backends.secrets());
    end_left_behind(&id, &recovered.state, &layout)?;
    launch.inputs.clone_from(&manifest.inputs);
    if manifest.mode == ModeName::Simulate {
        launch.mode = Mode::Simulate;
    }
    let limits = launch.limits;
    let points = std::mem::take(&mut *launch.points);
    let ahead = reality_after(&launch, &recovered.state);
    let reality = reality_of(&launch);
    let events = recovered.events();
    let repository = manifest.repository();
    if change.is_some() {
        // What was recorded until now follows from the pipeline as it was.
        let base = recovered.snapshot(&layout)?;
        base.save(&layout.replay_base(), disk.as_ref())?;
    }
    if change.is_some() || resume.foreign == ForeignRuns::Accept {
        manifest
            .renewed(&launch)
            .save(&launch, &layout, disk.as_ref(), &secrets.redactor())?;
    }
    let recorded = load(&layout.journal())?.records;
    let earlier = killed_calls::spent(recorded.iter().map(|record| &record.event));
    let ready = Ready {
        launch,
        secrets,
        id,
        directory: directory.to_owned(),
        plan,
        log: Log::after(recovered.base, recovered.view, events),
        state: recovered.state,
        store: Store::Disk(DiskStore {
            layout,
            journal,
            disk,
            lock,
        }),
        repository,
        reality,
    };
    ready.go_after(
        earlier,
        InputKind::Resumed {
            reality: ahead,
            limits,
            points,
        },
    )
}

/// Ends what an engine that was killed left running: no step runs twice at once.
fn end_left_behind(id: &RunId, state: &State, layout: &Layout) -> Result<(), RunError> {
    let footprints: Vec<PathBuf> = state
        .frames
        .values()
        .flat_map(|frame| footprints_in(&layout.stage(&frame.node_attempt())))
        .collect();
    let beyond = OrphanScope::Footprints(&footprints);
    let left = blocking(|| end_run(id.as_str(), &beyond));
    if left.is_empty() {
        return Ok(());
    }
    Err(RunError::StillRunning {
        run: id.to_string(),
        processes: left,
    })
}
