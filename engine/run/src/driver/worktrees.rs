//! The owner's side of folders of branches: which one a frame works in, when it is made, merged and removed.

use std::path::PathBuf;
use std::sync::Arc;

use attractor_machine::frame::Ticket;
use attractor_machine::frame::Worktree;
use attractor_machine::outcome::{FailureClass, Outcome};
use attractor_machine::transition::{Frame, MergeReport};
use tokio_util::sync::CancellationToken;

use super::message::Message;
use super::run_task::{RunTask, Running, blocking};
use crate::file_changes::Recorder;
use crate::handlers::{Work, reasons};
use crate::worktrees::{Place, Worktrees};

/// The folder of a branch, to be made before a node works in it.
pub(super) struct Opening {
    worktrees: Arc<Worktrees>,
    worktree: Worktree,
    /// The folder it is a copy of.
    outer: Option<Worktree>,
    node: String,
    /// Where the node works.
    directory: PathBuf,
}

impl Opening {
    /// Makes the folder; else the outcome of the node.
    pub(super) async fn open(self) -> Result<(), Box<Outcome>> {
        let opened = self.worktrees.open(&self.worktree, self.outer.as_ref());
        if let Err(reason) = opened.await {
            let reason = reasons::no_worktree(&self.worktree.branch, &reason);
            return Err(Box::new(Outcome::fail(FailureClass::Configuration, reason)));
        }
        let place = self.worktrees.place(Some(&self.worktree));
        // Only now can be seen where links lead.
        if place.allows(&self.directory) {
            return Ok(());
        }
        let reason = reasons::outside_root(&self.node, &self.directory, &place.root);
        Err(Box::new(Outcome::fail(FailureClass::Configuration, reason)))
    }
}

impl RunTask {
    /// Where a frame works that has this folder.
    pub(super) fn place_of(&self, worktree: Option<&Worktree>) -> Place {
        match &self.context.worktrees {
            Some(worktrees) => worktrees.place(worktree),
            None => Place {
                root: self.context.environment.root.clone(),
                workdir: self.context.environment.workdir.clone(),
            },
        }
    }

    /// What takes the snapshots of a folder.
    pub(super) fn recorder_of(&self, project: &Recorder, worktree: Option<&Worktree>) -> Recorder {
        match (&self.context.worktrees, worktree) {
            (Some(worktrees), Some(_)) => worktrees.recorder(worktree),
            _ => project.clone(),
        }
    }

    /// The folder of the branch that a ticket's frame is in, if it is there.
    pub(super) fn open_worktree(&self, ticket: Ticket) -> Option<Worktree> {
        let worktree = self.context.state.holder(ticket)?.worktree.as_ref()?;
        let worktrees = self.context.worktrees.as_ref()?;
        worktrees.is_open(worktree).then(|| worktree.clone())
    }

    /// What is to be made before the node of a frame works.
    pub(super) fn opening(&self, frame: &Frame, work: Work<'_>) -> Option<Opening> {
        let worktree = frame.worktree.clone()?;
        let frames = &self.context.state.frames;
        let mut outer = std::iter::successors(Some(frame), |frame| frames.get(&frame.parent?));
        let outer = outer.find(|frame| frame.worktree.as_ref() != Some(&worktree));
        Some(Opening {
            worktrees: Arc::clone(self.context.worktrees.as_ref()?),
            outer: outer.and_then(|frame| frame.worktree.clone()),
            worktree,
            node: frame.node.clone(),
            directory: work.directory(),
        })
    }

    /// Merges what branches changed into the files of a ticket's frame.
    pub(super) fn merge_files(&mut self, ticket: Ticket) {
        let frame = self.context.state.holder(ticket);
        let Some((frame, unmerged)) =
            frame.and_then(|frame| Some((frame, frame.unmerged.clone()?)))
        else {
            return;
        };
        let Some(worktrees) = self.context.worktrees.clone() else {
            return;
        };
        let (at, into) = (frame.node_attempt(), frame.worktree.clone());
        let stage_dir = self.context.store.stage_path(&at);
        let reporter = self.reporter.clone();
        tokio::spawn(async move {
            let merged =
                tokio::task::spawn_blocking(move || match std::fs::create_dir_all(&stage_dir) {
                    Ok(()) => worktrees.merge(into.as_ref(), &unmerged.branches, &stage_dir),
                    Err(error) => failed(error.to_string()),
                });
            let report = merged
                .await
                .unwrap_or_else(|error| failed(error.to_string()));
            // An owner that is gone has ended the run.
            let _ = reporter.send(Message::FilesMerged {
                ticket,
                report: Box::new(report),
            });
        });
        let running = Running {
            stop: CancellationToken::new(),
            sink: None,
            at,
            inbox: None,
            calls_model: false,
            work: Some(self.context.clock.work()),
            worktree: None,
        };
        self.running.insert(ticket, running);
    }

    /// Removes the folders that nobody needs and nothing runs in.
    pub(super) fn remove_unneeded(&mut self) {
        let Some(worktrees) = self.context.worktrees.clone() else {
            return;
        };
        let running = &self.running;
        let is_used = |worktree: &Worktree| {
            let mut all = running.values();
            all.any(|running| running.worktree.as_ref() == Some(worktree))
        };
        let (used, unused) = std::mem::take(&mut self.unneeded)
            .into_iter()
            .partition(is_used);
        self.unneeded = used;
        let unused: Vec<Worktree> = unused;
        for worktree in unused {
            if let Err(error) = blocking(|| worktrees.remove(&worktree)) {
                tracing::warn!(%error, "the folder of a branch stays");
            }
        }
    }
}

fn failed(error: String) -> MergeReport {
    MergeReport {
        error: Some(error),
        ..MergeReport::default()
    }
}
