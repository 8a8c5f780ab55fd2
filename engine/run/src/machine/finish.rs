//! A node is done: try it again, or record what it came to and go on.

use attractor_model::NodeKind;
use std::collections::BTreeSet;

use super::on_failure::leads_failure_on;
use super::plan::Site;
use super::retry::{RetryPolicy, worth_retrying};
use super::route::{self, Crossing, Next, Way};
use super::{Command, Lane, LaneEnd, LaneId, Phase, Task, Ticket, Turn, evidence, failure_of};
use crate::event::{EventKind, Rule};
use crate::outcome::{Failure, FailureClass, Outcome, Status};
use crate::wording;

impl Turn<'_> {
    /// An attempt came to `outcome`.
    pub(super) fn finish(&mut self, id: LaneId, mut outcome: Outcome) {
        if let Some(lane) = self.lane_mut(id) {
            lane.unchecked = None;
        }
        let Some(lane) = self.lane(id).cloned() else {
            return;
        };
        let Some(site) = self.site(&lane) else { return };
        self.state.usage.add(&outcome.usage);
        self.verified(&lane, &mut outcome);
        if worth_retrying(&outcome) && self.retried(id, &lane, site, &outcome) {
            return;
        }
        self.settle_status(&lane, site, &mut outcome);
        self.conclude(id, &lane, site, &outcome);
    }

    /// A failed check is a failure.
    fn verified(&mut self, lane: &Lane, outcome: &mut Outcome) {
        let Some(verification) = outcome.verification.take() else {
            return;
        };
        if !verification.passed && !outcome.status.is_failure() {
            outcome.status = Status::Fail;
            outcome.failure_class = Some(FailureClass::Deterministic);
            outcome.failure_reason = Some(wording::check_failed(&verification.check));
        }
        self.emit(EventKind::Verification {
            at: lane.place(),
            check: verification.check,
            passed: verification.passed,
        });
    }

    /// Tries the node again if it may; says whether it does.
    fn retried(&mut self, id: LaneId, lane: &Lane, site: Site<'_>, outcome: &Outcome) -> bool {
        let policy = RetryPolicy::of(site);
        if lane.attempt >= policy.attempts || self.over_budget().is_some() {
            return false;
        }
        let failure = failure_of(&lane.node, outcome);
        self.emit(EventKind::StageFailed {
            at: lane.place(),
            reason: failure.reason,
            class: failure.class,
            will_retry: true,
            duration_ms: self.state.clock.saturating_sub(lane.since),
            usage: outcome.usage,
        });
        if let Some(current) = self.lane_mut(id) {
            current.retries.insert(lane.node.clone(), lane.attempt);
        }
        let retry_key = format!("internal.retry_count.{}", lane.node);
        self.state.contexts.set(lane.scope, retry_key, lane.attempt);
        self.merge(lane, site, outcome);
        let closed = BTreeSet::new();
        let way = route::on_retry(self.crossing(lane, site, outcome, &closed));
        if let Some(way) = way {
            self.go(id, lane, way);
            return true;
        }
        let delay = policy.delay(lane.attempt, self.jitter);
        let timer = self.timer(delay);
        let step = self.new_step();
        if let Some(lane) = self.lane_mut(id) {
            lane.attempt += 1;
            lane.phase = Phase::Backoff { step, timer };
        }
        let mut at = lane.place();
        at.attempt += 1;
        self.emit(EventKind::StageRetrying {
            at,
            delay,
            max_attempts: policy.attempts,
        });
        self.out.push(Command::Wait {
            ticket: Ticket { lane: id, step },
            delay,
        });
        true
    }

    /// What a node that is not tried again has come to.
    fn settle_status(&self, lane: &Lane, site: Site<'_>, outcome: &mut Outcome) {
        let spent = lane.attempt > 1 || outcome.status == Status::Retry;
        let may_be_partial = spent
            && site.flag("allow_partial")
            && !outcome.failure_class.is_some_and(FailureClass::is_final);
        match outcome.status {
            Status::Retry | Status::Fail if may_be_partial => {
                outcome.status = Status::PartialSuccess;
            }
            Status::Retry => {
                // The author may route on the word itself; else it is a failure.
                let closed = BTreeSet::new();
                if !route::has_true_condition(self.crossing(lane, site, outcome, &closed)) {
                    outcome.status = Status::Fail;
                    outcome
                        .failure_reason
                        .get_or_insert_with(|| wording::retries_spent(&lane.node, lane.attempt));
                }
            }
            _ => {}
        }
    }

    /// Records a result and goes on from it.
    fn conclude(&mut self, id: LaneId, lane: &Lane, site: Site<'_>, outcome: &Outcome) {
        let failed = outcome.status.is_failure();
        let key = lane.key(&lane.node);
        let record = self.record(&key);
        record.status = Some(outcome.status.clone());
        if let Some(current) = self.lane_mut(id) {
            current.retries.remove(&lane.node);
        }
        // A conditional passes on the result of the node before it; that is no news.
        let passes_on = site.node.kind == NodeKind::Conditional;
        if !passes_on {
            self.merge(lane, site, outcome);
        }
        let duration_ms = self.state.clock.saturating_sub(lane.since);
        if failed && !passes_on {
            let failure = failure_of(&lane.node, outcome);
            self.emit(EventKind::StageFailed {
                at: lane.place(),
                reason: failure.reason,
                class: failure.class,
                will_retry: false,
                duration_ms,
                usage: outcome.usage,
            });
        } else {
            self.emit(EventKind::StageCompleted {
                at: lane.place(),
                status: outcome.status.clone(),
                duration_ms,
                summary: outcome.notes.clone(),
                usage: outcome.usage,
            });
        }
        self.state.path.push(lane.node.clone());
        if completes(site, &outcome.status) {
            self.state.completed.push(lane.node.clone());
        }
        if !outcome.output.is_null()
            && site.node.kind != NodeKind::Loop
            && let Some(current) = self.lane_mut(id)
        {
            current.output = outcome.output.clone();
        }
        if let Some(shown) = evidence::result(site.node.kind, outcome)
            && let Some(current) = self.lane_mut(id)
        {
            current.shown = Some(shown);
        }
        if site.node.kind == NodeKind::Checkpoint && !failed {
            self.keep(lane, site);
        }
        self.warn_budget();
        if let Some(reason) = self.over_budget() {
            self.end_by_limit(id, reason);
            return;
        }
        self.move_on(id, lane, site, outcome);
    }

    /// Goes on after a node that was done before this run, by what a checkpoint says of it.
    pub(super) fn go_on_after(&mut self, id: LaneId, node: &str) {
        if let Some(lane) = self.lane_mut(id) {
            node.clone_into(&mut lane.node);
        }
        let Some(lane) = self.lane(id).cloned() else {
            return;
        };
        let Some(site) = self.site(&lane) else { return };
        let view = self.view(&lane, site);
        let outcome = Outcome {
            status: view
                .text("outcome")
                .map(|word| Status::parse(&word))
                .unwrap_or_default(),
            preferred_label: view.text("preferred_label"),
            failure_reason: view.text("failure_reason"),
            ..Outcome::default()
        };
        self.move_on(id, &lane, site, &outcome);
    }

    /// Chooses the way on.
    fn move_on(&mut self, id: LaneId, lane: &Lane, site: Site<'_>, outcome: &Outcome) {
        let (join, closed) = self.fork_exits(lane, site);
        let failed = outcome.status.is_failure();
        if let Some(join) = join.as_ref().filter(|_| !failed) {
            self.go(id, lane, Way::jump(join, Rule::Join));
            return;
        }
        if let Some(begin) = self.next_round(id, site, outcome) {
            self.go(id, lane, Way::jump(&begin, Rule::Loop));
            return;
        }
        let next = route::route(self.crossing(lane, site, outcome, &closed));
        let by_edge = match &next {
            Next::Go(way) => way.rule != Rule::RetryTarget,
            Next::Terminal => true,
            Next::End | Next::NoRoute(_) | Next::Stuck => false,
        };
        // The way on from a parallel node is where its branches would have met.
        if let Some(join) = join.filter(|_| !by_edge && leads_failure_on(site)) {
            self.go(id, lane, Way::jump(&join, Rule::Join));
            return;
        }
        match next {
            Next::Go(way) if way.rule == Rule::RetryTarget && self.leaves_branch(id, &way.to) => {
                // What failed in a branch fails the branch; the parallel node has the target too.
                self.todo.push_back(Task::Leave {
                    lane: id,
                    end: LaneEnd::Failed(failure_of(&lane.node, outcome)),
                });
            }
            Next::Go(way) => self.go(id, lane, way),
            Next::Terminal | Next::End => self.at_terminal(id, lane),
            Next::NoRoute(reason) => self.no_route(id, lane, &reason),
            Next::Stuck => {
                let failed = self.view(lane, site).text("_failed_node");
                let node = failed.unwrap_or_else(|| lane.node.clone());
                self.todo.push_back(Task::Leave {
                    lane: id,
                    end: LaneEnd::Failed(failure_of(&node, outcome)),
                });
            }
        }
    }

    /// None of the edges of a node that has some can be taken: nothing was reached, so this is no success.
    fn no_route(&mut self, id: LaneId, lane: &Lane, reason: &str) {
        let hint = wording::no_route_hint(&lane.node, self.state.dry);
        let failure = Failure {
            node: Some(lane.node.clone()),
            reason: format!("{reason}. {hint}"),
            class: FailureClass::NoRoute,
        };
        self.note_failure(lane.scope, &failure);
        self.todo.push_back(Task::Leave {
            lane: id,
            end: LaneEnd::Failed(failure),
        });
    }

    /// Takes a way.
    pub(super) fn go(&mut self, id: LaneId, lane: &Lane, way: Way) {
        self.enter_loop_anew(id, &way);
        if let Some(key) = way.counted {
            *self.state.edges.entry(key).or_default() += 1;
        }
        if let Some(current) = self.lane_mut(id) {
            current.carried = way.carries;
        }
        if way.restart {
            self.start_over(id, lane);
        }
        self.emit(EventKind::EdgeSelected {
            from: lane.node.clone(),
            to: way.to.clone(),
            graph: lane.graph.clone(),
            branch: lane.branch.clone(),
            rule: way.rule,
            label: way.label,
            condition: way.condition,
            clauses: way.clauses,
            warnings: way.warnings,
        });
        self.todo.push_back(Task::Enter {
            lane: id,
            node: way.to,
        });
    }

    pub(super) fn crossing<'a>(
        &'a self,
        lane: &'a Lane,
        site: Site<'a>,
        outcome: &'a Outcome,
        closed: &'a BTreeSet<String>,
    ) -> Crossing<'a> {
        Crossing {
            site,
            lane,
            view: self.whole_view(lane, site),
            outcome,
            taken: &self.state.edges,
            closed,
        }
    }
}

/// Whether a node has completed with this status: in success or partial success. A conditional only passes on the
/// result of the node before it, so it completes with any.
pub(super) fn completes(site: Site<'_>, status: &Status) -> bool {
    status.is_success() || site.node.kind == NodeKind::Conditional
}
