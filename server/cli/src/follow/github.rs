//! The failures of a run that has ended as annotations of GitHub Actions, at the lines of the nodes. Pure.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use attractor_run::{Failure, NodeState, RunReport, RunSnapshot, RunState, StopPlace};

use crate::console::plain;
use crate::render::github::{message, property};

/// A line per node that has failed for good, `::error file=…,line=…,title=NODE::why`, and one for what failed without
/// a node: a limit, a question nobody could answer, no edge to take. In a run that succeeded they are warnings.
pub fn annotations(
    report: &RunReport,
    snapshot: &RunSnapshot,
    file: &Path,
    lines: &BTreeMap<String, u32>,
) -> String {
    let level = match report.status {
        RunState::Success => "warning",
        _ => "error",
    };
    let failed: Vec<(&str, &str)> = snapshot
        .nodes
        .iter()
        .filter(|(_, node)| node.state == NodeState::Fail)
        .map(|(id, node)| (id.as_str(), node.summary.as_str()))
        .collect();
    let is_listed = |failure: &&Failure| {
        let mut nodes = failed.iter().map(|(node, _)| *node);
        nodes.any(|node| failure.node.as_deref() == Some(node))
    };
    let failure = report.failure.as_ref().filter(|one| !is_listed(one));
    let failure = failure.map(|failure| {
        let stopped = failure.stopped.as_ref().map(StopPlace::node);
        let place = failure.node.as_deref().or(stopped);
        (place.unwrap_or(&report.pipeline), failure.reason.as_str())
    });
    let failure: Vec<(&str, &str)> = failure.into_iter().collect();
    let mut text = String::new();
    for (place, why) in failed.into_iter().chain(failure) {
        let line = lines
            .get(place)
            .map_or_else(String::new, |line| format!(",line={line}"));
        writeln!(
            text,
            "::{level} file={}{line},title={}::{}",
            property(&file.display().to_string()),
            property(&plain(place)),
            message(&plain(why)),
        )
        .ok();
    }
    text
}
