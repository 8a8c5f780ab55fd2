//! The end of a walk: goal gates, escalations, counted loops and named checkpoints.

use std::collections::BTreeMap;

use attractor_lang::condition::{Facts, evaluate, parse, pieces};
use attractor_model::{Attribute, Node, NodeKind, Pipeline};

use super::finish::completes;
use super::route::{Way, retry_target};
use super::{Effect, End, Frame, FrameEnd, Task, Transition};
use crate::context::{ROOT, text};
use crate::event::{EventKind, Rule};
use crate::frame::FrameId;
use crate::outcome::{Failure, FailureClass, Outcome, Status};
use crate::plan::NodeRef;
use crate::transition::reasons;
use attractor_model::RunState;

impl Transition<'_> {
    /// A terminal node is content: look at the goals, then end the frame or send it back.
    pub(super) fn at_terminal(&mut self, id: FrameId, frame: &Frame) {
        let Some(pipeline) = self.plan.graph(frame.graph.as_deref()) else {
            return;
        };
        let in_branch = frame.branch.is_some() && frame.graph.is_none();
        if !in_branch {
            if let Some(gate) = self.unmet_gate(frame, pipeline) {
                self.send_back(id, frame, pipeline, gate);
                return;
            }
            self.observe_goals(frame, pipeline);
        }
        self.todo.push_back(Task::Leave {
            frame: id,
            end: FrameEnd::Done,
        });
    }

    /// The first visited goal gate that has not ended in success.
    fn unmet_gate<'n>(&self, frame: &Frame, pipeline: &'n Pipeline) -> Option<&'n Node> {
        pipeline.nodes.iter().find(|node| {
            node.attributes.bool("goal_gate").unwrap_or(false)
                && self
                    .state
                    .nodes
                    .get(&frame.key(&node.id))
                    .is_some_and(|record| match &record.status {
                        Some(status) => !matches!(
                            status,
                            Status::Success | Status::PartialSuccess | Status::Custom(_)
                        ),
                        None => record.visits > record.forgotten,
                    })
        })
    }

    fn send_back(&mut self, id: FrameId, frame: &Frame, pipeline: &Pipeline, gate: &Node) {
        let most = pipeline
            .attributes
            .int("max_goal_gate_redirects")
            .and_then(|most| u32::try_from(most).ok())
            .unwrap_or(3);
        let node_ref = self.plan.node_ref(frame.graph.as_deref(), &gate.id);
        let target = node_ref.and_then(retry_target);
        let unmet = vec![reasons::gate_unmet(&gate.id)];
        match target {
            Some(target) if frame.redirects < most => {
                if let Some(frame) = self.frame_mut(id) {
                    frame.redirects += 1;
                }
                self.emit(EventKind::GoalGateUnmet {
                    unmet,
                    redirect: Some(target.to.clone()),
                });
                self.go(id, frame, Way::jump(&target.to, Rule::GoalGate));
            }
            target => {
                let reason = match target {
                    Some(_) => reasons::gate_gave_up(&gate.id, most),
                    None => reasons::gate_without_target(&gate.id),
                };
                self.emit(EventKind::GoalGateUnmet {
                    unmet,
                    redirect: None,
                });
                self.todo.push_back(Task::Leave {
                    frame: id,
                    end: FrameEnd::Failed(Failure {
                        node: Some(gate.id.to_string()),
                        stopped: None,
                        reason,
                        class: FailureClass::Deterministic,
                    }),
                });
            }
        }
    }

    /// `goal_required_nodes` and `goal_conditions` are noted, never enforced.
    fn observe_goals(&mut self, frame: &Frame, pipeline: &Pipeline) {
        let is_done = |node: &str| {
            let record = self.state.nodes.get(&frame.key(node));
            let status = record.and_then(|record| record.status.as_ref());
            let node_ref = self.plan.node_ref(frame.graph.as_deref(), node);
            status
                .zip(node_ref)
                .is_some_and(|(status, node_ref)| completes(node_ref, status))
        };
        let mut unmet: Vec<String> = pipeline
            .attributes
            .list("goal_required_nodes")
            .into_iter()
            .filter(|node| !is_done(node))
            .map(|node| reasons::required_node(&node))
            .collect();
        let contexts = &self.state.contexts;
        let view = contexts
            .view(frame.scope, pipeline)
            .with_large_values(self.plan.large_values());
        let conditions = pipeline
            .attributes
            .text("goal_conditions")
            .unwrap_or_default();
        for condition in pieces(conditions)
            .into_iter()
            .filter_map(|bytes| conditions.get(bytes))
        {
            if condition.is_empty() {
                continue;
            }
            let facts = Facts {
                context: &view,
                status: Status::Success,
                retries_left: false,
                labels: &[],
            };
            if !evaluate(&parse(condition).0, &facts).value {
                unmet.push(reasons::required_condition(condition));
            }
        }
        if unmet.is_empty() {
            return;
        }
        self.state
            .contexts
            .set(frame.scope, "_goal_gate_unmet", unmet.clone());
        self.emit(EventKind::GoalGateUnmet {
            unmet,
            redirect: None,
        });
    }

    /// An escalate node: raises the level, and ends the run unless an edge leads on.
    pub(super) fn escalate(&mut self, id: FrameId, frame: &Frame, node_ref: NodeRef<'_>) {
        let level = node_ref
            .node
            .attributes
            .text("pace_level")
            .unwrap_or("contingent")
            .trim()
            .to_lowercase();
        let reason = node_ref.written("reason").map_or_else(
            || node_ref.node.label().to_string(),
            |reason| text::plain(self.view(frame, node_ref), reason),
        );
        let ends = node_ref.outgoing().next().is_none();
        self.state
            .contexts
            .set(frame.scope, "_pace_level", level.as_str());
        let escalated = EventKind::Escalated {
            at: frame.node_attempt(),
            level: level.clone(),
            reason: reason.clone(),
            ends,
        };
        if !ends {
            self.emit(escalated);
            self.finish(
                id,
                Outcome {
                    notes: reason,
                    ..Outcome::default()
                },
            );
            return;
        }
        self.state.contexts.set(ROOT, "_pace_level", level.as_str());
        self.emit(EventKind::StageCompleted {
            at: frame.node_attempt(),
            status: Status::Success,
            duration_ms: 0,
            summary: reason.clone(),
            usage: crate::outcome::Usage::default(),
            model: None,
        });
        self.emit(escalated);
        self.state.leave(frame, false, Some(reason.clone()));
        self.state.completed.push(frame.node.clone());
        self.end_run(End {
            status: RunState::Escalated,
            failure: Some(Failure {
                node: Some(frame.node.clone()),
                stopped: None,
                reason,
                class: FailureClass::Deterministic,
            }),
            frames: BTreeMap::new(),
        });
    }

    /// Where the end of a counted loop goes back to, if there is another round.
    pub(super) fn next_round(
        &mut self,
        id: FrameId,
        node_ref: NodeRef<'_>,
        outcome: &Outcome,
    ) -> Option<String> {
        if node_ref.node.kind != NodeKind::Loop
            || !is_loop_end(node_ref.node)
            || outcome.status.is_failure()
        {
            return None;
        }
        let loop_id = node_ref.written("loop_id")?.trim();
        let begin = loop_begin(node_ref)?.node;
        let limit = |node: &Node| {
            node.attributes
                .int("loop_max")
                .and_then(|most| u32::try_from(most).ok())
        };
        let most = limit(node_ref.node).or_else(|| limit(begin));
        let loops = &mut self.frame_mut(id)?.loops;
        let rounds = loops.get(loop_id).copied().unwrap_or(0) + 1;
        let ended = outcome
            .output
            .get("loop")
            .is_some_and(|word| word == "ended");
        let bounded = most.is_some() || outcome.output.get("loop").is_some();
        if ended || !bounded || most.is_some_and(|most| rounds >= most) {
            loops.remove(loop_id);
            return None;
        }
        loops.insert(loop_id.to_owned(), rounds);
        Some(begin.id.to_string())
    }

    /// A loop that is entered from outside counts from the beginning, no matter how it was left before.
    pub(super) fn reset_loop(&mut self, id: FrameId, way: &Way) {
        if way.rule == Rule::Loop {
            return;
        }
        let Some(frame) = self.frame(id).filter(|frame| !frame.loops.is_empty()) else {
            return;
        };
        let begin = self
            .plan
            .node_ref(frame.graph.as_deref(), &way.to)
            .filter(|node_ref| node_ref.node.kind == NodeKind::Loop && !is_loop_end(node_ref.node));
        if let Some(loop_id) = begin.and_then(|node_ref| node_ref.written("loop_id"))
            && let Some(frame) = self.frame_mut(id)
        {
            frame.loops.remove(loop_id.trim());
        }
    }

    /// Keeps the state under the name of a checkpoint node.
    pub(super) fn keep(&mut self, frame: &Frame, node_ref: NodeRef<'_>) {
        let name = node_ref
            .written("name")
            .map_or_else(|| frame.node.clone(), str::to_owned);
        self.emit(EventKind::CheckpointSaved {
            at: frame.node_attempt(),
            name: name.clone(),
        });
        self.out.push(Effect::Keep { name });
    }
}

