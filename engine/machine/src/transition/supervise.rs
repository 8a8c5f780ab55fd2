//! Messages to nodes while a run is under way, and the looks of supervisors at their sub-pipelines.
//!
//! A message waits for the next prompt of its node: it is in the state, so it outlives the process.

use serde_json::Value;

use super::steering::{Steering, SteeringTarget};
use super::{Frame, Phase, Transition};
use crate::context::text;
use crate::control::SteeringMessage;
use crate::event::{EventKind, StatusReport};
use crate::frame::FrameId;
use crate::plan::NodeRef;

/// Milliseconds between two looks of a supervisor that says nothing about it.
const POLL_INTERVAL: u64 = 45_000;

/// How a supervisor looks at its sub-pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supervision {
    /// Milliseconds between two looks.
    pub interval: u64,
    observes: bool,
    steers: bool,
    /// Whether it looks again after a look.
    pub waits: bool,
}

impl Supervision {
    /// What a node says about it; `None` when it only waits for the end.
    pub fn of(node_ref: NodeRef<'_>) -> Option<Self> {
        let interval = node_ref
            .millis("manager.poll_interval")
            .filter(|millis| *millis > 0);
        let actions = node_ref.node.attributes.list("manager.actions");
        let has = |name: &str| {
            actions
                .iter()
                .any(|one| one.trim().eq_ignore_ascii_case(name))
        };
        if interval.is_none() && actions.is_empty() {
            return None;
        }
        let supervision = Self {
            interval: interval.unwrap_or(POLL_INTERVAL),
            observes: actions.is_empty() || has("observe"),
            steers: has("steer"),
            waits: actions.is_empty() || has("wait"),
        };
        (supervision.observes || supervision.steers).then_some(supervision)
    }
}

impl Frame {
    /// The name of the sub-pipeline run that this frame waits for.
    pub fn child_run(&self) -> Option<String> {
        let Phase::Calling { iteration, .. } = &self.phase else {
            return None;
        };
        Some(self.child_run_name(*iteration))
    }

    pub(super) fn child_run_name(&self, iteration: u32) -> String {
        let key = self.key(&self.node).replace('/', ":");
        format!("{key}.{}.{iteration}", self.visit)
    }
}

impl Transition<'_> {
    /// Someone has a message for a node: `NODE`, or `GRAPH/NODE` in a sub-pipeline.
    pub(super) fn steered(&mut self, node: String, message: String, by: String) {
        self.emit(EventKind::SteeringInjected {
            to: node.clone(),
            message: message.clone(),
            by: by.clone(),
            at: None,
        });
        self.state.steering.push(Steering {
            to: SteeringTarget::Node(node),
            message: SteeringMessage::new(message, by),
        });
    }

    /// A supervisor looks at its sub-pipeline.
    pub(super) fn observed(&mut self, id: FrameId, child: FrameId, report: &StatusReport) {
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Some((node_ref, supervision)) = self
            .node_ref(&frame)
            .and_then(|node_ref| Some((node_ref, Supervision::of(node_ref)?)))
        else {
            return;
        };
        let is_current = matches!(&frame.phase, Phase::Calling { child: own, .. } if *own == child);
        let Some(name) = frame.child_run().filter(|_| is_current) else {
            return;
        };
        self.emit(EventKind::ChildObserved {
            at: frame.node_attempt(),
            child: name.clone(),
            report: Box::new(report.clone()),
        });
        if supervision.observes || supervision.steers {
            self.keep_report(&frame, report);
        }
        if supervision.steers {
            self.steer_child(id, child, node_ref, &name);
        }
    }

    fn keep_report(&mut self, frame: &Frame, report: &StatusReport) {
        let contexts = &mut self.state.contexts;
        let value = serde_json::to_value(report).unwrap_or(Value::Null);
        contexts.set(frame.scope, "stack.child.report", value);
        let node = report.current_node.as_deref().unwrap_or_default();
        contexts.set(frame.scope, "stack.child.node", node);
        let turns = report.turns_since_transition;
        contexts.set(frame.scope, "stack.child.turns_since_transition", turns);
    }

    /// Sends the steering message of a supervisor, unless it says what the last one said.
    fn steer_child(&mut self, id: FrameId, child: FrameId, node_ref: NodeRef<'_>, name: &str) {
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Some(message) = node_ref.written("manager.steering_message") else {
            return;
        };
        let message = text::plain(self.view(&frame, node_ref), message);
        if frame.steered.as_deref() == Some(&*message) || message.trim().is_empty() {
            return;
        }
        let cooldown = node_ref.millis("manager.steer_cooldown").or_else(|| {
            let millis = node_ref.node.attributes.int("manager.steer_cooldown_ms")?;
            u64::try_from(millis).ok()
        });
        let cooldown = cooldown.unwrap_or(0);
        let clock = self.state.clock;
        let is_early = |sent: u64| clock < sent.saturating_add(cooldown);
        if frame.steered_at.is_some_and(is_early) {
            return;
        }
        self.emit(EventKind::SteeringInjected {
            to: name.to_owned(),
            message: message.clone(),
            by: frame.node.clone(),
            at: None,
        });
        if let Some(frame) = self.frame_mut(id) {
            frame.steered = Some(message.clone());
            frame.steered_at = Some(clock);
        }
        self.state.steering.push(Steering {
            to: SteeringTarget::Frame(child),
            message: SteeringMessage::new(message, frame.node.as_str()),
        });
    }

    /// Gives a frame the messages that wait for the prompt it begins. Returns those that another node left unread.
    pub(super) fn take_messages(&mut self, id: FrameId) -> Vec<SteeringMessage> {
        let Some(frame) = self.frame(id) else {
            return Vec::new();
        };
        let key = frame.key(&frame.node);
        // Those of a sub-pipeline are for every frame in it: its branches too.
        let ancestors: Vec<FrameId> =
            std::iter::successors(Some(id), |id| self.frame(*id)?.parent).collect();
        let is_for = |steering: &Steering| match &steering.to {
            SteeringTarget::Node(node) => *node == key,
            SteeringTarget::Frame(frame) => ancestors.contains(frame),
            SteeringTarget::Next(waiting) => {
                let mut left = waiting.iter();
                match left.position(|one| self.state.frames.contains_key(one)) {
                    Some(0) => waiting.first().is_some_and(|one| ancestors.contains(one)),
                    // Other branches of a frame that waits are not what it continues with.
                    Some(index) => waiting.get(index) == Some(&id),
                    None => false,
                }
            }
        };
        let (taken, rest) = std::mem::take(&mut self.state.steering)
            .into_iter()
            .partition(is_for);
        self.state.steering = rest;
        let taken: Vec<Steering> = taken;
        let is_deferred = |one: &&Steering| matches!(one.to, SteeringTarget::Next(_));
        let deferred = taken.iter().filter(is_deferred);
        let deferred = deferred.map(|one| one.message.clone()).collect();
        if let Some(frame) = self.frame_mut(id) {
            frame
                .messages
                .extend(taken.into_iter().map(|one| one.message));
        }
        deferred
    }
}

