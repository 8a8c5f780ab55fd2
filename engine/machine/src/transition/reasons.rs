//! What the machine says about nodes and runs.

use std::time::Duration;

use attractor_lang::duration;
use attractor_text_diff::ConflictReason;

use crate::event::MergeConflict;
use crate::frame::Worktree;
use crate::outcome::Failure;

fn time(millis: u64) -> String {
    duration::format(Duration::from_millis(millis))
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

pub(crate) fn no_start(pipeline: &str) -> String {
    format!(
        "pipeline `{pipeline}` has no start node; set `shape=Mdiamond` or `start=true` on one node"
    )
}

/// A node is not in its pipeline.
pub fn no_such_node(node: &str, graph: Option<&str>) -> String {
    match graph {
        Some(graph) => format!("pipeline `{graph}` has no node `{node}`"),
        None => format!("this pipeline has no node `{node}`"),
    }
}

pub(crate) fn no_reason() -> String {
    "no reason given".to_owned()
}

pub(crate) fn missing_keys(node: &str, keys: &[String]) -> String {
    format!(
        "`{node}` requires {} in the context, but no earlier node has set it",
        quoted(keys)
    )
}

pub(crate) fn check_failed(check: &str) -> String {
    format!("check `{check}` failed")
}

pub(crate) fn retries_spent(node: &str, attempts: u32) -> String {
    match attempts {
        1 => format!("`{node}` requested a retry, but `max_retries` is 0"),
        attempts => format!("`{node}` still requested a retry after {attempts} attempts"),
    }
}

pub(crate) fn cancelled_by(by: &str) -> String {
    format!("cancelled by {by}")
}

pub(crate) fn interrupted_by(by: &str) -> String {
    format!("interrupted by {by}")
}

pub(crate) fn no_such_branch(node: &str, branch: &str) -> String {
    format!("`branches` of `{node}`: unknown node `{branch}`")
}

pub(crate) fn no_branches(node: &str) -> String {
    format!("parallel node `{node}` has no branches; add edges from it or set `branches`")
}

pub(crate) fn no_list(node: &str, key: &str) -> String {
    format!("`for_each` of `{node}`: `{key}` is not a list")
}

pub(crate) fn branches_done(succeeded: usize, all: usize) -> String {
    format!("{succeeded} of {all} branches succeeded")
}

pub(crate) fn branches_failed(failed: usize, all: usize, first: Option<(&str, &str)>) -> String {
    match first {
        Some((branch, error)) => format!("{failed} of {all} branches failed; `{branch}`: {error}"),
        None => format!("{failed} of {all} branches failed"),
    }
}

/// Files that a message names.
const SHOWN_CONFLICTS: usize = 5;

/// `folders` are those of the branches, from the directory of the run.
pub(crate) fn merge_conflict(
    conflicts: &[MergeConflict],
    folders: &[(String, Worktree)],
) -> String {
    let one = |conflict: &MergeConflict| {
        let mut whose = quoted_and(&conflict.branches);
        if conflict.in_project {
            whose.push_str(", and the project since they began,");
        }
        let what = match conflict.reason {
            ConflictReason::SameLines => "changed the same lines of",
            ConflictReason::AddedTwice => "added different contents as",
            ConflictReason::DeletedAndChanged => "deleted and changed",
            ConflictReason::NotText => "changed the file without lines",
            ConflictReason::FileAndFolder => "need both a file and a folder for",
        };
        let versions = folders.iter();
        let versions = versions.filter(|(name, _)| conflict.branches.contains(name));
        let versions: Vec<String> = versions
            .map(|(_, worktree)| format!("{}/", worktree.path()))
            .collect();
        format!(
            "{whose} {what} `{}` ({})",
            conflict.path,
            versions.join(", ")
        )
    };
    let mut shown: Vec<String> = conflicts.iter().take(SHOWN_CONFLICTS).map(one).collect();
    if let Some(more) = conflicts.len().checked_sub(SHOWN_CONFLICTS + 1) {
        shown.push(format!("{} more", more + 1));
    }
    format!(
        "nothing was merged, because branches conflict: {}; make the versions equal in the folders of the branches, in the directory of the run, then run this node again",
        shown.join("; ")
    )
}

pub(crate) fn not_merged(error: &str) -> String {
    format!("the changes of the branches cannot be merged: {error}")
}

/// `a`, `b` and `c`.
fn quoted_and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => format!("`{name}`"),
        [first @ .., last] => format!("{} and `{last}`", quoted(first)),
    }
}

