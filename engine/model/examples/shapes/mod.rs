//! The graphs that speed and memory are measured on: ordinary pipelines, and graphs made to hurt.

use std::fmt::Write;

/// Makes a graph of that many nodes.
pub(crate) type Make = fn(usize) -> String;

/// Every graph by name.
pub(crate) const SHAPES: &[(&str, Make)] = &[
    ("ordinary", ordinary),
    ("one hub", hub),
    ("one long cycle", ring),
    ("parallel branches", parallel),
    ("long conditions", conditions),
    ("every target a slip", slips),
    ("nothing declared", undeclared),
    ("defaults in scope", defaults),
];

/// 160 bytes a node: a chain of agents, tools and gates with loops back, like pipelines in the wild.
fn ordinary(size: usize) -> String {
    let mut text = String::from(
        "digraph Big {\n    graph [goal=\"Measure\", model_stylesheet=\"* { model: claude-sonnet-5-5; } .hard { reasoning_effort: high; }\"]\n    start [shape=Mdiamond]\n    done [shape=Msquare]\n    start -> n0\n",
    );
    for i in 0..size {
        let next = if i + 1 == size {
            "done".to_owned()
        } else {
            format!("n{}", i + 1)
        };
        let _ = match i % 10 {
            3 => writeln!(
                text,
                "    n{i} [shape=parallelogram, label=\"Check {i}\", command=\"make check-{i}\", timeout=\"5m\"]\n    n{i} -> {next} [condition=\"outcome=success\"]\n    n{i} -> n{} [condition=\"outcome=fail\"]",
                i - 1
            ),
            7 => writeln!(
                text,
                "    n{i} [shape=hexagon, label=\"Review {i}\"]\n    n{i} -> {next} [label=\"[A] Approve\"]\n    n{i} -> n{} [label=\"[R] Reject\"]",
                i - 2
            ),
            _ => writeln!(
                text,
                "    n{i} [label=\"Step {i}\", class=\"hard\", prompt=\"Work on part {i} of $goal, then report what changed and why.\", max_retries=2]\n    n{i} -> {next}"
            ),
        };
    }
    text.push_str("}\n");
    text
}

fn hub(size: usize) -> String {
    let mut text = String::from(
        "digraph {\n    start [shape=Mdiamond]\n    hub [shape=hexagon]\n    start -> hub\n",
    );
    for i in 0..size {
        let _ = writeln!(
            text,
            "    hub -> n{i} [label=\"Choice {i}\"]\n    n{i} [prompt=\"Do {i}\"]\n    n{i} -> hub"
        );
    }
    text.push_str("}\n");
    text
}

fn ring(size: usize) -> String {
    let mut text = String::from("digraph {\n    start [shape=Mdiamond]\n    start -> n0\n");
    for i in 0..size {
        let _ = writeln!(
            text,
            "    n{i} [prompt=\"Do {i}, using {{key{i}}}\", output_key=\"key{i}\"]\n    n{i} -> n{}",
            (i + 1) % size
        );
    }
    text.push_str("}\n");
    text
}

fn parallel(size: usize) -> String {
    let mut text = String::from(
        "digraph {\n    start [shape=Mdiamond]\n    fan [shape=component]\n    join [shape=tripleoctagon]\n    start -> fan\n",
    );
    for i in 0..size {
        let _ = writeln!(
            text,
            "    fan -> b{i} -> join\n    b{i} [prompt=\"Draft {i}\", output_key=\"draft{i}\"]"
        );
    }
    text.push_str("    join -> done\n    done [shape=Msquare, prompt=\"{b1.draft1}\"]\n}\n");
    text
}

/// Conditions of 1,000 clauses, a hundredth as many edges as the size.
fn conditions(size: usize) -> String {
    let mut text = String::from("digraph {\n    start [shape=Mdiamond]\n    start -> c0\n");
    for i in 0..size / 500 {
        let clauses: Vec<_> = (0..1_000).map(|k| format!("k{k}=v{}", k + i)).collect();
        let _ = writeln!(
            text,
            "    c{i} [shape=diamond]\n    c{i} -> c{} [condition=\"{}\"]\n    c{i} -> out [condition=\"{}\"]",
            i + 1,
            clauses.join(" && "),
            clauses.join(" || ")
        );
    }
    text.push_str("}\n");
    text
}

fn slips(size: usize) -> String {
    let mut text = String::from("digraph {\n    start [shape=Mdiamond]\n    start -> node0\n");
    for i in 0..size {
        let _ = writeln!(
            text,
            "    node{i} [prompt=\"Do {i}\", retry_target=\"nodee{i}\", promt=x]\n    node{i} -> node{}",
            i + 1
        );
    }
    text.push_str("}\n");
    text
}

fn undeclared(size: usize) -> String {
    let mut text = String::from("digraph {\n    goal=x\n    start -> n0\n");
    for i in 0..size {
        let _ = writeln!(text, "    n{i} -> n{}", i + 1);
    }
    text.push_str("}\n");
    text
}

/// What a few lines say for all nodes: defaults, and attributes of the graph.
fn defaults(size: usize) -> String {
    let mut text = String::from(
        "digraph {\n    graph [goal=x, model=sonnet, provider=anthropic, default_max_retries=2]\n    node [shape=box, timeout=\"10m\", fontname=Helvetica]\n    edge [color=gray]\n    start [shape=Mdiamond]\n    start -> n0\n",
    );
    for i in 0..size {
        let _ = writeln!(text, "    n{i} [prompt=\"Do {i}\"]\n    n{i} -> n{}", i + 1);
    }
    text.push_str("}\n");
    text
}
