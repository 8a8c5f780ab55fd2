//! What an owner keeps besides the journal, and how a run ends: everything it started is stopped, and
//! everyone gets the report.

use std::time::Duration;

use attractor_machine::context::ROOT;
use attractor_machine::event::{EventKind, NodeAttempt};
use attractor_machine::outcome::{Failure, FailureClass};
use attractor_machine::report::RunReport;
use attractor_machine::transition::End;
use tokio::time::Instant;

use super::message::Message;
use super::run_task::{CHECKPOINT_SHARE, RunTask, blocking};
use crate::error::RunError;
use crate::replay::time::seconds;
use crate::store::checkpoint_file::Checkpoint;
use crate::store::{Record, Snapshot, Store};
use attractor_model::RunState;

/// How long tasks have to end once they were asked to; processes need two seconds to be killed.
const LAST_CALL: Duration = Duration::from_secs(6);

impl RunTask {
    pub(super) fn keep(&self, name: Option<&str>) -> Result<(), RunError> {
        if matches!(self.context.store, Store::Memory) {
            return Ok(());
        }
        let view = self.context.handle.snapshot();
        let position = self.context.store.position();
        let snapshot = Snapshot::of(&self.context.state, view, position);
        blocking(|| self.context.store.keep(&snapshot, name))
    }

    pub(super) fn snapshot_if_due(&mut self) -> Result<(), RunError> {
        if self.context.state.steps < self.next_snapshot {
            return Ok(());
        }
        self.next_snapshot = self.context.state.steps + self.context.state.steps / CHECKPOINT_SHARE;
        self.keep(None)
    }

    /// The node of the main frame that these events complete.
    pub(super) fn node_done(&self, records: &[Record]) -> Option<NodeAttempt> {
        self.context.checkpoint_dir.as_ref()?;
        records.iter().find_map(|record| match &record.event.kind {
            EventKind::StageCompleted { at, .. }
            | EventKind::StageFailed {
                at,
                will_retry: false,
                ..
            } if at.graph.is_none() && at.branch.is_none() => Some(at.clone()),
            _ => None,
        })
    }

    /// Writes a checkpoint file for other programs, if someone wants them.
    pub(super) fn export(&mut self, done: Option<NodeAttempt>) -> Result<(), RunError> {
        let (Some(folder), Some(at), Store::Disk(store)) =
            (&self.context.checkpoint_dir, done, &self.context.store)
        else {
            return Ok(());
        };
        let checkpoint = self.checkpoint(at.node.clone());
        let path = checkpoint.save_on(store.disk.as_ref(), folder)?;
        // Nothing follows the event that ends a run.
        if self.context.state.is_over() {
            return Ok(());
        }
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let event = self.stamp(EventKind::CheckpointSaved { at, name });
        let records = [Record { event, input: None }];
        self.context.store.append_lazily(&records)?;
        let events = records.into_iter().map(|record| record.event);
        self.context.handle.publish(events);
        Ok(())
    }

    /// Where the run is, for readers.
    pub(super) fn inspect(&self) -> Checkpoint {
        let state = &self.context.state;
        let main = state.frames.values().find(|frame| frame.parent.is_none());
        let node = main.map(|frame| &frame.node).or(state.path.last());
        let mut checkpoint = self.checkpoint(node.cloned().unwrap_or_default());
        for value in checkpoint.context.values_mut() {
            self.redactor.value(value);
        }
        checkpoint
    }

    fn checkpoint(&self, current_node: String) -> Checkpoint {
        let state = &self.context.state;
        Checkpoint {
            pipeline_name: self.context.plan.root().name.clone(),
            next_node: state.next_node(),
            current_node,
            context: state.contexts.flatten(ROOT),
            completed_nodes: state.succeeded_nodes(),
            timestamp: seconds(self.now()),
        }
    }

    /// Waits for everything that was asked to stop.
    pub(super) async fn shut_down(&mut self) {
        self.interviews.close(LAST_CALL).await;
        for running in self.running.values() {
            running.stop.cancel();
        }
        let deadline = Instant::now() + LAST_CALL;
        while !self.running.is_empty() {
            let message = tokio::time::timeout_at(deadline, self.reports.recv()).await;
            let message = match message {
                Ok(Some(Message::Timer { report, .. })) => Ok(Some(*report)),
                message => message,
            };
            match message {
                Ok(Some(
                    Message::Finished { ticket, .. }
                    | Message::FilesMerged { ticket, .. }
                    | Message::Due { ticket }
                    | Message::TimedOut { ticket, .. }
                    | Message::Stopped { ticket },
                )) => {
                    self.running.remove(&ticket);
                }
                Ok(Some(
                    Message::Output
                    | Message::Progress { .. }
                    | Message::Ask { .. }
                    | Message::Withdrawn { .. }
                    | Message::Interviewed { .. }
                    | Message::Timer { .. },
                )) => {}
                Ok(None) | Err(_) => break,
            }
        }
    }

    pub(super) fn finish(&mut self) -> RunReport {
        if let Err(error) = self.keep(None) {
            tracing::warn!(%error, "the last checkpoint could not be written; the journal is complete");
        }
        let end = self.context.state.end.clone().unwrap_or(End {
            status: RunState::Success,
            failure: None,
            frames: std::collections::BTreeMap::new(),
        });
        self.report(end)
    }

    /// The journal cannot be written: everyone is notified, and nothing more is claimed.
    pub(super) fn break_down(&mut self, error: &RunError) -> RunReport {
        let then = if error.is_lost() {
            "The records of this run are lost: it cannot be resumed, run the pipeline again"
                .to_owned()
        } else {
            "Everything up to the last recorded step is safe: free disk space and resume the run"
                .to_owned()
        };
        let failure = Failure {
            node: None,
            stopped: None,
            reason: format!("{error}. {then}"),
            class: FailureClass::Internal,
        };
        let event = self.stamp(EventKind::PipelineFailed {
            failure: failure.clone(),
            steps: self.context.state.steps,
            duration_ms: self.clock(),
        });
        self.context.handle.publish([event]);
        self.report(End {
            status: RunState::Fail,
            failure: Some(failure),
            frames: std::collections::BTreeMap::new(),
        })
    }

    pub(super) fn report(&self, end: End) -> RunReport {
        let state = &self.context.state;
        let mut context = state.contexts.flatten(ROOT);
        for value in context.values_mut() {
            self.redactor.value(value);
        }
        let reality = self.context.handle.snapshot().reality;
        RunReport {
            run: self.context.handle.id().to_string(),
            pipeline: self.context.plan.root().name.clone(),
            status: end.status,
            steps: state.steps,
            path: state.path.clone(),
            completed_nodes: state.completed.clone(),
            context,
            failure: end.failure,
            diagnostics: Vec::new(),
            duration_ms: state.clock,
            usage: state.usage,
            simulated: reality.is_simulated(),
            reality: Some(reality),
        }
    }
}
