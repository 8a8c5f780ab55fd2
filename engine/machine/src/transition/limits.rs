//! What bounds a run: steps, visits, time, tokens and money.

use super::{End, Frame, NodeRecord, State, Transition};
use crate::event::EventKind;
use crate::frame::FrameId;
use crate::outcome::{
    DEFAULT_MAX_STEPS, Failure, FailureClass, Limits, Outcome, RemainingBudget, StopPlace,
};
use crate::plan::{Plan, to_millis};
use crate::transition::reasons;

/// Part of a limit after which people are warned.
const WARN_AT: f64 = 0.8;

/// The attributes of budgets.
const COST: &str = "max_cost";
const TOKENS: &str = "max_tokens_total";

/// Milliseconds a run may take.
pub fn max_duration(plan: &Plan, limits: Limits) -> Option<u64> {
    let own = plan
        .root()
        .attributes
        .duration("max_pipeline_duration")
        .map(to_millis)
        .filter(|most| *most > 0);
    [own, limits.max_duration_ms].into_iter().flatten().min()
}

/// Each budget: its name, what is used, what there is.
fn budgets(plan: &Plan, state: &State) -> Vec<(&'static str, f64, f64)> {
    let graph = &plan.root().attributes;
    let lower = |own: Option<f64>, outside: Option<f64>| match (own, outside) {
        (Some(own), Some(outside)) => Some(own.min(outside)),
        (own, outside) => own.or(outside),
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "token counts stay far below 2^52"
    )]
    let float = |count: u64| count as f64;
    let cost = lower(graph.money(COST), state.limits.max_cost);
    let tokens = lower(graph.float(TOKENS), state.limits.max_tokens.map(float));
    let usage = &state.usage;
    [
        cost.map(|most| (COST, usage.cost, most)),
        tokens.map(|most| (TOKENS, float(usage.tokens()), most)),
    ]
    .into_iter()
    .flatten()
    .filter(|(_, _, most)| *most > 0.0)
    .collect()
}

/// What the run may still spend.
pub fn remaining_budget(plan: &Plan, state: &State) -> RemainingBudget {
    let mut remaining = RemainingBudget::default();
    for (name, used, most) in budgets(plan, state) {
        let left = (most - used).max(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count of tokens, not below 0"
        )]
        match name {
            COST => remaining.cost = Some(left),
            _ => remaining.tokens = Some(left as u64),
        }
    }
    remaining
}

impl Transition<'_> {
    /// The limit of the whole run that another step would break.
    pub(super) fn run_limit(&self) -> Option<String> {
        let steps = self.max_steps();
        if self.state.steps >= steps {
            return Some(reasons::too_many_steps(steps));
        }
        self.over_time().or_else(|| self.over_budget())
    }

    /// A limit of the whole run ends it, wherever it is reached: no branch or sub-pipeline can continue either.
    pub(super) fn end_by_limit(&mut self, place: StopPlace, reason: String) {
        self.end_run(End::at_limit(Some(place), reason));
    }

    /// The limit of a node that entering it would break.
    pub(super) fn visit_limit(&self, id: FrameId, node: &str, key: &str) -> Option<String> {
        let frame = self.frame(id)?;
        let node_ref = self.plan.node_ref(frame.graph.as_deref(), node)?;
        let record = self.state.nodes.get(key);
        let visits = record.map_or(0, NodeRecord::visits_here);
        let for_all = node_ref.pipeline.attributes.int("max_node_visits");
        let for_all = || Some((u32::try_from(for_all?).ok()?, "max_node_visits"));
        let own = node_ref
            .count("max_visits")
            .map(|most| (most, "max_visits"));
        let most = own.or_else(for_all).filter(|(most, _)| *most > 0);
        if let Some((most, attribute)) = most
            && visits >= most
        {
            return Some(reasons::too_many_visits(node, most, attribute));
        }
        None
    }

    fn max_steps(&self) -> u64 {
        let own = self.plan.root().attributes.int("max_steps");
        let own = own
            .and_then(|most| u64::try_from(most).ok())
            .unwrap_or(DEFAULT_MAX_STEPS);
        self.state.limits.max_steps.unwrap_or(own)
    }

    fn over_time(&self) -> Option<String> {
        let most = max_duration(self.plan, self.state.limits)?;
        (self.state.clock >= most).then(|| reasons::too_long(most))
    }

    /// The budget that is used up.
    pub(super) fn over_budget(&self) -> Option<String> {
        budgets(self.plan, &self.state)
            .into_iter()
            .find(|(_, used, most)| used >= most)
            .map(|(name, used, most)| reasons::over_budget(name, used, most))
    }

    /// Says once per budget when most of it is gone.
    pub(super) fn warn_budget(&mut self) {
        for (limit, used, allowed) in budgets(self.plan, &self.state) {
            if used >= allowed * WARN_AT && self.state.warned.insert(limit.to_owned()) {
                self.emit(EventKind::BudgetWarning {
                    limit: limit.to_owned(),
                    used,
                    allowed,
                });
            }
        }
    }

    /// The run's time may be over.
    pub(super) fn time_is_up(&mut self) {
        if let Some(reason) = self.over_time() {
            self.end_run(End::at_limit(None, reason));
        }
    }

    /// `stale_after_turns`, if it is a limit.
    pub(super) fn stale_after_turns(&self) -> Option<u32> {
        let most = self.plan.root().attributes.int("stale_after_turns")?;
        u32::try_from(most).ok().filter(|most| *most > 0)
    }

    /// `stale_after_turns`, when another turn without a transition would be more.
    pub(super) fn is_stale(&self) -> Option<u32> {
        self.stale_after_turns()
            .filter(|most| self.state.turns >= *most)
    }

    /// The run stays at a node for too many turns.
    pub(super) fn stale(&mut self, frame: &Frame, failure: Failure, outcome: &Outcome, turns: u32) {
        self.emit(EventKind::StageFailed {
            at: frame.node_attempt(),
            reason: failure.reason,
            class: failure.class,
            will_retry: false,
            duration_ms: self.state.clock.saturating_sub(frame.since),
            usage: outcome.usage,
            model: outcome.model.clone(),
        });
        self.state.leave(frame, true, None);
        self.expire(&frame.node, turns);
    }

    /// The run stays at a node for too many turns, and ends.
    pub(super) fn expire(&mut self, node: &str, turns: u32) {
        self.emit(EventKind::Expired {
            stall_timeout_ms: None,
            stale_after_turns: Some(turns),
        });
        self.end_run(End::failed(
            Some(node.to_owned()),
            FailureClass::BudgetExhausted,
            reasons::stale(node, turns),
        ));
    }

    /// Nothing happened for `stall_timeout`.
    pub(super) fn stalled(&mut self) {
        let Some(limit) = self.plan.root().attributes.duration("stall_timeout") else {
            return;
        };
        let stall_timeout_ms = to_millis(limit);
        self.emit(EventKind::Expired {
            stall_timeout_ms: Some(stall_timeout_ms),
            stale_after_turns: None,
        });
        self.end_run(End::failed(
            None,
            FailureClass::Timeout,
            reasons::stalled(stall_timeout_ms),
        ));
    }
}
