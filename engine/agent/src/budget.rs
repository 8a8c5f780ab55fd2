//! What a session may use, counted over it and all of its subagents.
//!
//! Accounts form a tree: what is used counts towards an account and all above it, and each of them may have limits.
//! So a subagent cannot use more than what is left to the session that started it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use attractor_llm::TokenUsage;
use serde::Serialize;
use tokio::time::Instant;

/// The most of each; absent without a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    /// Calls of a model.
    pub turns: Option<u64>,
    /// Answers whose tool calls were run.
    pub tool_rounds: Option<u64>,
    /// Tokens of input and output.
    pub tokens: Option<u64>,
    /// US dollars at list prices.
    pub cost: Option<f64>,
    /// Time since the account was opened.
    pub time: Option<Duration>,
}

/// What was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Calls of a model.
    pub turns: u64,
    /// Answers whose tool calls were run.
    pub tool_rounds: u64,
    /// Tool calls that were run.
    pub tool_calls: u64,
    /// Tokens of input, those of a cache included.
    pub input_tokens: u64,
    /// Tokens of output, reasoning included.
    pub output_tokens: u64,
    /// Tokens of output that are reasoning.
    pub reasoning_tokens: u64,
    /// Tokens of input read from a cache.
    pub cache_read_tokens: u64,
    /// Tokens of input written to a cache.
    pub cache_write_tokens: u64,
    /// US dollars at list prices, of models whose price is known.
    pub cost: f64,
}

impl Spent {
    /// Adds what something else used.
    pub fn add(&mut self, other: &Self) {
        self.turns += other.turns;
        self.tool_rounds += other.tool_rounds;
        self.tool_calls += other.tool_calls;
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.reasoning_tokens += other.reasoning_tokens;
        self.cache_read_tokens += other.cache_read_tokens;
        self.cache_write_tokens += other.cache_write_tokens;
        self.cost += other.cost;
    }

    /// Input and output.
    pub const fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// The limit that is reached.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitReached {
    /// `max_turns`, `max_tool_rounds`, `max_tokens_total`, `max_cost`, `timeout`.
    pub limit: &'static str,
    /// For people: how much was used of how much.
    pub message: String,
    /// How much was used, where it is a count.
    pub used: u64,
    /// How much there is.
    pub allowed: u64,
}

/// An account. Cloning it is cheap; clones share what was used.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    parent: Option<Budget>,
    limits: RwLock<Limits>,
    counts: Counts,
    opened: Instant,
}

#[derive(Debug, Default)]
struct Counts {
    turns: AtomicU64,
    tool_rounds: AtomicU64,
    tool_calls: AtomicU64,
    input: AtomicU64,
    output: AtomicU64,
    reasoning: AtomicU64,
    cache_read: AtomicU64,
    cache_write: AtomicU64,
    /// Billionths of a US dollar.
    cost: AtomicU64,
}

const BILLION: f64 = 1e9;

impl Budget {
    /// An account of its own.
    pub fn new(limits: Limits) -> Self {
        Self::open(limits, None)
    }

    /// An account whose use counts towards this one too.
    #[must_use]
    pub fn child(&self, limits: Limits) -> Self {
        Self::open(limits, Some(self.clone()))
    }

    fn open(limits: Limits, parent: Option<Self>) -> Self {
        Self(Arc::new(Account {
            parent,
            limits: RwLock::new(limits),
            counts: Counts::default(),
            opened: Instant::now(),
        }))
    }

    /// Its own limits.
    pub fn limits(&self) -> Limits {
        *self.0.limits.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces its own limits.
    pub fn set_limits(&self, limits: Limits) {
        *self
            .0
            .limits
            .write()
            .unwrap_or_else(PoisonError::into_inner) = limits;
    }

    /// What was used so far.
    pub fn spent(&self) -> Spent {
        let counts = &self.0.counts;
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Spent {
            turns: read(&counts.turns),
            tool_rounds: read(&counts.tool_rounds),
            tool_calls: read(&counts.tool_calls),
            input_tokens: read(&counts.input),
            output_tokens: read(&counts.output),
            reasoning_tokens: read(&counts.reasoning),
            cache_read_tokens: read(&counts.cache_read),
            cache_write_tokens: read(&counts.cache_write),
            cost: to_dollars(read(&counts.cost)),
        }
    }

    /// The first limit that is reached, of this account or one above it.
    pub fn reached(&self) -> Option<LimitReached> {
        self.with_parents().find_map(Self::reached_here)
    }

    /// The tokens left, the least of this account and those above it.
    pub fn tokens_left(&self) -> Option<u64> {
        let left = |account: &Self| {
            let limit = account.limits().tokens?;
            Some(limit.saturating_sub(account.spent().tokens()))
        };
        self.with_parents().filter_map(left).min()
    }

    /// The US dollars left, the least of this account and those above it.
    pub fn cost_left(&self) -> Option<f64> {
        let left = |account: &Self| Some((account.limits().cost? - account.spent().cost).max(0.0));
        self.with_parents().filter_map(left).reduce(f64::min)
    }

    /// The time left, the least of this account and those above it.
    pub fn time_left(&self) -> Option<Duration> {
        let left = |account: &Self| {
            let limit = account.limits().time?;
            Some(limit.saturating_sub(account.0.opened.elapsed()))
        };
        self.with_parents().filter_map(left).min()
    }

    /// A model was called.
    pub(crate) fn add_turn(&self) {
        self.add(|counts| &counts.turns, 1);
    }

    /// A model answered, or broke off.
    pub(crate) fn add_usage(&self, usage: &TokenUsage, cost: f64) {
        self.add(|counts| &counts.input, usage.input_tokens);
        self.add(|counts| &counts.output, usage.output_tokens);
        self.add(
            |counts| &counts.reasoning,
            usage.reasoning_tokens.unwrap_or_default(),
        );
        self.add(
            |counts| &counts.cache_read,
            usage.cache_read_tokens.unwrap_or_default(),
        );
        self.add(
            |counts| &counts.cache_write,
            usage.cache_write_tokens.unwrap_or_default(),
        );
        self.add(|counts| &counts.cost, to_billionths(cost));
    }

    /// The tool calls of an answer were run.
    pub(crate) fn add_tool_round(&self) {
        self.add(|counts| &counts.tool_rounds, 1);
    }

    /// A tool call is run.
    pub(crate) fn add_tool_call(&self) {
        self.add(|counts| &counts.tool_calls, 1);
    }

    fn add(&self, count: impl Fn(&Counts) -> &AtomicU64, amount: u64) {
        for account in self.with_parents() {
            count(&account.0.counts).fetch_add(amount, Ordering::Relaxed);
        }
    }

    fn with_parents(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |account| account.0.parent.as_ref())
    }

