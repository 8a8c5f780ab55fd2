//! Pipelines to plans and back: what a plan can say comes back equal, and what it cannot is named.

use proptest::prelude::*;

use super::{changed, pipelines};
use crate::plan::{to_dot, to_json};
use attractor_model::{NodeKind, Pipeline};

/// Texts that have to be quoted in DOT, or could be taken for something else.
fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "plain",
        "two words",
        "it's",
        "a; b, c",
        "{key} $name ${x:-y}",
        "line\nnext",
        "back\\\\slash",
        "\\\"quoted\\\"",
        "5",
        "true",
        "a -> b",
        "größe 🎉",
        "[A] Again",
        "",
    ])
    .prop_map(str::to_owned)
}

/// A kind of node that needs nothing more.
const KINDS: &[&str] = &[
    "prompt=p",
    "shape=parallelogram, command=ls",
    "shape=hexagon",
    "shape=diamond",
    "shape=tab, prompt=p",
    "shape=octagon, reason=r",
    "shape=cylinder",
    "shape=insulator, duration=5s",
    "shape=tripleoctagon",
    "shape=component",
    "handler=codergen, prompt=p",
    "type=task, prompt=p",
    "terminal=true, prompt=p",
];

/// Attributes any node may have.
const MORE: &[&str] = &[
    "max_retries=2",
    "retries=3",
    "max_visits=4",
    "timeout=\"1h30m\"",
    "class=\"hard, loop-a\"",
    "verify=any_output",
    "verify=\"output_contains:a:b\"",
    "verify=\"json:x == 'a'\"",
    "verify=\"file_exists:out.txt\"",
    "verify=\"matches:^ok$\"",
    "goal_gate=true",
    "retry_target=a",
    "writes=\"score, done\"",
    "var.branch=main",
    "env.KEY=\"v\"",
    "\"own.key\"=7",
    "on_failure=route",
    "fontcolor=red",
];

/// What an edge may say.
const EDGES: &[&str] = &[
    "",
    "",
    "[condition=on_success]",
    "[condition=on_fail]",
    "[condition=on_retry]",
    "[condition=on_exhaust]",
    "[condition=always]",
    "[condition=\"outcome=success && x > 3\"]",
    "[when=\"a == 'b'\"]",
    "[label=\"[G] Go\"]",
    "[label=Go, condition=on_fail]",
    "[weight=2]",
    "[priority=-1, condition=\"x=1\"]",
    "[loop_restart=true]",
    "[freeform=true]",
    "[color=red]",
];

fn node() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(KINDS);
    let more = prop::collection::vec(prop::sample::select(MORE), 0..3);
    (kind, text(), more).prop_map(|(kind, label, more)| {
        let label = format!("label=\"{label}\"");
        let pairs: Vec<&str> = [kind, &label].into_iter().chain(more).collect();
        pairs.join(", ")
    })
}

/// A pipeline with defaults, groups, a stylesheet and texts of all sorts.
fn pipeline() -> impl Strategy<Value = String> {
    let graph = prop::sample::subsequence(
        vec![
            "vars=\"repo, branch=main\"",
            "triggers=\"fix it, broken\"",
            "max_steps=50",
            "default_max_retries=1",
            "model_stylesheet=\"* { model: m } .hard { timeout: 5m }\"",
            "goal_conditions=\"x == 'a;b'; y\"",
            "rankdir=LR",
            "own=1",
        ],
        0..5,
    );
    let defaults = prop::sample::select(vec![
        "",
        "node [max_retries=1, fidelity=full]",
        "edge [weight=1]",
    ]);
    let group = any::<bool>();
    let nodes = prop::collection::vec(node(), 3);
    let edges = prop::collection::vec(prop::sample::select(EDGES), 6);
    (graph, text(), defaults, group, nodes, edges).prop_map(|(graph, goal, defaults, group, nodes, edges)| {
        let graph = graph.join("; ");
        let (open, close) = if group { ("subgraph cluster_a { label=\"Loop A\";", "}") } else { ("", "") };
        format!(
            "digraph p {{\n  goal=\"{goal}\"; {graph}\n  start [shape=Mdiamond]\n  {defaults}\n  {open} a [{}]\n  \"my node\" [{}] {close}\n  c [{}]\n  done [shape=Msquare]\n  \
             start -> a {}\n  a -> \"my node\" {}\n  a -> c {}\n  \"my node\" -> c {}\n  c -> a {}\n  c -> done {}\n}}\n",
            nodes[0], nodes[1], nodes[2], edges[0], edges[1], edges[2], edges[3], edges[4], edges[5],
        )
    })
}

/// Kinds plans have a word for.
fn has_a_word(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Start
            | NodeKind::Codergen
            | NodeKind::Conditional
            | NodeKind::Escalate
            | NodeKind::Exit
            | NodeKind::Checkpoint
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_pipeline_goes_there_and_back(text in pipeline()) {
        let before = Pipeline::from_text(&text);
        let library = to_json(&before);
        let (dot, problems) = to_dot(&library.json);
        prop_assert_eq!(&problems, &Vec::<String>::new(), "{}", text);
        let after = Pipeline::from_text(&dot);
        prop_assert_eq!(after.len(), before.len(), "{}", dot);
        // An edge whose meaning changes is reported.
        let is_reported = |what: &String| {
            let ends = what.split_once(": ").and_then(|(ends, _)| ends.split_once(" -> "));
            let edge = ends.map(|(from, to)| format!("the edge from `{from}` to `{to}`"));
            let start = edge.as_ref().unwrap_or(what);
            let edge = |said: &String| said.split(" has ").next()?.split(" is ").next().map(str::to_owned);
            library.beyond.iter().filter_map(edge).any(|edge| start.starts_with(&edge))
        };
        let changes: Vec<String> = changed(&before, &after).into_iter().filter(|what| !is_reported(what)).collect();
        prop_assert_eq!(changes, Vec::<String>::new(), "{}\n{}", text, dot);
        // The plan of what came back is the same plan.
        if !library.beyond.iter().any(|said| said.starts_with("the edge")) {
            prop_assert_eq!(to_json(&after).json, library.json.clone(), "{}", dot);
        }
        for node in before.iter().flat_map(|pipeline| &pipeline.nodes) {
            let does = format!("what `{}` of", node.id);
            let reported = library.beyond.iter().any(|said| said.contains(&does));
            prop_assert_eq!(reported, !has_a_word(node.kind), "{}: {:?}", node.id, library.beyond);
        }
    }
}

#[test]
fn duplicate_pipeline_names_are_reported() {
    let library = to_json(&pipelines(
        "digraph p { start -> a; a [prompt=x] } digraph p { start -> b; b [prompt=x] }",
    ));
    assert!(
        library
            .beyond
            .iter()
            .any(|said| said.contains("two pipelines are called `p`")),
        "{:?}",
        library.beyond
    );
}
