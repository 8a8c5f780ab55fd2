//! The attempts of nodes, from the events of a run.

use std::collections::HashMap;

use super::AttemptRecord;
use crate::event::{Event, EventKind, NodeAttempt};
use crate::outcome::{FailureClass, ModelCall, Usage};
use crate::snapshot::elapsed_ms;

/// The attempts that have ended. What a run has from the one it was forked from counts for that one only.
pub fn attempts(events: &[Event]) -> Vec<AttemptRecord> {
    let mut collector = Collector::default();
    for event in events {
        collector.apply(event);
    }
    collector.attempts
}

#[derive(Default)]
struct Collector {
    attempts: Vec<AttemptRecord>,
    /// Open questions: when they were asked.
    asked: HashMap<NodeAttempt, String>,
    /// Milliseconds that the attempts under way have waited for people.
    waited: HashMap<NodeAttempt, u64>,
}

impl Collector {
    fn apply(&mut self, event: &Event) {
        match &event.kind {
            EventKind::PipelineForked { .. } => *self = Self::default(),
            EventKind::InterviewStarted { at, .. } => {
                self.asked.insert(at.clone(), event.time.clone());
            }
            EventKind::InterviewCompleted { at, .. }
            | EventKind::InterviewTimeout { at, .. }
            | EventKind::InterviewWithdrawn { at, .. } => {
                if let Some(since) = self.asked.remove(at) {
                    *self.waited.entry(at.clone()).or_default() += elapsed_ms(&since, &event.time);
                }
            }
            EventKind::StageCompleted {
                at,
                duration_ms,
                usage,
                model,
                ..
            } => self.end(at, None, *duration_ms, usage, model.as_deref()),
            EventKind::StageFailed {
                at,
                class,
                duration_ms,
                usage,
                model,
                ..
            } => self.end(at, Some(*class), *duration_ms, usage, model.as_deref()),
            _ => {}
        }
    }

    fn end(
        &mut self,
        at: &NodeAttempt,
        failure: Option<FailureClass>,
        duration_ms: u64,
        usage: &Usage,
        call: Option<&ModelCall>,
    ) {
        // While no process owns a run its clock is stopped: a person may have taken longer than the attempt.
        let people_ms = self.waited.remove(at).unwrap_or_default().min(duration_ms);
        self.attempts.push(AttemptRecord {
            node: at.node.clone(),
            graph: at.graph.clone(),
            branch: at.branch.clone(),
            visit: at.visit,
            attempt: at.attempt,
            failure,
            active_ms: duration_ms - people_ms,
            people_ms,
            cost: usage.cost,
            tokens: usage.tokens(),
            model: call.and_then(|call| call.model.clone()),
            definition: None,
        });
    }
}
