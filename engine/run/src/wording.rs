//! Every sentence the engine says about nodes and runs, in one place. Errors of starting and storing
//! runs have theirs in [`crate::error`].

use std::path::Path;
use std::time::Duration;

use attractor_exec::normalize;
use attractor_lang::duration;

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
        "pipeline `{pipeline}` has no start node: give one node `shape=Mdiamond` or `start=true`"
    )
}

pub(crate) fn no_such_node(node: &str, graph: Option<&str>) -> String {
    match graph {
        Some(graph) => format!("`{node}` is not a node of pipeline `{graph}`"),
        None => format!("`{node}` is not a node of this pipeline"),
    }
}

pub(crate) fn handler_panicked(handler: &str) -> String {
    format!("the handler `{handler}` panicked; standard error says where")
}

pub(crate) fn outcome_too_large(handler: &str, size: usize, largest: usize) -> String {
    let mib = |bytes: usize| bytes.div_ceil(1024 * 1024);
    format!(
        "the handler `{handler}` returned an outcome of {} MiB; expected at most {} MiB: write it to a file and return its path",
        mib(size),
        mib(largest)
    )
}

pub(crate) fn no_reason(node: &str) -> String {
    format!("`{node}` failed and did not say why")
}

pub(crate) fn missing_keys(node: &str, keys: &[String]) -> String {
    format!(
        "`{node}` requires {} in the context, and no earlier node set it",
        quoted(keys)
    )
}

pub(crate) fn check_failed(check: &str) -> String {
    format!("the check `{check}` did not hold")
}

pub(crate) fn retries_spent(node: &str, attempts: u32) -> String {
    match attempts {
        1 => format!("`{node}` asks to be run again, but has no retries (`max_retries`)"),
        attempts => format!("`{node}` still asks to be run again after {attempts} attempts"),
    }
}

pub(crate) fn cancelled_by(by: &str) -> String {
    format!("cancelled by {by}")
}

pub(crate) fn interrupted_by(by: &str) -> String {
    format!("interrupted by {by}")
}

pub(crate) fn no_such_branch(node: &str, branch: &str) -> String {
    format!("`branches` of `{node}` names `{branch}`, which is not a node of this pipeline")
}

pub(crate) fn no_branches(node: &str) -> String {
    format!("parallel node `{node}` has no branches: draw edges from it or set `branches`")
}

pub(crate) fn no_list(node: &str, key: &str) -> String {
    format!("`for_each` of `{node}` needs a list in `{key}`, and there is none")
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

pub(crate) fn outside_root(node: &str, directory: &Path, root: &Path) -> String {
    format!(
        "the working directory of `{node}`, {}, is outside of the project root {}",
        normalize(directory).display(),
        root.display()
    )
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
        format!("A dry run assumes success; set another outcome with `--outcome {node}=WORD`")
    } else {
        "Correct a condition, or add an edge without one".to_owned()
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
    format!("the condition `{condition}` to `{to}` cannot be read")
}

pub(crate) fn edge_worn_out(to: &str, times: u32) -> String {
    let times = match times {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    format!("the edge to `{to}` was taken {times} already (`max_visits`)")
}

pub(crate) fn too_few_succeeded(
    needed: usize,
    failed: usize,
    all: usize,
    first: Option<(&str, &str)>,
) -> String {
    let count =
        format!("{needed} of {all} branches must succeed (`join_policy`), and {failed} failed");
    match first {
        Some((branch, error)) => format!("{count}; `{branch}`: {error}"),
        None => count,
    }
}

/// Bytes of an output that are not kept.
pub(crate) fn left_out(stream: &str, bytes: u64) -> String {
    format!("{bytes} bytes from the middle of {stream} were left out: it is too large to keep")
}

pub(crate) fn incomplete_stdin(node: &str) -> String {
    format!(
        "the standard input of `{node}` is incomplete: the output it comes from was too large to keep; \
         hand it over in a file"
    )
}

pub(crate) fn no_sub_pipeline(node: &str) -> String {
    format!("`{node}` does not say which pipeline to run: set `sub_pipeline`")
}

pub(crate) fn unknown_sub_pipeline(node: &str, name: &str) -> String {
    format!("`{node}` runs `{name}`, which is neither a graph of this file nor a file next to it")
}

pub(crate) fn too_deep(node: &str, deepest: usize) -> String {
    format!(
        "`{node}` would be sub-pipeline number {deepest} inside another: does one contain itself?"
    )
}

pub(crate) fn child_failed(failure: &Failure) -> String {
    match &failure.node {
        Some(node) => format!("its node `{node}` failed: {}", failure.reason),
        None => failure.reason.clone(),
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
        "`{node}` runs `{pipeline}`, which must be given {}: set it with `inputs` or `var.NAME`, or give it a default",
        quoted(names)
    )
}

pub(crate) fn took_too_long(limit: u64) -> String {
    format!(
        "it took longer than {} (`timeout`) and was stopped",
        time(limit)
    )
}

pub(crate) fn longer_than(limit: &str) -> String {
    format!("it took longer than {limit} (`timeout`)")
}

pub(crate) fn waited(time: &str) -> String {
    format!("waited {time}")
}

pub(crate) fn no_duration(node: &str, written: &str) -> String {
    format!("`{node}` waits for `{written}`, which is not a duration: write 30s, 5m or 1h30m")
}

pub(crate) fn gate_unmet(node: &str) -> String {
    format!("goal gate `{node}` has not succeeded")
}

pub(crate) fn gate_gave_up(node: &str, most: u32) -> String {
    format!("goal gate `{node}` has not succeeded, and the run was sent back {most} times already")
}

pub(crate) fn gate_without_target(node: &str) -> String {
    format!("goal gate `{node}` has not succeeded, and no `retry_target` says where to go back to")
}

pub(crate) fn required_node(node: &str) -> String {
    format!("node `{node}` was not completed")
}

pub(crate) fn required_condition(condition: &str) -> String {
    format!("condition `{condition}` does not hold")
}

pub(crate) fn too_many_steps(most: u64) -> String {
    format!("the run stopped after {most} steps (`max_steps`)")
}

pub(crate) fn too_many_visits(node: &str, most: u32, attribute: &str) -> String {
    format!("`{node}` was visited {most} times already (`{attribute}`)")
}

pub(crate) fn too_long(most: u64) -> String {
    format!(
        "the run took longer than {} (`max_pipeline_duration`)",
        time(most)
    )
}

pub(crate) fn over_budget(name: &str, used: f64, most: f64) -> String {
    format!("the budget is used up: {used} of {most} (`{name}`)")
}

pub(crate) fn stalled(limit: u64) -> String {
    format!("nothing happened for {} (`stall_timeout`)", time(limit))
}

pub(crate) fn unknown_attempt(node: &str) -> String {
    format!(
        "`{node}` had begun when the engine stopped, and it must not run twice (`at_most_once`). What happened?"
    )
}

pub(crate) fn taken_as_done(by: &str) -> String {
    format!("taken as done by {by}")
}

pub(crate) fn taken_as_failed(by: &str) -> String {
    format!("taken as failed by {by}")
}

pub(crate) fn refused_by(by: &str) -> String {
    format!("refused by {by}")
}

pub(crate) fn answered_by(answer: &str, by: &str) -> String {
    format!("{answer} ({by})")
}

pub(crate) fn nobody_answered(node: &str) -> String {
    format!("nobody answered `{node}` in time")
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
