//! A node is done: retry it, or record its result and continue.

use attractor_model::NodeKind;
use std::collections::BTreeSet;

use super::crossing::Crossing;
use super::on_failure::leads_failure_on;
use super::rate_limit::{AtLimit, at_limit};
use super::retry::{RetryPolicy, worth_retrying};
use super::route::{self, Next, Way};
use super::{Effect, Frame, FrameEnd, Phase, Task, Transition, evidence, failure_of};
use crate::event::{EventKind, Rule};
use crate::frame::{FrameId, Ticket};
use crate::outcome::{Failure, FailureClass, Outcome, Status, StopPlace};
use crate::plan::NodeRef;
use crate::transition::reasons;

impl Transition<'_> {
    /// An attempt ended with `outcome`.
    pub(super) fn finish(&mut self, id: FrameId, mut outcome: Outcome) {
        if let Some(frame) = self.frame_mut(id) {
            frame.unchecked = None;
        }
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        self.state.usage.add(&outcome.usage);
        self.state.simulated |= outcome
            .model
            .as_ref()
            .is_some_and(|model| model.simulated.is_some());
        if node_ref.node.kind.calls_model() {
            self.state.turns = self.state.turns.saturating_add(1);
        }
        self.verified(&frame, &mut outcome);
        if worth_retrying(&outcome) && self.retried(id, &frame, node_ref, &outcome) {
            return;
        }
        self.settle_status(&frame, node_ref, &mut outcome);
        self.conclude(id, &frame, node_ref, &outcome);
    }

    /// A failed check is a failure.
    fn verified(&mut self, frame: &Frame, outcome: &mut Outcome) {
        let Some(verification) = outcome.verification.take() else {
            return;
        };
        if !verification.passed && !outcome.status.is_failure() {
            outcome.status = Status::Fail;
            outcome.failure_class = Some(FailureClass::Deterministic);
            outcome.failure_reason = Some(reasons::check_failed(&verification.check));
        }
        self.emit(EventKind::Verification {
            at: frame.node_attempt(),
            check: verification.check,
            passed: verification.passed,
        });
    }

    /// Tries the node again if it may; says whether it does.
    fn retried(
        &mut self,
        id: FrameId,
        frame: &Frame,
        node_ref: NodeRef<'_>,
        outcome: &Outcome,
    ) -> bool {
        let policy = RetryPolicy::of(node_ref);
        let limit = at_limit(node_ref, outcome);
        let is_spent = match limit {
            AtLimit::Retry => frame.attempt >= policy.attempts.saturating_add(frame.limited),
            AtLimit::Wait(_) => false,
            AtLimit::Fail => true,
        };
        if is_spent || self.over_budget().is_some() {
            return false;
        }
        let failure = failure_of(&frame.node, outcome);
        if let Some(turns) = self.is_stale() {
            self.stale(frame, failure, outcome, turns);
            return true;
        }
        self.emit(EventKind::StageFailed {
            at: frame.node_attempt(),
            reason: failure.reason,
            class: failure.class,
            will_retry: true,
            duration_ms: self.state.clock.saturating_sub(frame.since),
            usage: outcome.usage,
            model: outcome.model.clone(),
        });
        self.notice_retry(id);
        if let Some(current) = self.frame_mut(id) {
            current.retries.insert(frame.node.clone(), frame.attempt);
        }
        let retry_key = format!("internal.retry_count.{}", frame.node);
        self.state
            .contexts
            .set(frame.scope, retry_key, frame.attempt);
        self.merge(frame, node_ref, outcome);
        let delay = match limit {
            AtLimit::Wait(delay) => delay,
            AtLimit::Retry | AtLimit::Fail => {
                let closed = BTreeSet::new();
                let way = route::on_retry(self.crossing(frame, node_ref, outcome, &closed));
                if let Some(way) = way {
                    self.defer_unread(id);
                    self.go(id, frame, way);
                    return true;
                }
                let counted = frame.attempt.saturating_sub(frame.limited);
                let asked = outcome.retry_after_ms.unwrap_or_default();
                policy.delay(counted, self.jitter).max(asked)
            }
        };
        let waits = matches!(limit, AtLimit::Wait(_));
        let until = waits.then(|| self.time_after(delay)).flatten();
        let timer = self.timer(delay);
        let step = self.new_step();
        if let Some(frame) = self.frame_mut(id) {
            frame.attempt += 1;
            frame.limited += u32::from(waits);
            frame.phase = Phase::Backoff { step, timer };
        }
        let mut at = frame.node_attempt();
        at.attempt += 1;
        self.emit(EventKind::StageRetrying {
            at,
            delay,
            max_attempts: policy.attempts,
            until,
            waiting_for: outcome
                .model
                .as_ref()
                .and_then(|model| model.provider.clone())
                .filter(|_| waits),
        });
        self.out.push(Effect::Wait {
            ticket: Ticket { frame: id, step },
            delay,
        });
        true
    }

    /// The final status of a node that is not retried.
    fn settle_status(&self, frame: &Frame, node_ref: NodeRef<'_>, outcome: &mut Outcome) {
        let spent = frame.attempt > 1 || outcome.status == Status::Retry;
        let may_be_partial = spent
            && node_ref.flag("allow_partial")
            && !outcome.failure_class.is_some_and(FailureClass::is_final);
        match outcome.status {
            Status::Retry | Status::Fail if may_be_partial => {
                outcome.status = Status::PartialSuccess;
            }
            Status::Retry => {
                // The author may route on the word itself; else it is a failure.
                let closed = BTreeSet::new();
                if !route::has_true_condition(self.crossing(frame, node_ref, outcome, &closed)) {
                    outcome.status = Status::Fail;
                    outcome
                        .failure_reason
                        .get_or_insert_with(|| reasons::retries_spent(&frame.node, frame.attempt));
                }
            }
            _ => {}
        }
    }

    /// Records a result and continues from it.
    fn conclude(&mut self, id: FrameId, frame: &Frame, node_ref: NodeRef<'_>, outcome: &Outcome) {
        let failed = outcome.status.is_failure();
        let key = frame.key(&frame.node);
        let record = self.record(&key);
        record.status = Some(outcome.status.clone());
        if let Some(current) = self.frame_mut(id) {
            current.retries.remove(&frame.node);
            current.result = Some(outcome.status.clone());
            if failed && node_ref.node.kind == NodeKind::Parallel {
                // Nothing of a parallel node that failed is merged.
                current.unmerged = None;
            }
        }
        // A conditional passes on the result of the node before it; that is not a news.
        let passes_on = node_ref.node.kind == NodeKind::Conditional;
        if !passes_on {
            self.merge(frame, node_ref, outcome);
            self.notice_keys(id, outcome.context_updates.keys());
        }
        let duration_ms = self.state.clock.saturating_sub(frame.since);
        if failed && !passes_on {
            let failure = failure_of(&frame.node, outcome);
            self.notice_failure(id, &failure.reason);
            self.emit(EventKind::StageFailed {
                at: frame.node_attempt(),
                reason: failure.reason,
                class: failure.class,
                will_retry: false,
                duration_ms,
                usage: outcome.usage,
                model: outcome.model.clone(),
            });
        } else {
            self.emit(EventKind::StageCompleted {
                at: frame.node_attempt(),
                status: outcome.status.clone(),
                duration_ms,
                summary: outcome.notes.clone(),
                usage: outcome.usage,
                model: outcome.model.clone(),
            });
        }
        self.defer_unread(id);
        let reason = Some(&outcome.notes).filter(|_| node_ref.node.kind == NodeKind::Escalate);
        self.state.leave(frame, failed, reason.cloned());
        if completes(node_ref, &outcome.status) {
            self.state.completed.push(frame.node.clone());
        }
        if !outcome.output.is_null()
            && node_ref.node.kind != NodeKind::Loop
            && let Some(current) = self.frame_mut(id)
        {
            current.output = outcome.output.clone();
        }
        if let Some(shown) = evidence::result(node_ref.node.kind, outcome)
            && let Some(current) = self.frame_mut(id)
        {
            current.shown = Some(shown);
            current.shown_by = Some(frame.node.clone());
        }
        if node_ref.node.kind == NodeKind::Checkpoint && !failed {
            self.keep(frame, node_ref);
        }
        self.warn_budget();
        if let Some(reason) = self.over_budget() {
            self.end_by_limit(StopPlace::After(frame.key(&frame.node)), reason);
            return;
        }
        self.move_on(id, frame, node_ref, outcome);
    }

    /// Continues after a node that was done before this run, by what a checkpoint says of it.
    pub(super) fn continue_after(&mut self, id: FrameId, node: &str) {
        if let Some(frame) = self.frame_mut(id) {
            node.clone_into(&mut frame.node);
            frame.result.get_or_insert(Status::Success);
        }
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let view = self.view(&frame, node_ref);
        let outcome = Outcome {
            status: view
                .text("outcome")
                .map(|word| Status::parse(&word))
                .unwrap_or_default(),
            preferred_label: view.text("preferred_label"),
            failure_reason: view.text("failure_reason"),
            ..Outcome::default()
        };
        self.move_on(id, &frame, node_ref, &outcome);
    }

    /// Chooses the way on.
    fn move_on(&mut self, id: FrameId, frame: &Frame, node_ref: NodeRef<'_>, outcome: &Outcome) {
        let (join, closed) = self.split_exits(frame, node_ref);
        let failed = outcome.status.is_failure();
        if let Some(join) = join.as_ref().filter(|_| !failed) {
            self.go(id, frame, Way::jump(join, Rule::Join));
            return;
        }
        if let Some(begin) = self.next_round(id, node_ref, outcome) {
            self.go(id, frame, Way::jump(&begin, Rule::Loop));
            return;
        }
        let next = route::route(self.crossing(frame, node_ref, outcome, &closed));
        let by_edge = match &next {
            Next::Go(way) => way.rule != Rule::RetryTarget,
            Next::Terminal => true,
            Next::End | Next::NoRoute(_) | Next::Stuck => false,
        };
        // The way on from a parallel node is where its branches would have met.
        if let Some(join) = join.filter(|_| !by_edge && leads_failure_on(node_ref)) {
            self.go(id, frame, Way::jump(&join, Rule::Join));
            return;
        }
        match next {
            Next::Go(way) if way.rule == Rule::RetryTarget && self.leaves_branch(id, &way.to) => {
                // What failed in a branch fails the branch; the parallel node has the target too.
                self.todo.push_back(Task::Leave {
                    frame: id,
                    end: FrameEnd::Failed(failure_of(&frame.node, outcome)),
                });
            }
            Next::Go(way) => self.go(id, frame, way),
            Next::Terminal | Next::End => self.at_terminal(id, frame),
            Next::NoRoute(reason) => self.no_route(id, frame, &reason),
            Next::Stuck => {
                let failed = self.view(frame, node_ref).text("_failed_node");
                let node = failed.unwrap_or_else(|| frame.node.clone());
                self.todo.push_back(Task::Leave {
                    frame: id,
                    end: FrameEnd::Failed(failure_of(&node, outcome)),
                });
            }
        }
    }

    /// None of the edges of a node that has some can be taken: nothing was reached, so this is not a success.
    fn no_route(&mut self, id: FrameId, frame: &Frame, reason: &str) {
        let hint = reasons::no_route_hint(&frame.node, self.state.dry);
        let failure = Failure {
            node: Some(frame.node.clone()),
            stopped: None,
            reason: format!("{reason}. {hint}"),
            class: FailureClass::NoRoute,
        };
        self.note_failure(frame.scope, &failure);
        self.todo.push_back(Task::Leave {
            frame: id,
            end: FrameEnd::Failed(failure),
        });
    }

    /// Takes a way.
    pub(super) fn go(&mut self, id: FrameId, frame: &Frame, way: Way) {
        self.reset_loop(id, &way);
        if let Some(key) = way.counted {
            *self.state.edges.entry(key).or_default() += 1;
        }
        if let Some(current) = self.frame_mut(id) {
            current.carried = way.carries;
        }
        if way.restart {
            self.start_over(id, frame);
        }
        if way.to != frame.node {
            self.state.turns = 0;
        }
        self.notice_edge(id, &way.to, way.label.as_deref(), way.condition.as_deref());
        self.emit(EventKind::EdgeSelected {
            from: frame.node.clone(),
            to: way.to.clone(),
            graph: frame.graph.clone(),
            branch: frame.branch.clone(),
            rule: way.rule,
            label: way.label,
            condition: way.condition,
            clauses: way.clauses,
            warnings: way.warnings,
        });
        self.todo.push_back(Task::Enter {
            frame: id,
            node: way.to,
        });
    }

    pub(super) fn crossing<'a>(
        &'a self,
        frame: &'a Frame,
        node_ref: NodeRef<'a>,
        outcome: &'a Outcome,
        closed: &'a BTreeSet<String>,
    ) -> Crossing<'a> {
        Crossing {
            node_ref,
            frame,
            view: self.whole_view(frame, node_ref),
            outcome,
            taken: &self.state.edges,
            closed,
        }
    }
}

/// Whether a node has completed with this status: in success or partial success. A conditional only passes on the
/// result of the node before it, so it completes with any.
pub(super) fn completes(node_ref: NodeRef<'_>, status: &Status) -> bool {
    status.is_success() || node_ref.node.kind == NodeKind::Conditional
}