#[cfg(test)]
mod tests {
    use attractor_model::Pipeline;

    use crate::event::{EventKind, StatusReport};
    use crate::plan::Plan;
    use crate::transition::{Begin, Effect, Input, InputKind, Phase, State, next};

    /// The seconds at which a message is sent, when the supervisor looks at these seconds and sees another node each time.
    fn sent(attributes: &str, looks: &[u64]) -> Vec<u64> {
        let dot = format!(
            "digraph main {{ s [shape=Mdiamond]; e [shape=Msquare]; s -> watch -> e
               watch [shape=house, sub_pipeline=child, manager.actions=steer, manager.steering_message=\"{{stack.child.node}}\", {attributes}] }}
             digraph child {{ c [start=true, command=ls]; d [shape=Msquare]; c -> d }}"
        );
        let pipelines = Pipeline::from_text(&dot);
        let plan = Plan::new(pipelines[0].clone(), pipelines);
        let step = |state: State, second: u64, kind: InputKind| {
            let (at, now) = (second * 1000, 0);
            next(&plan, state, Input { at, now, kind })
        };
        let begin = Begin {
            run: "R".to_owned(),
            ..Begin::default()
        };
        let (mut state, mut out) = step(State::default(), 0, InputKind::Start(Box::new(begin)));
        // The start node of the main pipeline.
        while let Some(Effect::Execute(ticket)) = out
            .iter()
            .find(|effect| matches!(effect, Effect::Execute(_)))
            .filter(|_| state.frames.len() == 1)
            .cloned()
        {
            let outcome = Box::default();
            let jitter = 1000;
            (state, out) = step(
                state,
                0,
                InputKind::Finished {
                    ticket,
                    outcome,
                    jitter,
                    unread: Vec::new(),
                },
            );
        }
        let calling = state
            .frames
            .iter()
            .find_map(|(id, frame)| match frame.phase {
                Phase::Calling { child, .. } => Some((*id, child)),
                _ => None,
            });
        let (frame, child) = calling.unwrap();
        let mut sent = Vec::new();
        for second in looks {
            let report = Box::new(StatusReport {
                current_node: Some(format!("node{second}")),
                ..StatusReport::default()
            });
            let observed = InputKind::Observed {
                frame,
                child,
                report,
            };
            (state, out) = step(state, *second, observed);
            let is_message = |effect: &Effect| matches!(effect, Effect::Emit(event) if matches!(**event, EventKind::SteeringInjected { .. }));
            sent.extend(out.iter().any(is_message).then_some(*second));
        }
        sent
    }

    #[test]
    fn a_cooldown_separates_messages() {
        let looks = [1, 5, 11, 12, 30];
        assert_eq!(sent("", &looks), looks);
        assert_eq!(sent("manager.steer_cooldown=10s", &looks), [1, 11, 30]);
        assert_eq!(sent("manager.steer_cooldown_ms=10000", &looks), [1, 11, 30]);
    }
}
