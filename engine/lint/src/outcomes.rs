//! How a node can end, and what is certain then.

use std::sync::LazyLock;

use attractor_lang::Status;
use attractor_lang::condition::{Condition, parse};

use attractor_model::catalogue::{NodeKind, values};
use attractor_model::{Node, NodeIx, Pipeline};

/// The outcomes a node ends with sooner or later.
pub(crate) fn outcomes(pipeline: &Pipeline, ix: NodeIx) -> &'static [Status] {
    let kind = pipeline.node(ix).map(|node| node.kind);
    match kind {
        Some(kind) if !kind.can_fail() => &[Status::Success],
        // What fails to the end is taken as partial success.
        _ if partial_arrives(pipeline, ix) => {
            &[Status::Success, Status::Fail, Status::PartialSuccess]
        }
        _ => &[Status::Success, Status::Fail],
    }
}

/// Whether a node ends in partial success itself, or passes on that of a node before it.
fn partial_arrives(pipeline: &Pipeline, ix: NodeIx) -> bool {
    /// The maximum length of a chain of conditional nodes that is followed.
    const MOST: usize = 64;
    let Some(node) = pipeline.node(ix) else {
        return false;
    };
    if node.kind != NodeKind::Conditional {
        return allows_partial(node);
    }
    let mut seen = vec![ix];
    let mut at = 0;
    while let Some(ix) = seen.get(at).copied().filter(|_| at < MOST) {
        at += 1;
        let Some(node) = pipeline.node(ix) else {
            continue;
        };
        if node.kind != NodeKind::Conditional {
            if allows_partial(node) {
                return true;
            }
            continue;
        }
        for before in pipeline.predecessors(ix).take(MOST) {
            if !seen.contains(&before) {
                seen.push(before);
            }
        }
    }
    false
}

fn allows_partial(node: &Node) -> bool {
    let written = node.attributes.get("allow_partial");
    written.and_then(|written| values::boolean(written.value())) == Some(true)
}

/// What is certain besides the outcome: a command succeeds with exit code 0 and with no other.
pub(crate) fn fact(kind: NodeKind, outcome: &Status) -> &'static Condition {
    static FAILED: LazyLock<Condition> =
        LazyLock::new(|| parse("exit_code != 0 and exit_code != null and exit_code != ''").0);
    static SUCCEEDED: LazyLock<Condition> = LazyLock::new(|| parse("exit_code == 0").0);
    static NOTHING: LazyLock<Condition> = LazyLock::new(Condition::default);
    match kind {
        NodeKind::Tool if outcome.is_failure() => &FAILED,
        NodeKind::Tool => &SUCCEEDED,
        _ => &NOTHING,
    }
}

/// What holds only while retries are left.
pub(crate) fn retrying() -> &'static Condition {
    static RETRYING: LazyLock<Condition> = LazyLock::new(|| parse("on_retry").0);
    &RETRYING
}
