//! Failures of a run as annotations of GitHub Actions, at the line of the node. Pure.

use std::collections::BTreeMap;
use std::path::Path;

use attractor_run::{Event, EventKind};

use crate::console::plain;
use crate::render::github::{message, property};

/// `::error file=…,line=…,title=NODE::why`, for a node that has failed for good.
pub fn annotation(event: &Event, file: &Path, lines: &BTreeMap<String, u32>) -> Option<String> {
    let EventKind::StageFailed {
        at,
        reason,
        will_retry: false,
        ..
    } = &event.kind
    else {
        return None;
    };
    let line = match lines.get(&at.node) {
        Some(line) if at.graph.is_none() => format!(",line={line}"),
        _ => String::new(),
    };
    Some(format!(
        "::error file={}{line},title={}::{}",
        property(&file.display().to_string()),
        property(&plain(&at.node)),
        message(&plain(reason)),
    ))
}
