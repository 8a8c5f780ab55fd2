//! Blocks of DOT with places to fill in.
//!
//! Bodies are in the snippet syntax of LSP: `$1`, `${2:text}`, `$0` for the last place. Node kinds have one each,
//! whose page is the kind's own.

use std::borrow::Cow;

use attractor_model::NodeKind;

use super::documentation::Doc;

/// A block to insert.
pub(super) struct Snippet {
    /// What the list shows.
    pub label: &'static str,
    /// A short description.
    pub detail: &'static str,
    /// The block.
    pub body: Cow<'static, str>,
    /// The page behind it.
    pub doc: Option<String>,
}

const fn block(label: &'static str, detail: &'static str, body: &'static str) -> Snippet {
    Snippet {
        label,
        detail,
        body: Cow::Borrowed(body),
        doc: None,
    }
}

/// Whole graphs.
pub(super) const GRAPHS: &[Snippet] = &[
    block(
        "digraph pipeline",
        "a pipeline with start and exit",
        "digraph ${1:name} {\n\tgoal=\"${2:What this pipeline is for}\"\n\n\tstart [shape=Mdiamond]\n\t${3:work} [prompt=\"$4\"]\n\tdone [shape=Msquare]\n\n\tstart -> ${3:work} -> done\n}\n$0",
    ),
    block(
        "digraph",
        "a directed graph",
        "digraph ${1:name} {\n\t$0\n}\n",
    ),
    block(
        "graph",
        "an undirected graph",
        "graph ${1:name} {\n\t$0\n}\n",
    ),
];

/// Blocks of several nodes and edges.
pub(super) const BLOCKS: &[Snippet] = &[
    block(
        "human gate with edges",
        "a question and the ways out",
        "${1:review} [shape=hexagon, prompt=\"${2:Approve this step?}\"]\n${1:review} -> ${3:deploy} [label=\"[A] Approve\"]\n${1:review} -> ${4:fix} [label=\"[R] Revise\"]$0",
    ),
    block(
        "retry loop",
        "do, check, do again, give up",
        "${1:fix} [prompt=\"${2:Make the tests pass. Output so far: {stdout:-\\}}\", max_visits=${3:3}]\n${4:test} [shape=parallelogram, command=\"${5:cargo test}\"]\n${1:fix} -> ${4:test}\n${4:test} -> ${6:done} [condition=\"outcome=success\"]\n${4:test} -> ${1:fix} [condition=\"outcome=fail\"]$0",
    ),
    block(
        "parallel block",
        "branches and their join",
        "${1:fan} [shape=component]\n${2:gather} [shape=tripleoctagon]\n${1:fan} -> { ${3:left} ${4:right} } -> ${2:gather}$0",
    ),
    block(
        "decision",
        "a way for success and one for failure",
        "${1:check} [shape=diamond]\n${1:check} -> ${2:next} [condition=\"outcome=success\"]\n${1:check} -> ${3:fix} [condition=\"outcome=fail\"]$0",
    ),
    block(
        "escalation",
        "hand over when tries are used up",
        "${1:work} -> ${2:stuck} [condition=\"on_exhaust\"]\n${2:stuck} [shape=octagon, reason=\"${3:No tries left: {failure_reason\\}}\"]$0",
    ),
];

/// Statements of every graph.
pub(super) const PLAIN: &[Snippet] = &[
    block(
        "subgraph",
        "a cluster",
        "subgraph cluster_${1:name} {\n\tlabel=\"${2:Title}\"\n\t$0\n}",
    ),
    block("node", "defaults for nodes", "node [$0]"),
    block("edge", "defaults for edges", "edge [$0]"),
    block("graph", "attributes of the graph", "graph [$0]"),
];

/// One node of each kind.
pub(super) fn nodes() -> impl Iterator<Item = Snippet> {
    NODES.iter().map(|(label, kind, body)| Snippet {
        label,
        detail: kind.row().map_or("", |row| row.summary),
        body: Cow::Borrowed(*body),
        doc: Some(Doc::kind(*kind)),
    })
}

