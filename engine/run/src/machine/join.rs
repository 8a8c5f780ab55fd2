//! When a fork is decided: `join_policy` and `error_policy` of a parallel node.

use super::plan::Site;
use super::state::{BranchProgress, Fork};
use crate::outcome::Status;

/// When a fork is decided (language reference, `join_policy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JoinPolicy {
    WaitAll,
    /// This many must succeed.
    Needed(usize),
}

/// What a failed branch does to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorPolicy {
    Continue,
    FailFast,
    Ignore,
}

/// What a fork of `all` branches has come to, once it is decided.
pub(super) fn verdict(
    site: Site<'_>,
    all: usize,
    succeeded: usize,
    failed: usize,
) -> Option<Status> {
    let open = all - succeeded - failed;
    let errors = error_policy(site);
    match join_policy(site, all) {
        JoinPolicy::Needed(needed) if succeeded >= needed => Some(Status::Success),
        JoinPolicy::Needed(needed) if succeeded + open < needed => Some(Status::Fail),
        _ if failed > 0 && errors == ErrorPolicy::FailFast => Some(Status::Fail),
        _ if open > 0 => None,
        JoinPolicy::Needed(_) => Some(Status::Fail),
        JoinPolicy::WaitAll if failed == 0 || errors == ErrorPolicy::Ignore => {
            Some(Status::Success)
        }
        JoinPolicy::WaitAll if succeeded == 0 => Some(Status::Fail),
        JoinPolicy::WaitAll => Some(Status::PartialSuccess),
    }
}

/// Branches that succeeded and branches that failed.
pub(super) fn tally(fork: &Fork) -> (usize, usize) {
    fork.branches
        .iter()
        .fold((0, 0), |(good, bad), branch| match &branch.progress {
            BranchProgress::Done { status, .. } if status.is_failure() => (good, bad + 1),
            BranchProgress::Done { .. } => (good + 1, bad),
            _ => (good, bad),
        })
}

/// The first branch that failed, and why.
pub(super) fn first_error(fork: &Fork) -> Option<(&str, &str)> {
    fork.branches
        .iter()
        .find_map(|branch| match &branch.progress {
            BranchProgress::Done { status, output, .. } if status.is_failure() => {
                Some((branch.name.as_str(), output.get("error")?.as_str()?))
            }
            _ => None,
        })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a fraction of a count of branches"
)]
fn join_policy(site: Site<'_>, all: usize) -> JoinPolicy {
    let attributes = &site.node.attributes;
    match site
        .written("join_policy")
        .map(str::to_ascii_lowercase)
        .as_deref()
    {
        Some("first_success") => JoinPolicy::Needed(1),
        Some("k_of_n") => JoinPolicy::Needed(site.count("join_k").map_or(all, |k| k as usize)),
        Some("quorum") => {
            let fraction = attributes
                .float("join_quorum")
                .unwrap_or(0.5)
                .clamp(0.0, 1.0);
            JoinPolicy::Needed(((fraction * all as f64).ceil() as usize).max(1))
        }
        _ => JoinPolicy::WaitAll,
    }
}

fn error_policy(site: Site<'_>) -> ErrorPolicy {
    match site
        .written("error_policy")
        .map(str::to_ascii_lowercase)
        .as_deref()
    {
        Some("fail_fast") => ErrorPolicy::FailFast,
        Some("ignore") => ErrorPolicy::Ignore,
        _ => ErrorPolicy::Continue,
    }
}
