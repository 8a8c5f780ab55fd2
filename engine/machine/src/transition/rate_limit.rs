//! What a node does when a provider limits the rate of requests (`on_rate_limit`).

use crate::outcome::Outcome;
use crate::plan::NodeRef;

/// Kinds of errors that say that a provider takes no more requests for a while.
const LIMITS: &[&str] = &["rate_limit", "overloaded"];

/// What follows from a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtLimit {
    /// The attempt failed like any other.
    Retry,
    /// The node waits this many milliseconds, and the attempt does not count.
    Wait(u64),
    /// The node fails.
    Fail,
}

/// What the node does about the limit that ended an attempt, if that is what ended it.
pub(super) fn at_limit(node_ref: NodeRef<'_>, outcome: &Outcome) -> AtLimit {
    let category = outcome
        .model
        .as_ref()
        .and_then(|model| model.category.as_deref());
    if !category.is_some_and(|category| LIMITS.contains(&category)) {
        return AtLimit::Retry;
    }
    let word = node_ref
        .inherited("on_rate_limit")
        .map(|word| word.trim().to_ascii_lowercase());
    match (word.as_deref(), outcome.retry_after_ms) {
        (Some("wait"), Some(delay)) => AtLimit::Wait(delay),
        (Some("fail"), _) => AtLimit::Fail,
        _ => AtLimit::Retry,
    }
}
