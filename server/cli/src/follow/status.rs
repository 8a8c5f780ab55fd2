//! The live area while no question is asked: how far the run is, and what each running node does.
//!
//! ```text
//! ⠹ 3/7 · 42.0 s · $0.01
//!   test   12.4 s · 41 passed
//!   fix     8.0 s · 4 turns · 7 tool calls · 12 k tokens · $0.01 · shell
//! ```

use std::fmt::Write;
use std::time::{Duration, Instant};

use attractor_run::figures::duration;

use super::labels::NAME_COLUMNS;
use super::progress::RunningNode;
use crate::columns::{fit, width};
use crate::style::{FAINT, paint};

/// Nodes that run shorter than this are not shown.
const STATUS_DELAY: Duration = Duration::from_millis(300);
/// How many running nodes have a row of their own.
const NODE_ROWS: usize = 6;
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunProgress {
    /// Nodes of the pipeline that have ended.
    pub done: usize,
    /// Nodes of the pipeline.
    pub nodes: usize,
    /// USD, what running agents have spent included.
    pub cost: f64,
}

/// The live area.
pub struct LiveStatus {
    frame: usize,
    began: Instant,
    progress: RunProgress,
    nodes: Vec<(RunningNode, Instant)>,
}

impl LiveStatus {
    /// An area without nodes.
    pub fn new() -> Self {
        Self {
            frame: 0,
            began: Instant::now(),
            progress: RunProgress::default(),
            nodes: Vec::new(),
        }
    }

    /// Sets how far the run is and the running nodes. A node that was running already keeps its time.
    pub fn set(&mut self, progress: RunProgress, nodes: Vec<RunningNode>) {
        self.progress = progress;
        let before = std::mem::take(&mut self.nodes);
        let since = |name: &str| {
            let known = before.iter().find(|(node, _)| node.name == name);
            known.map_or_else(Instant::now, |(_, since)| *since)
        };
        self.nodes = nodes
            .into_iter()
            .map(|node| {
                let since = since(&node.name);
                (node, since)
            })
            .collect();
    }

    /// The rows now; none before a node has run long enough.
    pub fn rows(&mut self) -> Vec<String> {
        let nodes: Vec<(&RunningNode, Duration)> = self
            .nodes
            .iter()
            .map(|(node, since)| (node, since.elapsed()))
            .collect();
        if nodes.iter().all(|(_, ran)| *ran < STATUS_DELAY) {
            return Vec::new();
        }
        self.frame = (self.frame + 1) % SPINNER.len();
        let spinner = SPINNER.get(self.frame).unwrap_or(&"");
        rows(spinner, self.progress, self.began.elapsed(), &nodes)
    }
}

fn rows(
    spinner: &str,
    progress: RunProgress,
    ran: Duration,
    nodes: &[(&RunningNode, Duration)],
) -> Vec<String> {
    let shown = |ran: Duration| duration(u64::try_from(ran.as_millis()).unwrap_or(u64::MAX));
    let mut head = format!(
        "{spinner} {}/{} · {}",
        progress.done,
        progress.nodes,
        shown(ran)
    );
    if progress.cost > 0.0 {
        write!(head, " · ${:.2}", progress.cost).ok();
    }
    let name_columns = nodes
        .iter()
        .map(|(node, _)| width(&node.name))
        .max()
        .unwrap_or_default()
        .min(NAME_COLUMNS);
    let mut rows = vec![head];
    rows.extend(nodes.iter().take(NODE_ROWS).map(|(node, ran)| {
        let doing = node.doing.as_ref();
        let doing = doing.map_or_else(String::new, |doing| format!(" · {doing}"));
        format!(
            "  {} {:>8}{doing}",
            fit(&node.name, name_columns),
            shown(*ran)
        )
    }));
    if nodes.len() > NODE_ROWS {
        rows.push(format!("  and {} more", nodes.len() - NODE_ROWS));
    }
    rows.into_iter().map(|row| paint(FAINT, row)).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::expect;

    use super::{RunProgress, rows};
    use crate::follow::progress::RunningNode;

    #[test]
    fn rows_show_how_far_the_run_is_and_what_each_node_does() {
        let node = |name: &str, doing: Option<&str>| RunningNode {
            name: name.to_owned(),
            doing: doing.map(str::to_owned),
        };
        let nodes = [
            node("test", Some("41 passed")),
            node("fix", Some("4 turns · $0.01 · shell")),
            node("wait", None),
        ];
        let nodes: Vec<_> = nodes
            .iter()
            .zip([12_400, 8_000, 61_000].map(Duration::from_millis))
            .collect();
        let progress = RunProgress {
            done: 3,
            nodes: 7,
            cost: 0.0123,
        };
        let shown = rows("⠹", progress, Duration::from_secs(42), &nodes).join("\n");
        expect![[r"
            ⠹ 3/7 · 42.0 s · $0.01
              test   12.4 s · 41 passed
              fix     8.0 s · 4 turns · $0.01 · shell
              wait 1 min 1 s"]]
        .assert_eq(&anstream::adapter::strip_str(&shown).to_string());
    }

    #[test]
    fn many_nodes_are_counted() {
        let nodes: Vec<RunningNode> = (0..9)
            .map(|number| RunningNode {
                name: format!("n{number}"),
                doing: None,
            })
            .collect();
        let nodes: Vec<_> = nodes.iter().map(|node| (node, Duration::ZERO)).collect();
        let rows = rows("⠹", RunProgress::default(), Duration::ZERO, &nodes);
        assert_eq!(rows.len(), 8);
    }
}
