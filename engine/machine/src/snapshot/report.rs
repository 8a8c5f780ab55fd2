//! The status report of a run, from its snapshot.

use jiff::Timestamp;

use crate::event::{OpenQuestion, StatusReport, VisitedNode};
use crate::question::Question;
use crate::snapshot::{NodeSnapshot, RunSnapshot, Trail};

impl RunSnapshot {
    /// Where the run is at a time.
    pub fn status_report_at(&self, now: Timestamp) -> StatusReport {
        let since = self
            .trail
            .last_transition_at
            .as_deref()
            .unwrap_or(&self.started_at);
        let until = self.ended_at.as_deref().and_then(|time| time.parse().ok());
        let since = since.parse::<Timestamp>().ok().map(|since| {
            let end = until.unwrap_or(now);
            end.as_millisecond().saturating_sub(since.as_millisecond())
        });
        StatusReport {
            plan_id: self.pipeline.clone(),
            plan_name: match self.trail.label.as_str() {
                "" => self.pipeline.clone(),
                label => label.to_owned(),
            },
            run: self.run.clone(),
            mode: "graph".to_owned(),
            state: self.state,
            current_node: self.current.clone(),
            visited: self
                .nodes
                .iter()
                .map(|(id, node)| (id.clone(), visited(node)))
                .collect(),
            path: self.trail.path.iter().cloned().collect(),
            total_nodes: self.total,
            completed_nodes: self.done,
            started_at: self.started_at.clone(),
            pace_level: self.trail.pace_level.clone(),
            last_transition_at: self.trail.last_transition_at.clone(),
            since_transition_ms: since
                .and_then(|since| u64::try_from(since).ok())
                .unwrap_or(0),
            turns_since_transition: self.trail.turns_since_transition,
            stale_after_turns: self.trail.stale_after_turns,
            events: self.trail.recent.iter().cloned().collect(),
            asked: self.questions.iter().map(asked).collect(),
        }
    }

    /// The same, taking what only the report shows out of the snapshot.
    pub fn take_status_report_at(&mut self, now: Timestamp) -> StatusReport {
        let report = self.status_report_at(now);
        self.trail = Trail::default();
        report
    }
}

fn visited(node: &NodeSnapshot) -> VisitedNode {
    VisitedNode {
        outcome: node.state,
        attempts: node.attempts,
    }
}

fn asked(question: &Question) -> OpenQuestion {
    OpenQuestion {
        id: question.id.clone(),
        node: question.node.clone(),
        text: question.text.clone(),
        reviewers: question.reviewers.clone(),
    }
}
