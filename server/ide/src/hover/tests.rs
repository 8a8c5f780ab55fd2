//! What a hover says: a text with `$0`, the text it is about, and the page.

use expect_test::{Expect, expect};

use super::hover;
use crate::fixture::cursor;
use crate::runs::{NodeState, NodeView, Reality, RunState, RunView};

#[track_caller]
fn check(fixture: &str, expect: Expect) {
    let (doc, offset) = cursor(fixture);
    let hover = hover(&doc, offset, &[]).unwrap();
    expect.assert_eq(&format!(
        "[{}]\n{}",
        hover.range.text(&doc.text),
        hover.markdown
    ));
}

const PIPELINE: &str = "digraph ship {
  goal=\"Ship it\"
  model_stylesheet=\"* { model: claude-haiku-5-5 } .slow { model: gpt-6-astra }\"
  start [shape=Mdiamond]
  node [max_retries=2]
  build [label=\"Build all\", prompt=\"Build {stdout}\", class=slow, timeout=5m]
  done [shape=Msquare]
  start -> build
  build -> done [condition=\"outcome=success and retries < 3\", weight=2]
  build -> build [label=\"again\"]
}";

/// The pipeline with the cursor at the first place where `at` is found.
fn on(at: &str) -> String {
    let cursor = at.replace("$0", "");
    PIPELINE.replacen(&cursor, at, 1)
}

#[test]
fn attributes() {
    check(
        &on("max_re$0tries"),
        expect![[r#"
        [max_retries]
        **`max_retries`** — integer from 0

        Retries after the first attempt. Defaults to the graph's `default_max_retries`.

        On every node.

        Also written `retry_count`, `retries`.

    "#]],
    );
    check(
        &on("sh$0ape=Mdiamond"),
        expect![[r#"
        [shape]
        **`shape`** — shape

        Shape of the drawing; some shapes choose what the node does (`hexagon` asks a person, `parallelogram` runs a command, …).

        On every node.

    "#]],
    );
    check(
        "digraph { a [color$0=red] }",
        expect![[r#"
            [color]
            **`color`** — Graphviz, colours

            Colour of lines.

            Default: `black`.
        "#]],
    );
    check(
        "digraph { goal=x; a [my$0_own=1] }",
        expect![[r#"
        [my_own]
        **`my_own`** — not in the catalogue

        Kept, and handed to the node's handler.
    "#]],
    );
}

#[test]
fn nodes() {
    check(
        &on("$0build ["),
        expect![[r#"
            [build]
            **`build`** — codergen · Build all

            Runs the coding agent on a prompt.

            - prompt: `Build {stdout}`
            - model: `gpt-6-astra` — from the stylesheet rule `.slow`, line 3
            - timeout: `5m`
            - max_retries: `2` — from `node [...]`, line 5
            - class: `slow`

            Continues to, in this order:

            1. `done` when `outcome=success and retries < 3`
            2. `build` for the label `again`, or when no other edge matches

            A failure of `build` leads to `build`.

            Comes from `start`, `build`
        "#]],
    );
    check(
        &on("-> bu$0ild [label"),
        expect![[r#"
            [build]
            **`build`** — codergen · Build all

            Runs the coding agent on a prompt.

            - prompt: `Build {stdout}`
            - model: `gpt-6-astra` — from the stylesheet rule `.slow`, line 3
            - timeout: `5m`
            - max_retries: `2` — from `node [...]`, line 5
            - class: `slow`

            Continues to, in this order:

            1. `done` when `outcome=success and retries < 3`
            2. `build` for the label `again`, or when no other edge matches

            A failure of `build` leads to `build`.

            Comes from `start`, `build`
        "#]],
    );
    check(
        "digraph { a$0 -> b -> a }",
        expect![[r#"
        [a]
        **`a`** — node

        Leads to `b`

        Comes from `b`

    "#]],
    );
}

#[test]
fn values() {
    check(
        &on("shape=Mdia$0mond"),
        expect![[r#"
        [Mdiamond]
        Shape `Mdiamond` chooses the node kind:

        **`start`** — Where a run begins.

        Does nothing by itself, unless it has a prompt or a command. A pipeline has exactly one start: `start=true`, else the shape `Mdiamond`, else the node named `start`.

        Shapes: `Mdiamond`.

        ```dot
        start [shape=Mdiamond]
        ```
    "#]],
    );
    check(
        &on("{std$0out}"),
        expect![[r#"
        [stdout]
        **`stdout`** — context key, string

        What the last command wrote to its standard output. Set by `tool` nodes.

        Read in 1 place of this graph.
    "#]],
    );
    check(
        &on("outcome=suc$0cess"),
        expect![[r#"
            ["outcome=success and retries < 3"]
            **condition**

            True when the outcome is `success` and `retries` is less than 3.

            - `outcome`: Outcome of the last node: `success`, `partial_success`, `fail`, `retry`, `skipped`, or a word of its own. Set after every node.
            - `retries`: Number of retries of the current node. Set from the beginning.
        "#]],
    );
    check(
        &on("class=sl$0ow"),
        expect![[r#"
        [slow]
        **`.slow`** — class

        On `build`
    "#]],
    );
    check(
        "digraph { goal=x; a [handler=to$0ol] }",
        expect![[r#"
            [tool]
            **`tool`** — Runs a shell command.

            Runs `command` in the working folder. Exit code 0 is success. Sets `exit_code`, `stdout`, `stderr`, `tool.output` and `tool.last_line`. Every value inserted by `{key}` is shell-quoted.

            Also written `command`, `shell`, `exec`.

            Shapes: `parallelogram`.

            ```dot
            test [shape=parallelogram, command="cargo test", timeout="10m"]
            ```
        "#]],
    );
    check(
        "digraph { goal=x; a [prompt=x, reasoning_effort=hi$0gh] }",
        expect![[r#"
        [high]
        **`high`** — Think long.
    "#]],
    );
}

#[test]
fn edges_and_graphs() {
    check(
        &on("build $0-> done"),
        expect![[r#"
            [->]
            **`build` → `done`**

            Taken when `outcome=success and retries < 3`.

            That is when the outcome is `success` and `retries` is less than 3.

            A failure of `build` leads to `build`.

            Number 1 of 2 in routing order (priority 0, weight 2).

        "#]],
    );
    check(
        &on("digraph sh$0ip"),
        expect![[r#"
        [ship]
        **`ship`** — pipeline, 3 nodes, 3 edges

        Goal: Ship it

        Dialect: attractor

        Starts at `start`

    "#]],
    );
    check(
        &on("no$0de [max"),
        expect![[r#"
        [node]
        Defaults for nodes first mentioned after this statement in this block."#]],
    );
    check(
        "digr$0aph { a -> b }",
        expect![[r#"
        [digraph]
        **graph** — directed graph, 2 nodes, 1 edge

        Not a pipeline: it has no start node, `goal` or other pipeline attribute.
    "#]],
    );
    check(
        "digraph { subgraph clus$0ter_x { label=\"Checks\"; a b } }",
        expect![[r#"
        [cluster_x]
        **`cluster_x`** — subgraph, 2 nodes

        Checks

        Drawn as a box because its name starts with `cluster`.
    "#]],
    );
}

#[test]
fn nothing_is_said_where_nothing_is() {
    for fixture in [
        "$0",
        "digraph { $0 }",
        "digraph { // a$0\n }",
        "digraph { a [$0 ] }",
    ] {
        let (doc, offset) = cursor(fixture);
        assert_eq!(hover(&doc, offset, &[]), None, "{fixture}");
    }
}

#[test]
fn a_lone_edge_is_always_taken_and_commands_have_no_model() {
    check(
        "digraph { goal=x; model=opus; s [shape=Mdiamond]; t [shape=parallelogram, command=make]; s -> t; t $0-> e }",
        expect![[r#"
            [->]
            **`t` → `e`**

            Taken after a success.

            A failure of `t` ends the run.

        "#]],
    );
    check(
        "digraph { goal=x; model_stylesheet=\"* { model: opus; reasoning_effort: high }\"; s [shape=Mdiamond]; t$0 [shape=parallelogram, command=make]; g [shape=hexagon]; s -> t -> g; g -> e }",
        expect![[r#"
            [t]
            **`t`** — tool

            Runs a shell command.

            - command: `make`

            Continues to:

            1. `g` after a success

            A failure of `t` ends the run.

            Comes from `s`
        "#]],
    );
}

#[test]
fn node_status_shows_simulation() {
    let last_run = |simulated| {
        let (doc, offset) = cursor(&on("bu$0ild [label"));
        let run = RunView {
            resumable: false,
            run: "r1".into(),
            graph: "ship".into(),
            state: RunState::Success,
            reality: Reality::of_models(1, usize::from(simulated)),
            current: None,
            done: 3,
            total: 3,
            nodes: vec![NodeView {
                id: "build".into(),
                state: NodeState::Success,
                summary: "2.3 s".into(),
                simulated: false,
                output: String::new(),
                changed_files: false,
            }],
            questions: Vec::new(),
            report: None,
        };
        let page = hover(&doc, offset, &[run]).unwrap().markdown;
        page.lines().last().unwrap().to_owned()
    };
    expect!["Last run: ✓ 2.3 s"].assert_eq(&last_run(false));
    expect!["Last run: ✓ 2.3 s · simulated"].assert_eq(&last_run(true));
}

#[test]
fn a_node_shows_what_its_model_will_see() {
    check(
        "digraph { goal=\"Ship it\"; s [shape=Mdiamond]; e [shape=Msquare]
  plan [prompt=Plan]; re$0view [prompt=Review, fidelity=\"summary:low\"]
  s -> plan -> review -> e }",
        expect![[r#"
            [review]
            **`review`** — codergen

            Runs the coding agent on a prompt.

            - prompt: `Review`
            - fidelity: `summary:low`

            Continues to:

            1. `e` after a success

            A failure of `review` ends the run.

            Comes from `plan`

            With `fidelity=summary:low` the model sees before the prompt:

            ```text
            Goal: Ship it
            Steps so far:
            - s: success
            - plan: success
              (the answer of plan)
            ```
        "#]],
    );
}

#[test]
fn branches_have_no_order_and_a_failure_is_explained() {
    for (statements, says) in [
        (
            "fo$0rk [shape=component]; s -> fork; fork -> a -> e; fork -> b -> e",
            "Starts these branches, which run concurrently:\n\n- `a`\n- `b`",
        ),
        (
            "s -> fork; fork [shape=component]; fork $0-> a -> e; fork -> b -> e",
            "Starts a branch. The branches of `fork` run concurrently.",
        ),
        (
            "s -> t; t [command=make]; t -> a; t $0-> b",
            "Taken never: the edge to `a` comes first and has no condition.",
        ),
        (
            "s -> t; t [command=make, retry_target=s]; t $0-> b",
            "Taken after a success.\n\nAfter a failure of `t` the run continues at the retry target `s`.",
        ),
    ] {
        let (doc, offset) = cursor(&format!(
            "digraph {{ goal=x; s [shape=Mdiamond]; e [shape=Msquare]; {statements} }}"
        ));
        let page = hover(&doc, offset, &[]).unwrap().markdown;
        assert!(page.contains(says), "{page}");
        assert!(!page.contains("in this order"), "{page}");
    }
}
