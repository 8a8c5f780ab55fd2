//! The pure core: what a run does next.
//!
//! [`next`] takes the state and one input and gives the new state and what to do. There is no clock, no
//! chance and no IO in here: the same inputs give the same bytes, so a run can be replayed from its
//! journal, simulated, and tested without waiting. An input that changes anything emits at least one
//! event; an input without an event was late and changed nothing.
//!
//! One file per question: `begin` (a run starts or continues), `end` (it stops), `enter` (may this node run, and
//! how), `finish` (what its outcome means), `merge` (what it leaves in the context), `postconditions`, `retry`, `route`, `crossing` and
//! `on_failure` (where to), `gates` (people), `node_questions` (questions of
//! handlers), `forked` (a run continues the history of another one), `split`, `join_point`, `join` and `collect` (branches), `merge_files` (what branches
//! changed in folders of their own), `call` and `call_inputs`
//! (sub-pipelines), `deadline` (of both), `clock`, `timer` and `wait` (what is due at a time), `pausing`, `hold`, `pause_notice` and `pause_points` (a user holds the run), `drop`,
//! `restart`, `goals`, `limits`.

mod begin;
mod branches;
mod call;
mod call_inputs;
mod clock;
mod collect;
mod crossing;
mod deadline;
mod drop;
mod effect;
mod end;
mod enter;
mod evidence;
mod finish;
mod forked;
mod gate_question;
mod gates;
mod goals;
mod hold;
mod input;
mod join;
mod join_point;
mod limits;
mod merge;
mod merge_files;
mod no_route;
mod node_question;
mod node_questions;
mod on_failure;
mod pause_notice;
mod pause_points;
mod pausing;
mod postconditions;
mod rate_limit;
pub mod reasons;
mod record;
mod restart;
mod retry;
mod route;
#[cfg(test)]
mod schedules;
mod split;
mod state;
mod steer;
mod steering;
mod supervise;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod timer;
mod unmerged;
#[cfg(test)]
mod validator_parity;
mod wait;

use std::collections::VecDeque;

use crate::context::View;
use crate::control::SteeringMessage;
use crate::event::EventKind;
use crate::frame::FrameId;
use crate::outcome::{Failure, FailureClass, Outcome};
use crate::plan::{NodeRef, Plan};

pub use effect::Effect;
pub use goals::{is_loop_end, loop_begin};
pub use input::{Begin, Input, InputKind, RunWarning};
pub use limits::{max_duration, remaining_budget};
pub use pausing::{Paused, Pausing};
pub use record::NodeRecord;
pub use retry::RetryPolicy;
pub use state::{End, Frame, LeftNode, Phase, State};
pub use supervise::Supervision;
pub use unmerged::{MergeReport, Unmerged};

/// Takes one input in.
pub fn next(plan: &Plan, state: State, input: Input) -> (State, Vec<Effect>) {
    let mut transition = Transition {
        plan,
        state,
        out: Vec::new(),
        todo: VecDeque::new(),
        jitter: 1000,
        noticed: None,
    };
    transition.take(input);
    while let Some(task) = transition.todo.pop_front() {
        if transition.state.is_over() {
            break;
        }
        match task {
            Task::Enter { frame, node } => transition.arrive(frame, &node),
            Task::Release { frame, passes } => transition.continue_held(frame, passes),
            Task::Fill { frame } => transition.fill(frame),
            Task::Leave { frame, end } => transition.leave(frame, end),
        }
    }
    (transition.state, transition.out)
}

/// One input being worked on.
struct Transition<'p> {
    plan: &'p Plan,
    state: State,
    out: Vec<Effect>,
    /// What follows from what was done so far; a queue, so that nothing recurses.
    todo: VecDeque<Task>,
    /// By how much to stretch a delay, in thousandths.
    jitter: u16,
    /// Why the run pauses before a frame goes to its next node.
    noticed: Option<pause_notice::PauseNotice>,
}

/// A consequence.
enum Task {
    /// A frame goes to a node.
    Enter { frame: FrameId, node: String },
    /// A held frame continues.
    Release { frame: FrameId, passes: bool },
    /// A split opens as many branches as it may.
    Fill { frame: FrameId },
    /// A frame has ended.
    Leave { frame: FrameId, end: FrameEnd },
}

/// How a frame ends.
#[derive(Debug, Clone, PartialEq)]
enum FrameEnd {
    /// Its graph, or its branch, is done.
    Done,
    /// It arrived where its branches meet.
    Arrived(String),
    /// It cannot continue.
    Failed(Failure),
}