const NODES: &[(&str, NodeKind, &str)] = &[
    (
        "agent node",
        NodeKind::Codergen,
        "${1:implement} [prompt=\"$2\"]$0",
    ),
    (
        "prompt node",
        NodeKind::Prompt,
        "${1:summary} [shape=tab, prompt=\"$2\"]$0",
    ),
    (
        "tool node",
        NodeKind::Tool,
        "${1:test} [shape=parallelogram, command=\"$2\"]$0",
    ),
    (
        "human gate node",
        NodeKind::HumanGate,
        "${1:review} [shape=hexagon, prompt=\"${2:Approve this step?}\"]$0",
    ),
    (
        "conditional node",
        NodeKind::Conditional,
        "${1:check} [shape=diamond]$0",
    ),
    (
        "parallel node",
        NodeKind::Parallel,
        "${1:fan} [shape=component, max_parallel=${2:4}]$0",
    ),
    (
        "fan-in node",
        NodeKind::FanIn,
        "${1:gather} [shape=tripleoctagon]$0",
    ),
    (
        "supervisor node",
        NodeKind::Supervisor,
        "${1:polish} [shape=house, sub_pipeline=${2:round}, max_iterations=${3:5}, done_condition=\"${4:approved}\"]$0",
    ),
    (
        "pipeline node",
        NodeKind::Pipeline,
        "${1:release} [shape=folder, sub_pipeline=${2:release}]$0",
    ),
    (
        "wait node",
        NodeKind::Wait,
        "${1:cool_down} [shape=insulator, duration=\"${2:5m}\"]$0",
    ),
    (
        "escalate node",
        NodeKind::Escalate,
        "${1:stuck} [shape=octagon, reason=\"$2\"]$0",
    ),
    (
        "checkpoint node",
        NodeKind::Checkpoint,
        "${1:saved} [shape=cylinder, name=\"${2:after-build}\"]$0",
    ),
    (
        "start node",
        NodeKind::Start,
        "${1:start} [shape=Mdiamond]$0",
    ),
    ("exit node", NodeKind::Exit, "${1:done} [shape=Msquare]$0"),
];

/// A snippet's text for clients that know no tab stops: `${2:text}` becomes `text`, `$1` nothing.
pub(super) fn plain(body: &str) -> String {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let Some(place) = after.strip_prefix('{') else {
            rest = after.get(digits(after)..).unwrap_or_default();
            continue;
        };
        let (text, after) = split_at_brace(place);
        out.push_str(text.split_once(':').map_or("", |(_, text)| text));
        rest = after;
    }
    out.push_str(rest);
    out.replace("\\}", "}")
}

/// The text up to the first `}` that no backslash protects, and the text after it.
fn split_at_brace(text: &str) -> (&str, &str) {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'}' && !is_escaped {
            return (
                text.get(..at).unwrap_or_default(),
                text.get(at + 1..).unwrap_or_default(),
            );
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_without_their_tab_stops_are_plain_text() {
        assert_eq!(
            plain("${1:fix} [prompt=\"${2:See {stdout:-\\}}\", max_visits=$3]$0"),
            "fix [prompt=\"See {stdout:-}\", max_visits=]"
        );
    }

    /// A block that is inserted and not filled in is valid DOT.
    #[test]
    fn every_block_is_valid_dot() {
        for snippet in BLOCKS.iter().chain(PLAIN) {
            let text = format!("digraph {{\n{}\n}}", plain(&snippet.body));
            assert_eq!(attractor_dot::parse(&text).errors, [], "{text}");
        }
        for snippet in nodes() {
            let text = format!("digraph {{\n{}\n}}", plain(&snippet.body));
            assert_eq!(attractor_dot::parse(&text).errors, [], "{text}");
        }
        for snippet in GRAPHS {
            assert_eq!(
                attractor_dot::parse(&plain(&snippet.body)).errors,
                [],
                "{}",
                snippet.label
            );
        }
    }
}
