//! What happened last in a run, and how far it is in its workflow: a fold over its events.

use std::collections::VecDeque;

use attractor_model::NodeKind;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::event::{Event, EventKind, NodeAttempt, RecentEvent};

/// Nodes of the path that are kept.
const MAX_PATH: usize = 100;
/// Events that are kept.
const MAX_RECENT: usize = 5;

/// The latest part of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trail {
    /// The label of the pipeline.
    pub label: String,
    /// The nodes in the order in which they were entered.
    pub path: VecDeque<String>,
    /// The level of the last escalation.
    pub pace_level: Option<String>,
    /// When the run last went to another node.
    pub last_transition_at: Option<String>,
    /// Model turns since then.
    pub turns_since_transition: u32,
    /// After how many of them the run expires.
    pub stale_after_turns: Option<u32>,
    /// When the last event was.
    pub last_event_at: String,
    /// Milliseconds between the end of a process and the beginning of the next one, and those that the run was paused.
    pub paused_ms: u64,
    /// The latest events, without output.
    pub recent: VecDeque<RecentEvent>,
    /// Model nodes that are under way.
    turning: Vec<NodeAttempt>,
    /// Attempts that were started and have no result. A run that is resumed starts them again.
    open: Vec<NodeAttempt>,
}

impl Trail {
    /// Whether nothing has happened yet.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The model turns since the last transition, where the run expires before the next one.
    pub fn stale(&self) -> Option<u32> {
        let most = self.stale_after_turns?;
        (self.turns_since_transition >= most).then_some(most)
    }

    /// Milliseconds from one time to another, without the pauses.
    pub(crate) fn active_ms(&self, since: &str, until: &str) -> u64 {
        elapsed_ms(since, until).saturating_sub(self.paused_ms)
    }

    /// Whether this event enters a node: it starts a visit that the run has not begun before it was resumed.
    pub(crate) fn is_entered(&self, event: &EventKind) -> bool {
        matches!(event, EventKind::StageStarted { at, .. } if at.attempt == 1 && !self.open.contains(at))
    }

    /// Takes in the next event.
    pub(crate) fn apply(&mut self, event: &Event) {
        if matches!(event.kind, EventKind::PipelineResumed { .. }) {
            self.paused_ms += elapsed_ms(&self.last_event_at, &event.time);
        }
        self.last_event_at.clone_from(&event.time);
        match &event.kind {
            EventKind::PipelineStarted {
                label,
                stale_after_turns,
                ..
            } => {
                self.label.clone_from(label);
                self.stale_after_turns = *stale_after_turns;
            }
            EventKind::StageStarted { at, kind, .. } => {
                if self.is_entered(&event.kind) && at.graph.is_none() {
                    push(&mut self.path, at.node.clone(), MAX_PATH);
                }
                if !self.open.contains(at) {
                    self.open.push(at.clone());
                }
                if NodeKind::from_name(kind).is_some_and(NodeKind::calls_model) {
                    self.turning.push(at.clone());
                }
            }
            EventKind::StageCompleted { at, .. } | EventKind::StageFailed { at, .. } => {
                self.open.retain(|open| open != at);
                if let Some(index) = self.turning.iter().position(|turn| turn == at) {
                    self.turning.swap_remove(index);
                    self.turns_since_transition += 1;
                }
            }
            EventKind::AgentModelCall { at, .. } => {
                // The turns of an agent count one by one, and its attempt no more.
                self.turning.retain(|turn| turn != at);
                self.turns_since_transition += 1;
                return;
            }
            EventKind::EdgeSelected { from, to, .. } if from != to => {
                self.turns_since_transition = 0;
                self.last_transition_at = Some(event.time.clone());
            }
            EventKind::Escalated { level, .. } => self.pace_level = Some(level.clone()),
            EventKind::PipelineResumed { .. } => self.turning.clear(),
            EventKind::PipelineContinued { paused_ms, .. } => self.paused_ms += paused_ms,
            EventKind::PipelineForked { .. } => {
                self.turning.clear();
                self.open.clear();
                self.path.pop_back();
            }
            EventKind::StageOutput { .. }
            | EventKind::AgentToolCallStart { .. }
            | EventKind::AgentToolCallEnd { .. }
            | EventKind::AgentToolHook { .. }
            | EventKind::AgentNotice { .. }
            | EventKind::AgentPlan { .. }
            | EventKind::AgentProgress { .. }
            | EventKind::StatusReport { .. } => return,
            _ => {}
        }
        push(&mut self.recent, recent(event), MAX_RECENT);
    }
}

/// Milliseconds between two times, RFC 3339; 0 where one is missing.
pub fn elapsed_ms(since: &str, until: &str) -> u64 {
    let parsed = |time: &str| time.parse::<Timestamp>().ok();
    let elapsed = parsed(since).zip(parsed(until)).map(|(since, until)| {
        until
            .as_millisecond()
            .saturating_sub(since.as_millisecond())
    });
    elapsed.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(0)
}

fn push<T>(list: &mut VecDeque<T>, item: T, most: usize) {
    if list.len() == most {
        list.pop_front();
    }
    list.push_back(item);
}

fn recent(event: &Event) -> RecentEvent {
    let (node, to) = match &event.kind {
        EventKind::EdgeSelected { from, to, .. } => (Some(from.clone()), Some(to.clone())),
        EventKind::PipelineStarted { start, .. } => (None, Some(start.clone())),
        kind => (kind.node_attempt().map(|at| at.node.clone()), None),
    };
    RecentEvent {
        seq: event.seq,
        time: event.time.clone(),
        name: event.name(),
        node: node.filter(|node| !node.is_empty()),
        to: to.filter(|to| !to.is_empty()),
    }
}