impl<'p> Transition<'p> {
    fn take(&mut self, input: Input) {
        let Input { at, now, kind } = input;
        let before = (self.state.clock, self.state.now);
        (self.state.clock, self.state.now) = (at, now);
        match kind {
            InputKind::Start(begin) => self.start(*begin),
            InputKind::Resumed {
                reality,
                limits,
                points,
            } => {
                self.state.limits = limits.or(self.state.limits);
                let passed = self.forget_pauses(points);
                self.resumed(reality, passed);
            }
            _ if self.state.is_over() || self.state.run.is_empty() => {}
            InputKind::Finished {
                ticket,
                outcome,
                jitter,
                unread,
            } => {
                self.jitter = jitter;
                if matches!(
                    self.state.holder(ticket),
                    Some(Frame {
                        phase: Phase::Executing { .. } | Phase::Split { .. },
                        ..
                    })
                ) {
                    self.end_node_questions(ticket.frame, crate::transition::reasons::WORK_ENDED);
                    self.left_unread(ticket.frame, unread);
                    self.finish(ticket.frame, *outcome);
                }
            }
            InputKind::Spent { stage, usage } => self.spent(*stage, *usage),
            InputKind::FilesCompared { ticket, changed } => self.compared(ticket, changed),
            InputKind::FilesMerged { ticket, report } => self.files_merged(ticket, *report),
            InputKind::Due { ticket } => {
                let holder = self.state.holder(ticket).map(|frame| &frame.phase);
                match holder {
                    Some(Phase::Backoff { .. }) => self.try_again(ticket.frame),
                    Some(Phase::Waiting { .. }) => self.waited(ticket.frame),
                    Some(Phase::Split { .. } | Phase::Calling { .. }) => {
                        self.on_deadline(ticket.frame);
                    }
                    _ => {}
                }
            }
            InputKind::Answered {
                question,
                reading,
                by,
            } => self.answered(&question, &reading, &by),
            InputKind::Forked {
                visit,
                from,
                set,
                files,
                reality,
                limits,
                points,
            } => {
                self.state.limits = limits.or(self.state.limits);
                self.forget_pauses(points);
                self.forked(visit.as_deref(), from, set, (files, reality));
            }
            InputKind::Steer {
                ticket,
                message,
                by,
            } => self.steer(ticket, SteeringMessage::new(message, by)),
            InputKind::Ask { ticket, question } => self.ask_for_node(ticket, *question),
            InputKind::Withdrawn { question } => self.withdraw(&question),
            InputKind::TimedOut { question } => self.timed_out(&question),
            InputKind::Unanswerable { question, reason } => self.unanswerable(&question, &reason),
            InputKind::Steered { node, message, by } => self.steered(node, message, by),
            InputKind::Observed {
                frame,
                child,
                report,
            } => self.observed(frame, child, &report),
            InputKind::Pause { by } => self.pause_run(&by),
            InputKind::PausePoints { points, by } => self.set_points(points, by),
            InputKind::Continue { step, by } => self.continue_run(step, by),
            InputKind::Override {
                frame,
                set,
                next,
                by,
            } => self.override_frame(frame, set, next, by),
            InputKind::Cancel { by } => self.cancel(&by),
            InputKind::Interrupt { by } => self.interrupt(&by),
            InputKind::TimeIsUp => self.time_is_up(),
            InputKind::Stalled => self.stalled(),
            InputKind::Stale { node, turns } => self.expire(&node, turns),
        }
        if self.out.is_empty() && self.todo.is_empty() {
            (self.state.clock, self.state.now) = before;
        }
    }

    /// Opens a frame that will enter its first node later in this transition.
    fn open_frame(
        &mut self,
        parent: Option<FrameId>,
        graph: Option<String>,
        scope: u32,
        branch: Option<String>,
    ) -> FrameId {
        let worktree = parent.and_then(|parent| self.frame(parent)?.worktree.clone());
        let id = self.state.next_frame;
        self.state.next_frame += 1;
        let step = self.new_step();
        self.state.frames.insert(
            id,
            Frame {
                parent,
                graph,
                scope,
                branch,
                worktree,
                unmerged: None,
                stops: std::collections::BTreeSet::new(),
                messages: Vec::new(),
                unread: Vec::new(),
                node_questions: Vec::new(),
                steered: None,
                steered_at: None,
                node: String::new(),
                visit: 0,
                attempt: 0,
                limited: 0,
                since: self.state.clock,
                redirects: 0,
                retries: std::collections::BTreeMap::new(),
                loops: std::collections::BTreeMap::new(),
                carried: std::collections::BTreeMap::new(),
                output: serde_json::Value::Null,
                shown: None,
                shown_by: None,
                unchecked: None,
                result: None,
                phase: Phase::Executing { step },
            },
        );
        id
    }

    fn new_step(&mut self) -> u64 {
        self.state.next_step += 1;
        self.state.next_step
    }

    fn emit(&mut self, event: EventKind) {
        self.out.push(Effect::Emit(Box::new(event)));
    }

    /// The frame, when it is still there.
    fn frame(&self, id: FrameId) -> Option<&Frame> {
        self.state.frames.get(&id)
    }

    fn frame_mut(&mut self, id: FrameId) -> Option<&mut Frame> {
        self.state.frames.get_mut(&id)
    }

    /// Where a frame is in its pipeline.
    fn node_ref(&self, frame: &Frame) -> Option<NodeRef<'p>> {
        self.plan.node_ref(frame.graph.as_deref(), &frame.node)
    }

    /// The context as a frame sees it, for people: large values by their beginning.
    fn view<'v>(&'v self, frame: &Frame, node_ref: NodeRef<'v>) -> View<'v> {
        self.state.contexts.view(frame.scope, node_ref.pipeline)
    }

    /// The context as conditions and lists see it: every value as a whole.
    fn whole_view<'v>(&'v self, frame: &Frame, node_ref: NodeRef<'v>) -> View<'v> {
        self.view(frame, node_ref)
            .with_large_values(self.plan.large_values())
    }

    fn record(&mut self, key: &str) -> &mut NodeRecord {
        self.state.nodes.entry(key.to_owned()).or_default()
    }

    /// A frame cannot continue.
    fn fail_frame(&mut self, id: FrameId, class: FailureClass, reason: String) {
        let node = self.frame(id).map(|frame| frame.node.clone());
        let failure = Failure {
            node: node.filter(|node| !node.is_empty()),
            stopped: None,
            reason,
            class,
        };
        self.todo.push_back(Task::Leave {
            frame: id,
            end: FrameEnd::Failed(failure),
        });
    }
}

/// The failure an outcome describes, for a node.
fn failure_of(node: &str, outcome: &Outcome) -> Failure {
    Failure {
        node: Some(node.to_owned()),
        stopped: None,
        reason: outcome
            .failure_reason
            .clone()
            .unwrap_or_else(crate::transition::reasons::no_reason),
        class: outcome.failure_class.unwrap_or(FailureClass::Deterministic),
    }
}
