//! The pure core: what a run does next.
//!
//! [`next`] takes the state and one input and gives the new state and what to do. There is no clock, no
//! chance and no IO in here: the same inputs give the same bytes, so a run can be replayed from its
//! journal, simulated, and tested without waiting. An input that changes anything emits at least one
//! event; an input without an event was late and changed nothing.
//!
//! One file per question: `begin` (a run starts or goes on), `end` (it stops), `enter` (may this node run, and
//! how), `finish` (what its outcome means), `merge` (what it leaves in the context), `promise`, `retry`, `route` and
//! `on_failure` (where to), `gates` (people), `fork`, `meet`, `join` and `gather` (branches), `call` and `lend`
//! (sub-pipelines), `deadline` (of both), `timer` and `wait` (what is due at a time), `drop`, `restart`, `goals`, `limits`.

mod begin;
mod branches;
mod call;
mod command;
mod deadline;
mod drop;
mod end;
mod enter;
#[cfg(test)]
mod equal_truth;
mod evidence;
mod finish;
mod fork;
mod gates;
mod gather;
mod goals;
mod input;
mod interview;
mod join;
mod lend;
mod limits;
mod meet;
mod merge;
mod no_route;
mod on_failure;
mod plan;
mod promise;
mod record;
mod restart;
mod retry;
mod route;
mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod ticket;
mod timer;
mod wait;

use std::collections::VecDeque;

use crate::context::View;
use crate::event::EventKind;
use crate::outcome::{Failure, FailureClass, Outcome};

pub(crate) use command::Command;
pub(crate) use goals::{is_loop_end, loop_begin};
pub(crate) use input::{Begin, Input, InputKind};
pub(crate) use limits::max_duration;
pub(crate) use plan::{Plan, Site, to_millis};
pub(crate) use record::NodeRecord;
pub(crate) use state::{End, Lane, Phase, State};
pub(crate) use ticket::{LaneId, Ticket};

/// Takes one input in.
pub(crate) fn next(plan: &Plan, state: State, input: Input) -> (State, Vec<Command>) {
    let mut turn = Turn {
        plan,
        state,
        out: Vec::new(),
        todo: VecDeque::new(),
        jitter: 1000,
    };
    turn.take(input);
    while let Some(task) = turn.todo.pop_front() {
        if turn.state.is_over() {
            break;
        }
        match task {
            Task::Enter { lane, node } => turn.enter(lane, &node),
            Task::Fill { lane } => turn.fill(lane),
            Task::Leave { lane, end } => turn.leave(lane, end),
        }
    }
    (turn.state, turn.out)
}

/// One input being worked on.
struct Turn<'p> {
    plan: &'p Plan,
    state: State,
    out: Vec<Command>,
    /// What follows from what was done so far; a queue, so that nothing recurses.
    todo: VecDeque<Task>,
    /// By how much to stretch a delay, in thousandths.
    jitter: u16,
}

/// A consequence.
enum Task {
    /// A lane goes to a node.
    Enter { lane: LaneId, node: String },
    /// A fork opens as many branches as it may.
    Fill { lane: LaneId },
    /// A lane has come to its end.
    Leave { lane: LaneId, end: LaneEnd },
}

/// How a lane ends.
#[derive(Debug, Clone, PartialEq)]
enum LaneEnd {
    /// Its graph, or its branch, is done.
    Done,
    /// It arrived where its branches meet.
    Arrived(String),
    /// It cannot go on.
    Failed(Failure),
}