/// `failed` is why the node itself failed, if it did; `more` edges are not among `whys`.
pub(crate) fn no_route(node: &str, failed: Option<&str>, whys: &[String], more: usize) -> String {
    let failed = failed.map_or_else(String::new, |reason| {
        format!("`{node}` failed ({reason}), and ")
    });
    let more = match more {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let whys = whys.join("; ");
    format!("{failed}no edge of `{node}` can be taken: {whys}{more}")
}

/// What to do about a node without an edge to take.
pub(crate) fn no_route_hint(node: &str, dry: bool) -> String {
    if dry {
        format!("A dry run assumes success; script another outcome of `{node}`")
    } else {
        "Fix a condition, or add an edge without one".to_owned()
    }
}

pub(crate) fn condition_does_not_hold(to: &str, condition: &str, seen: &[String]) -> String {
    let values = match seen {
        [] => String::new(),
        seen => format!(" ({})", seen.join(", ")),
    };
    format!("`{condition}` to `{to}` is false{values}")
}

pub(crate) fn condition_unreadable(to: &str, condition: &str) -> String {
    format!("invalid condition `{condition}` to `{to}`")
}

pub(crate) fn edge_limit_reached(to: &str, times: u32) -> String {
    let times = match times {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    format!("the edge to `{to}` was already taken {times} (`max_visits`)")
}

pub(crate) fn too_few_succeeded(
    needed: usize,
    failed: usize,
    all: usize,
    first: Option<(&str, &str)>,
) -> String {
    let count =
        format!("{needed} of {all} branches must succeed (`join_policy`), but {failed} failed");
    match first {
        Some((branch, error)) => format!("{count}; `{branch}`: {error}"),
        None => count,
    }
}

pub(crate) fn no_sub_pipeline(node: &str) -> String {
    format!("`{node}` has no `sub_pipeline`; set it to the pipeline to run")
}

pub(crate) fn unknown_sub_pipeline(node: &str, name: &str) -> String {
    format!(
        "sub-pipeline `{name}` of `{node}` not found: neither a graph in this file nor a file next to it"
    )
}

pub(crate) fn too_deep(node: &str, deepest: usize) -> String {
    format!("sub-pipelines are nested too deeply at `{node}` (limit {deepest}); is there a cycle?")
}

pub(crate) fn child_failed(failure: &Failure) -> String {
    match &failure.node {
        Some(node) => format!("its node `{node}` failed: {}", failure.reason),
        None => failure.to_string(),
    }
}

pub(crate) fn iterations(count: u32) -> String {
    match count {
        1 => "done after 1 iteration".to_owned(),
        count => format!("done after {count} iterations"),
    }
}

pub(crate) fn never_satisfied(node: &str, most: u32, last: Option<&str>) -> String {
    let not_done = format!("`{node}` is not done after {most} iterations (`max_iterations`)");
    match last {
        Some(reason) => format!("{not_done}; in the last one, {reason}"),
        None => not_done,
    }
}

pub(crate) fn missing_inputs(node: &str, pipeline: &str, names: &[String]) -> String {
    format!(
        "`{node}` runs `{pipeline}`, which requires {}; set it with `inputs` or `var.NAME`, or declare a default",
        quoted(names)
    )
}

pub(crate) fn took_too_long(limit: u64) -> String {
    format!("timed out after {} (`timeout`)", time(limit))
}

/// The work of a node took longer than its `timeout`.
pub fn longer_than(limit: &str) -> String {
    format!("timed out after {limit} (`timeout`)")
}

pub(crate) fn waited(time: &str) -> String {
    format!("waited {time}")
}

pub(crate) fn no_duration(node: &str, written: &str) -> String {
    format!("invalid duration `{written}` of `{node}`; expected e.g. `30s`, `5m` or `1h30m`")
}

pub(crate) fn gate_unmet(node: &str) -> String {
    format!("goal gate `{node}` is unmet")
}

pub(crate) fn gate_gave_up(node: &str, most: u32) -> String {
    format!("goal gate `{node}` is still unmet after {most} redirects")
}

pub(crate) fn gate_without_target(node: &str) -> String {
    format!("goal gate `{node}` is unmet and no `retry_target` is set")
}

pub(crate) fn required_node(node: &str) -> String {
    format!("node `{node}` was not completed")
}

pub(crate) fn required_condition(condition: &str) -> String {
    format!("condition `{condition}` does not hold")
}

pub(crate) fn too_many_steps(most: u64) -> String {
    format!("step limit reached (`max_steps` = {most})")
}

pub(crate) fn too_many_visits(node: &str, most: u32, attribute: &str) -> String {
    format!("visit limit of `{node}` reached (`{attribute}` = {most})")
}

pub(crate) fn too_long(most: u64) -> String {
    format!(
        "time limit of the run reached: {} (`max_pipeline_duration`)",
        time(most)
    )
}

pub(crate) fn over_budget(name: &str, used: f64, most: f64) -> String {
    format!("budget exceeded: {used} of {most} (`{name}`)")
}

pub(crate) fn stalled(limit: u64) -> String {
    format!("stalled: no activity for {} (`stall_timeout`)", time(limit))
}

pub(crate) fn stale(node: &str, turns: u32) -> String {
    format!("the run stayed at `{node}` for {turns} model turns (`stale_after_turns`)")
}

/// Why a question is withdrawn whose work ended.
pub(crate) const WORK_ENDED: &str = "the work that asked has ended";
/// Why a question is withdrawn that its work gave up.
pub(crate) const ANSWER_NOT_NEEDED: &str = "the answer is not needed any more";
/// Why a question is withdrawn whose process ended.
pub(crate) const RUN_AGAIN: &str = "the engine stopped, and the work that asked is run again";
/// Why a question is withdrawn in a branch that was stopped.
pub(crate) const FORKED: &str = "the question is another run's";
pub(crate) const BRANCH_STOPPED: &str = "the branch was stopped";

pub(crate) fn unknown_attempt(node: &str) -> String {
    format!("`{node}` was running when the engine stopped and is `at_most_once`. Did it complete?")
}

pub(crate) fn taken_as_done(by: &str) -> String {
    format!("marked as done by {by}")
}

pub(crate) fn taken_as_failed(by: &str) -> String {
    format!("marked as failed by {by}")
}

pub(crate) fn refused_by(by: &str) -> String {
    format!("refused by {by}")
}

pub(crate) fn answered_by(answer: &str, by: &str) -> String {
    format!("{answer} ({by})")
}

pub(crate) fn not_answered(node: &str) -> String {
    format!("`{node}` was not answered in time")
}

/// A short name that is the same for the same failure: numbers do not count.
pub(crate) fn signature(failure: &Failure) -> String {
    let reason: String = failure
        .reason
        .chars()
        .filter(|letter| !letter.is_ascii_digit())
        .collect();
    let crc = crc32fast::hash(reason.as_bytes());
    let node = failure.node.as_deref().unwrap_or_default();
    format!("{node}:{}:{crc:08x}", failure.class.as_str())
}