/// The other end of the loop that ends at a node.
pub fn loop_begin(end: NodeRef<'_>) -> Option<NodeRef<'_>> {
    let loop_id = end.written("loop_id")?.trim();
    let begin = end.pipeline.nodes.iter().find(|node| {
        let same = |other: Attribute<'_>| other.value().trim() == loop_id;
        node.kind == NodeKind::Loop
            && !is_loop_end(node)
            && node.attributes.get("loop_id").is_some_and(same)
    })?;
    end.at(&begin.id)
}

/// Whether a loop node is the end of its loop: it says so, or its shape does.
pub fn is_loop_end(node: &Node) -> bool {
    let written = |name| {
        node.attributes
            .get(name)
            .map(|attribute| attribute.value().trim())
    };
    match written("handler") {
        Some("loop.end" | "loop_end") => true,
        Some("loop.begin" | "loop_begin") => false,
        _ => written("shape").is_some_and(|shape| shape.eq_ignore_ascii_case("invtrapezium")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::transition::{Begin, Input, InputKind, NodeRecord, State, next};

    fn plan(statements: &str) -> Plan {
        let dot =
            format!("digraph {{ goal=x; s [shape=Mdiamond]; e [shape=Msquare]; {statements} }}");
        let pipelines = Pipeline::from_text(&dot);
        Plan::new(pipelines[0].clone(), pipelines)
    }

    #[test]
    fn the_end_of_a_loop_is_named_by_its_handler_else_by_its_shape() {
        for (attributes, ends) in [
            ("handler=\"loop.end\"", true),
            ("handler=loop_end", true),
            ("handler=\"loop.begin\", shape=invtrapezium", false),
            ("handler=loop_begin, shape=invtrapezium", false),
            ("handler=\"loop.end\", shape=trapezium", true),
            ("shape=invtrapezium", true),
            ("shape=InvTrapezium", true),
            ("shape=trapezium", false),
            ("handler=loop", false),
        ] {
            let plan = plan(&format!("n [loop_id=l, {attributes}]"));
            let node_ref = plan.node_ref(None, "n").unwrap();
            assert_eq!(is_loop_end(node_ref.node), ends, "{attributes}");
        }
    }

    #[test]
    fn the_beginning_of_a_loop_is_a_loop_node_of_the_same_loop_that_is_not_a_end() {
        let plan = plan(
            "work [prompt=x, loop_id=l]; other [shape=trapezium, loop_id=m]; end [shape=invtrapezium, loop_id=\" l \"]; \
             begin [shape=trapezium, loop_id=l]; alone [shape=invtrapezium, loop_id=z]",
        );
        let begin = |end: &str| {
            let begin = loop_begin(plan.node_ref(None, end).unwrap());
            begin.map(|begin| begin.node.id.to_string())
        };
        assert_eq!(begin("end").as_deref(), Some("begin"));
        assert_eq!(begin("alone"), None);
    }

    /// The goal gate that is unmet at the end, when the record of the gate `g` is this.
    fn unmet(record: Option<NodeRecord>) -> bool {
        let plan = plan("g [prompt=x, goal_gate=true]; s -> g -> e");
        let begin = Begin {
            run: "R".to_owned(),
            ..Begin::default()
        };
        let kind = InputKind::Start(Box::new(begin));
        let start = Input {
            at: 0,
            now: 0,
            kind,
        };
        let (mut state, _) = next(&plan, State::default(), start);
        state.nodes.remove("g");
        if let Some(record) = record {
            state.nodes.insert("g".to_owned(), record);
        }
        let frame = state.frames.values().next().unwrap().clone();
        let transition = Transition {
            plan: &plan,
            state,
            out: Vec::new(),
            todo: std::collections::VecDeque::new(),
            jitter: 1000,
            noticed: None,
        };
        transition.unmet_gate(&frame, plan.root()).is_some()
    }

    #[test]
    fn a_goal_gate_that_was_entered_must_have_ended_in_success() {
        let record = |visits, forgotten, status| NodeRecord {
            visits,
            forgotten,
            status,
            ..NodeRecord::default()
        };
        assert!(!unmet(None));
        assert!(!unmet(Some(record(1, 0, Some(Status::Success)))));
        assert!(!unmet(Some(record(1, 0, Some(Status::PartialSuccess)))));
        assert!(unmet(Some(record(1, 0, Some(Status::Fail)))));
        // Entered and left without a result, as a branch that is not waited for.
        assert!(unmet(Some(record(1, 0, None))));
        assert!(unmet(Some(record(3, 2, None))));
        // Not entered since the run began again.
        assert!(!unmet(Some(record(2, 2, None))));
    }

    #[test]
    fn an_escalation_that_leads_on_says_why() {
        let plan = plan("x [shape=octagon, reason=\"too hard\"]; x -> e; s -> x");
        let begin = Begin {
            run: "R".to_owned(),
            from: Some("x".to_owned()),
            ..Begin::default()
        };
        let kind = InputKind::Start(Box::new(begin));
        let start = Input {
            at: 0,
            now: 0,
            kind,
        };
        let (_, commands) = next(&plan, State::default(), start);
        let summary = commands.iter().find_map(|command| match command {
            Effect::Emit(event) => match &**event {
                EventKind::StageCompleted { at, summary, .. } if at.node == "x" => Some(summary),
                _ => None,
            },
            _ => None,
        });
        assert_eq!(summary.map(String::as_str), Some("too hard"));
    }
}