impl<'p> Turn<'p> {
    fn take(&mut self, input: Input) {
        let Input { at, now, kind } = input;
        let before = (self.state.clock, self.state.now);
        (self.state.clock, self.state.now) = (at, now);
        match kind {
            InputKind::Start(begin) => self.start(*begin),
            InputKind::Resumed => self.resumed(),
            _ if self.state.is_over() || self.state.run.is_empty() => {}
            InputKind::Finished {
                ticket,
                outcome,
                jitter,
            } => {
                self.jitter = jitter;
                if matches!(
                    self.state.holder(ticket),
                    Some(Lane {
                        phase: Phase::Executing { .. } | Phase::Forked { .. },
                        ..
                    })
                ) {
                    self.finish(ticket.lane, *outcome);
                }
            }
            InputKind::FilesCompared { ticket, changed } => self.compared(ticket, changed),
            InputKind::Due { ticket } => {
                let holder = self.state.holder(ticket).map(|lane| &lane.phase);
                match holder {
                    Some(Phase::Backoff { .. }) => self.try_again(ticket.lane),
                    Some(Phase::Waiting { .. }) => self.waited(ticket.lane),
                    Some(Phase::Forked { .. } | Phase::Calling { .. }) => {
                        self.overdue(ticket.lane);
                    }
                    _ => {}
                }
            }
            InputKind::Answered {
                question,
                reading,
                by,
            } => self.answered(&question, &reading, &by),
            InputKind::TimedOut { question } => self.timed_out(&question),
            InputKind::Unanswerable { question, reason } => self.unanswerable(&question, &reason),
            InputKind::Cancel { by } => self.cancel(&by),
            InputKind::Interrupt { by } => self.interrupt(&by),
            InputKind::TimeIsUp => self.time_is_up(),
            InputKind::Stalled => self.stalled(),
        }
        if self.out.is_empty() && self.todo.is_empty() {
            (self.state.clock, self.state.now) = before;
        }
    }

    /// Opens a lane that will enter its first node later in this turn.
    fn open_lane(
        &mut self,
        parent: Option<LaneId>,
        graph: Option<String>,
        scope: u32,
        branch: Option<String>,
    ) -> LaneId {
        let id = self.state.next_lane;
        self.state.next_lane += 1;
        let step = self.new_step();
        self.state.lanes.insert(
            id,
            Lane {
                parent,
                graph,
                scope,
                branch,
                stops: std::collections::BTreeSet::new(),
                node: String::new(),
                visit: 0,
                attempt: 0,
                since: self.state.clock,
                redirects: 0,
                retries: std::collections::BTreeMap::new(),
                loops: std::collections::BTreeMap::new(),
                carried: std::collections::BTreeMap::new(),
                output: serde_json::Value::Null,
                shown: None,
                unchecked: None,
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
        self.out.push(Command::Emit(Box::new(event)));
    }

    /// The lane, when it is still there.
    fn lane(&self, id: LaneId) -> Option<&Lane> {
        self.state.lanes.get(&id)
    }

    fn lane_mut(&mut self, id: LaneId) -> Option<&mut Lane> {
        self.state.lanes.get_mut(&id)
    }

    /// Where a lane stands in its pipeline.
    fn site(&self, lane: &Lane) -> Option<Site<'p>> {
        self.plan.site(lane.graph.as_deref(), &lane.node)
    }

    /// The context as a lane sees it, for people: large values by their beginning.
    fn view<'v>(&'v self, lane: &Lane, site: Site<'v>) -> View<'v> {
        self.state.contexts.view(lane.scope, site.pipeline)
    }

    /// The context as conditions and lists see it: every value as a whole.
    fn whole_view<'v>(&'v self, lane: &Lane, site: Site<'v>) -> View<'v> {
        self.view(lane, site).with_artifacts(self.plan.artifacts())
    }

    fn record(&mut self, key: &str) -> &mut NodeRecord {
        self.state.nodes.entry(key.to_owned()).or_default()
    }

    /// A lane cannot go on.
    fn fail_lane(&mut self, id: LaneId, class: FailureClass, reason: String) {
        let node = self.lane(id).map(|lane| lane.node.clone());
        let failure = Failure {
            node: node.filter(|node| !node.is_empty()),
            reason,
            class,
        };
        self.todo.push_back(Task::Leave {
            lane: id,
            end: LaneEnd::Failed(failure),
        });
    }
}

/// The failure an outcome describes, for a node.
fn failure_of(node: &str, outcome: &Outcome) -> Failure {
    Failure {
        node: Some(node.to_owned()),
        reason: outcome
            .failure_reason
            .clone()
            .unwrap_or_else(|| crate::wording::no_reason(node)),
        class: outcome.failure_class.unwrap_or(FailureClass::Deterministic),
    }
}