    fn reached_here(&self) -> Option<LimitReached> {
        let (limits, spent) = (self.limits(), self.spent());
        let elapsed = self.0.opened.elapsed();
        let counted = |limit, used: u64, allowed: Option<u64>, unit: &str| {
            let allowed = allowed.filter(|allowed| used >= *allowed)?;
            let plural = if allowed == 1 { "" } else { "s" };
            Some(LimitReached {
                limit,
                message: format!("stopped after {allowed} {unit}{plural} (`{limit}`)"),
                used,
                allowed,
            })
        };
        let plain = |limit, message| LimitReached {
            limit,
            message,
            used: 0,
            allowed: 0,
        };
        counted("max_turns", spent.turns, limits.turns, "turn")
            .or_else(|| {
                let rounds = spent.tool_rounds;
                counted("max_tool_rounds", rounds, limits.tool_rounds, "tool round")
            })
            .or_else(|| counted("max_tokens_total", spent.tokens(), limits.tokens, "token"))
            .or_else(|| {
                let allowed = limits.cost.filter(|allowed| spent.cost >= *allowed)?;
                let used = spent.cost;
                let message = format!("${used:.2} of ${allowed:.2} are spent (`max_cost`)");
                Some(plain("max_cost", message))
            })
            .or_else(|| {
                let allowed = limits.time.filter(|allowed| elapsed >= *allowed)?;
                let message = format!("the time of {} s is over (`timeout`)", allowed.as_secs());
                Some(plain("timeout", message))
            })
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "amounts far below 2^53 billionths of a dollar"
)]
fn to_dollars(billionths: u64) -> f64 {
    billionths as f64 / BILLION
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cost is positive, and far below 2^53 billionths of a dollar"
)]
fn to_billionths(cost: f64) -> u64 {
    (cost.max(0.0) * BILLION).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(input: u64, output: u64) -> TokenUsage {
        TokenUsage {
            input_tokens: input,
            output_tokens: output,
            ..TokenUsage::default()
        }
    }

    #[tokio::test]
    async fn what_a_subagent_uses_counts_for_all_above_it() {
        let root = Budget::new(Limits {
            tokens: Some(100),
            cost: Some(1.0),
            ..Limits::default()
        });
        let one = root.child(Limits::default());
        let other = root.child(Limits {
            tokens: Some(30),
            ..Limits::default()
        });
        one.add_usage(&tokens(50, 20), 0.25);
        assert_eq!(one.tokens_left(), Some(30));
        assert_eq!(other.tokens_left(), Some(30));
        assert_eq!(other.cost_left(), Some(0.75));
        other.add_usage(&tokens(20, 5), 0.75);
        assert_eq!(other.tokens_left(), Some(5));
        let reached = one.reached().unwrap();
        assert_eq!(reached.message, "$1.00 of $1.00 are spent (`max_cost`)");
        assert_eq!((root.spent().tokens(), one.spent().tokens()), (95, 70));
    }

    #[tokio::test(start_paused = true)]
    async fn each_limit_is_reported_by_name() {
        let budget = Budget::new(Limits::default());
        budget.add_turn();
        budget.add_tool_round();
        budget.add_usage(&tokens(7, 3), 0.0);
        tokio::time::advance(Duration::from_secs(90)).await;
        assert_eq!(budget.reached(), None);
        let limits = [
            Limits {
                turns: Some(1),
                ..Limits::default()
            },
            Limits {
                tool_rounds: Some(1),
                ..Limits::default()
            },
            Limits {
                tokens: Some(10),
                ..Limits::default()
            },
            Limits {
                time: Some(Duration::from_secs(90)),
                ..Limits::default()
            },
        ];
        let messages = limits.map(|limits| {
            budget.set_limits(limits);
            budget.reached().map(|reached| reached.message).unwrap()
        });
        expect_test::expect![[r#"
            stopped after 1 turn (`max_turns`)
            stopped after 1 tool round (`max_tool_rounds`)
            stopped after 10 tokens (`max_tokens_total`)
            the time of 90 s is over (`timeout`)"#]]
        .assert_eq(&messages.join("\n"));
    }
}
