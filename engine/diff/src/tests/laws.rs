//! What is the same pipeline has no difference, and each pipeline differs from others.

use attractor_dot::format::{Align, Indent, Options, Semicolons, Sort, format};
use proptest::prelude::*;

use super::{differences, drawn};

/// The attributes of a node of some kind.
fn attributes() -> impl Strategy<Value = Vec<String>> {
    let kind = prop::sample::select(vec![
        "prompt=\"Write the code, then test it\"",
        "shape=hexagon, prompt=\"Continue?\"",
        "shape=parallelogram, command=\"make test | tee log\"",
        "shape=diamond",
        "type=agent",
        "handler=wait, duration=5s",
        "shape=folder, sub_pipeline=other",
        "shape=component, branches=\"n0, n1\"",
    ]);
    let more = prop::collection::vec(
        prop::sample::select(vec![
            "llm_model=m",
            "timeout=90",
            "retries=2",
            "class=\"hard .late\"",
            "goal_gate=yes",
            "retry_target=n0",
            "temperature=0.50",
            "label=\"A b\"",
            "fillcolor=red",
            "mine=\"a  b\"",
            "var.x=1",
        ]),
        0..4,
    );
    (kind, more).prop_map(|(kind, more)| {
        let mut pairs: Vec<String> = std::iter::once(kind)
            .chain(more)
            .map(str::to_owned)
            .collect();
        pairs.dedup();
        pairs
    })
}

/// A pipeline in statements that can be put in any order.
#[derive(Clone, Debug)]
struct Draft {
    nodes: Vec<Vec<String>>,
    edges: Vec<(usize, usize, &'static str)>,
}

fn draft() -> impl Strategy<Value = Draft> {
    let condition = prop::sample::select(vec![
        "",
        "condition=\"outcome=success\"",
        "when=\"outcome == 'fail' or x\", priority=2",
        "label=\"[Y] Yes\"",
        "weight=3, condition=on_fail",
    ]);
    let edges = prop::collection::vec((0usize..6, 0usize..6, condition), 0..10);
    let nodes = prop::collection::vec(attributes(), 6);
    (nodes, edges).prop_map(|(nodes, mut edges)| {
        edges.sort_unstable();
        edges.dedup();
        Draft { nodes, edges }
    })
}

impl Draft {
    fn statements(&self) -> Vec<String> {
        let nodes = self.nodes.iter().enumerate();
        let nodes = nodes.map(|(at, pairs)| format!("n{at} [{}]", pairs.join(", ")));
        let edges = self.edges.iter();
        let edges = edges.map(|(from, to, own)| format!("n{from} -> n{to} [{own}]"));
        nodes.chain(edges).collect()
    }

    fn text(&self) -> String {
        graph(&self.statements())
    }
}

fn graph(statements: &[String]) -> String {
    let fixed = "goal=\"Ship it\"; model_stylesheet=\".hard { model: big } n1 { timeout: 5m }\"; default_max_retries=1; start [shape=Mdiamond]; start -> n0";
    format!("digraph g {{\n{fixed}\n{}\n}}\n", statements.join("\n"))
}

fn same(old: &str, new: &str) -> Result<(), TestCaseError> {
    let found = differences(old, new);
    prop_assert!(found.is_empty(), "{}\n{old}\n{new}", drawn(&found));
    Ok(())
}

/// The formatter's options in every combination.
fn every_option(width: usize) -> impl Iterator<Item = Options> {
    let indents = [Indent::Spaces(2), Indent::Tab];
    let aligns = [Align::Lists, Align::Nothing];
    let semicolons = [Semicolons::Keep, Semicolons::Always, Semicolons::Never];
    let sorts = [Sort::Keep, Sort::Attributes];
    (0..24).map(move |at| Options {
        indent: indents[at % 2],
        width,
        align: aligns[at / 2 % 2],
        semicolons: semicolons[at / 4 % 3],
        sort: sorts[at / 12],
    })
}

/// The same text with quotes around what may have them.
fn quoted(text: &str) -> String {
    text.replace("retries=2", "\"retries\"=\"2\"")
        .replace("timeout=90", "timeout=\"1m30s\"")
        .replace("type=agent", "\"type\"=\"agent\"")
        .replace("n0 ->", "\"n0\" ->")
        .replace("priority=2", "priority=\"2\"")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_formatted_pipeline_is_the_same(draft in draft(), width in 20usize..120) {
        let text = draft.text();
        for options in every_option(width) {
            same(&text, &format(&text, &options))?;
        }
    }

    #[test]
    fn a_sorted_pipeline_is_the_same(draft in draft(), seed in any::<u64>()) {
        let mut statements = draft.statements();
        statements.sort_by_key(|one| {
            one.bytes().fold(seed, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
        });
        same(&draft.text(), &graph(&statements))?;
    }

    #[test]
    fn other_quotes_are_the_same(draft in draft()) {
        let text = draft.text();
        same(&text, &quoted(&text))?;
    }

    #[test]
    fn nodes_in_a_subgraph_are_the_same(draft in draft()) {
        let mut statements = draft.statements();
        let inside: Vec<String> = statements.drain(0..2).collect();
        statements.insert(0, format!("subgraph cluster_s {{ color=blue; {} }}", inside.join("; ")));
        same(&draft.text(), &graph(&statements))?;
    }

    #[test]
    fn defaults_for_one_node_are_the_same(draft in draft()) {
        // What is written on a node counts more for its kind than defaults.
        let pairs = draft.nodes[5].join(", ");
        prop_assume!(!pairs.contains("shape=") && !pairs.contains("command="));
        let mut statements = draft.statements();
        let mut own = draft.clone();
        own.nodes[5].push("timeout=7".to_owned());
        statements[5] = format!("subgraph {{ node [{}]; n5 }}", own.nodes[5].join(", "));
        same(&own.text(), &graph(&statements))?;
    }

    #[test]
    fn both_directions_have_as_many_changes(old in draft(), new in draft()) {
        let there = differences(&old.text(), &new.text());
        let back = differences(&new.text(), &old.text());
        prop_assert_eq!(there.is_empty(), back.is_empty());
    }

    #[test]
    fn a_new_id_is_one_change(draft in draft(), at in 0usize..6) {
        let text = draft.text();
        let renamed = text.replace(&format!("n{at}"), &format!("renamed{at}"));
        let found = differences(&text, &renamed);
        let mentioned = draft.edges.iter().any(|(from, to, _)| (*from == at) != (*to == at));
        prop_assume!(mentioned || at == 0);
        // Attributes that follow the id, and the order of edges, may change with it.
        let other = found.iter().flat_map(|one| &one.changes).filter(|one| {
            !matches!(one.change, crate::ChangeKind::Renamed | crate::ChangeKind::Reordered)
        });
        let is_ambiguous = (0..6).any(|other| other != at && draft.nodes[other] == draft.nodes[at]);
        prop_assert!(is_ambiguous || other.count() == 0, "{}\n{text}", drawn(&found));
    }
}
