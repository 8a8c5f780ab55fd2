//! The graphs that speed and memory are measured on: ordinary pipelines, and graphs made to hurt.

/// Makes a graph of that many nodes.
pub(crate) type Make = fn(usize) -> String;

/// Every graph by name.
pub(crate) const SHAPES: &[(&str, Make)] = &[
    ("ordinary", ordinary),
    ("one hub", hub),
    ("one long cycle", ring),
    ("parallel branches", parallel),
    ("long conditions", conditions),
    ("every target a typo", typos),
    ("nothing declared", undeclared),
    ("defaults in scope", defaults),
];

/// The first statement of most graphs.
const START: &str = "    start [shape=Mdiamond]\n";

/// A digraph of `head`, what `part` writes for each number below `parts`, and `tail`.
fn graph(head: &str, parts: usize, part: impl Fn(usize) -> String, tail: &str) -> String {
    let mut text = format!("digraph {{\n{head}");
    for i in 0..parts {
        text.push_str(&part(i));
    }
    text.push_str(tail);
    text.push_str("}\n");
    text
}

/// 160 bytes a node: a chain of agents, tools and gates with loops back, like pipelines in the wild.
fn ordinary(size: usize) -> String {
    let part = |i: usize| {
        let next = if i + 1 == size {
            "done".to_owned()
        } else {
            format!("n{}", i + 1)
        };
        match i % 10 {
            3 => format!(
                "    n{i} [shape=parallelogram, label=\"Check {i}\", command=\"make check-{i}\", timeout=\"5m\"]\n    n{i} -> {next} [condition=\"outcome=success\"]\n    n{i} -> n{} [condition=\"outcome=fail\"]\n",
                i - 1
            ),
            7 => format!(
                "    n{i} [shape=hexagon, label=\"Review {i}\"]\n    n{i} -> {next} [label=\"[A] Approve\"]\n    n{i} -> n{} [label=\"[R] Reject\"]\n",
                i - 2
            ),
            _ => format!(
                "    n{i} [label=\"Step {i}\", class=\"hard\", prompt=\"Work on part {i} of $goal, then report what changed and why.\", max_retries=2]\n    n{i} -> {next}\n"
            ),
        }
    };
    graph(
        &format!(
            "    graph [goal=\"Measure\", model_stylesheet=\"* {{ model: claude-sonnet-5-5; }} .hard {{ reasoning_effort: high; }}\"]\n{START}    done [shape=Msquare]\n    start -> n0\n"
        ),
        size,
        part,
        "",
    )
}

fn hub(size: usize) -> String {
    graph(
        &format!("{START}    hub [shape=hexagon]\n    start -> hub\n"),
        size,
        |i| {
            format!(
                "    hub -> n{i} [label=\"Choice {i}\"]\n    n{i} [prompt=\"Do {i}\"]\n    n{i} -> hub\n"
            )
        },
        "",
    )
}

fn ring(size: usize) -> String {
    graph(
        &format!("{START}    start -> n0\n"),
        size,
        |i| {
            format!(
                "    n{i} [prompt=\"Do {i}, using {{key{i}}}\", output_key=\"key{i}\"]\n    n{i} -> n{}\n",
                (i + 1) % size
            )
        },
        "",
    )
}

fn parallel(size: usize) -> String {
    graph(
        &format!(
            "{START}    fan [shape=component]\n    join [shape=tripleoctagon]\n    start -> fan\n"
        ),
        size,
        |i| {
            format!(
                "    fan -> b{i} -> join\n    b{i} [prompt=\"Draft {i}\", output_key=\"draft{i}\"]\n"
            )
        },
        "    join -> done\n    done [shape=Msquare, prompt=\"{b1.draft1}\"]\n",
    )
}

/// Conditions of 1,000 clauses, a hundredth as many edges as the size.
fn conditions(size: usize) -> String {
    let part = |i: usize| {
        let clauses: Vec<_> = (0..1_000).map(|k| format!("k{k}=v{}", k + i)).collect();
        format!(
            "    c{i} [shape=diamond]\n    c{i} -> c{} [condition=\"{}\"]\n    c{i} -> out [condition=\"{}\"]\n",
            i + 1,
            clauses.join(" && "),
            clauses.join(" || ")
        )
    };
    graph(&format!("{START}    start -> c0\n"), size / 500, part, "")
}

fn typos(size: usize) -> String {
    graph(
        &format!("{START}    start -> node0\n"),
        size,
        |i| {
            format!(
                "    node{i} [prompt=\"Do {i}\", retry_target=\"nodee{i}\", promt=x]\n    node{i} -> node{}\n",
                i + 1
            )
        },
        "",
    )
}

fn undeclared(size: usize) -> String {
    graph(
        "    goal=x\n    start -> n0\n",
        size,
        |i| format!("    n{i} -> n{}\n", i + 1),
        "",
    )
}

/// What a few lines say for all nodes: defaults, and attributes of the graph.
fn defaults(size: usize) -> String {
    graph(
        &format!(
            "    graph [goal=x, model=sonnet, provider=anthropic, default_max_retries=2]\n    node [shape=box, timeout=\"10m\", fontname=Helvetica]\n    edge [color=gray]\n{START}    start -> n0\n"
        ),
        size,
        |i| format!("    n{i} [prompt=\"Do {i}\"]\n    n{i} -> n{}\n", i + 1),
        "",
    )
}
