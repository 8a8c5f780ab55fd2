//! Drawings of small graphs.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use expect_test::expect;

use super::{Drawing, Mark};
use crate::Options;
use crate::graphs::read;

fn drawing(text: &str) -> Drawing {
    let text = text.into();
    let graphs = read(&text, &attractor_dot::parse(&text), &Options::default());
    Drawing::of(graphs.first().unwrap())
}

const PIPELINE: &str = "digraph ship {\n    goal=\"Ship \\\"it\\\" <soon>\"\n    rankdir=LR\n    end [shape=Msquare]\n    start [shape=Mdiamond]\n    ask [shape=hexagon, label=\"Ship?\\nReally\"]\n    \"my test\" [command=\"make #1\", label=\"Run | tests\"]\n    start -> \"my test\"\n    \"my test\" -> ask [condition=\"outcome=success\"]\n    \"my test\" -> start [label=again, condition=\"outcome=fail && n < 3\"]\n    ask -> end [label=\"[Y] Yes\"]\n    ask -> start\n}";

#[test]
fn a_pipeline_as_mermaid() {
    expect![[r#"
        flowchart LR
            start(["start"])
            node_1[/"Run | tests"/]
            ask{{"Ship?<br/>Really"}}
            node_3(["end"])
            start --> node_1
            node_1 -->|"outcome=success"| ask
            node_1 -->|"again: outcome=fail #amp;#amp; n #lt; 3"| start
            ask -->|"[Y] Yes"| node_3
            ask --> start
    "#]]
    .assert_eq(&drawing(PIPELINE).mermaid());
}

#[test]
fn a_difference_as_mermaid() {
    let mut marked =
        drawing("digraph { a [shape=Mdiamond]; a -> b [label=x]; a -> c; b -> c; c -> a }");
    let parts = [Mark::Added, Mark::Changed, Mark::Removed];
    for (node, mark) in marked.nodes.iter_mut().zip(parts) {
        node.mark = Some(mark);
    }
    for (edge, mark) in marked.edges.iter_mut().zip(parts) {
        edge.mark = Some(mark);
    }
    expect![[r#"
        flowchart TD
            a(["a (new)"])
            b["b (changed)"]
            c["c (removed)"]
            a ==>|"x"| b
            a -->|"(changed)"| c
            b -.-> c
            c --> a
            classDef added fill:#dafbe1,stroke:#1a7f37,color:#1f2328
            class a added
            linkStyle 0 stroke:#1a7f37
            classDef changed fill:#fff8c5,stroke:#9a6700,color:#1f2328
            class b changed
            linkStyle 1 stroke:#9a6700
            classDef removed fill:#ffebe9,stroke:#cf222e,color:#1f2328
            class c removed
            linkStyle 2 stroke:#cf222e
    "#]]
    .assert_eq(&marked.mermaid());
}

#[test]
fn a_pipeline_as_an_outline() {
    expect![[r#"
        ship: Ship "it" <soon>

        start  [start]
          -> my test
        my test  [tool]  Run | tests
          -> ask  outcome=success
          -> start  again: outcome=fail && n < 3
        ask  [human_gate]  Ship? Really
          -> end  [Y] Yes
          -> start
        end  [exit]
    "#]]
    .assert_eq(&drawing(PIPELINE).outline());
}

#[test]
fn plain_graphs_are_drawn_too() {
    let plain = drawing("graph { a -- b -- a [label=x]; b [label=\"B\"] }");
    expect![[r#"
        flowchart TD
            a["a"]
            b["B"]
            a ---|"x"| b
            b ---|"x"| a
    "#]]
    .assert_eq(&plain.mermaid());
    expect![[r#"
        a
          -- b  x
        b  B
          -- a  x
    "#]]
    .assert_eq(&plain.outline());
}

const LOOP: &str = "digraph fix { goal=\"Fix it\"
    start [shape=Mdiamond]; done [shape=Msquare]; review [shape=hexagon]
    plan [prompt=p]; build [prompt=b]; test [shape=parallelogram, command=t]; lint [shape=parallelogram, command=l]
    docs [prompt=d]; merge [shape=tripleoctagon]; fan [shape=component]
    start -> plan -> fan; fan -> build; fan -> docs; build -> test -> merge
    build -> lint -> merge; docs -> merge; merge -> review
    review -> done [label=\"[A] Approve\"]
    review -> plan [label=\"[R] Revise\"]
    review -> abandoned [label=\"[X] Give up\"]
    abandoned -> done
}";

#[test]
fn a_pipeline_in_layers() {
    for columns in [60, 80, 120] {
        assert_eq!(drawing(LOOP).layered(columns), drawing(LOOP).layered(60));
    }
    expect![[r#"
        fix: Fix it

                     ╭───────╮
                     │ start │
                     ╰───┬───╯
                         ▼
                     ┌──────┐
                     │ plan │
                     └───┬──┘
                         ▼
                      ┌─────┐
                      │ fan │
                      └──┬──┘
                   ┌─────┴─────┐
                   ▼           ▼
               ┌───────┐   ┌──────┐
               │ build │   │ docs │
               └───┬───┘   └───┬──┘
              ┌────┴─────┐     └┐
              ▼          ▼      │
          ┌──────┐   ┌──────┐   │
          │ lint │   │ test │   │
          └───┬──┘   └───┬──┘   │
              └────────┬─┴──────┘
                       ▼
                   ┌───────┐
                   │ merge │
                   └───┬───┘
                       ▼
                  ╔════════╗
                  ║ review ║
                  ╚════╤═══╝
              ┌────────┴────────┐
              ▼ [X] Give up     │ [A] Approve
        ┌───────────┐           │
        │ abandoned │           │
        └─────┬─────┘           │
              └────────┬────────┘
                       ▼
                   ╭──────╮
                   │ done │
                   ╰──────╯

        review ↩ plan  [R] Revise
    "#]]
    .assert_eq(&drawing(LOOP).layered(60).unwrap());
}

/// `count` nodes between the start and the end, with conditions.
fn fan(count: usize) -> String {
    let branches = (1..=count).map(|branch| {
        format!("split -> branch_{branch} [label=\"case {branch}\"]; branch_{branch} -> done;")
    });
    let branches: String = branches.collect();
    format!(
        "digraph {{ start [shape=Mdiamond]; done [shape=Msquare]; start -> split; {branches} }}"
    )
}

#[test]
fn captions_are_listed_where_they_do_not_fit() {
    let four = drawing(&fan(4));
    expect![[r#"
                                ╭───────╮
                                │ start │
                                ╰───┬───╯
                                    ▼
                                ┌───────┐
                                │ split │
                                └───┬───┘
              ┌──────────────┬──────┴───────┬──────────────┐
              ▼              ▼              ▼              ▼
        ┌──────────┐   ┌──────────┐   ┌──────────┐   ┌──────────┐
        │ branch_1 │   │ branch_2 │   │ branch_3 │   │ branch_4 │
        └─────┬────┘   └─────┬────┘   └─────┬────┘   └─────┬────┘
              └──────────────┴──────┬───────┴──────────────┘
                                    ▼
                                ╭──────╮
                                │ done │
                                ╰──────╯

        split → branch_1  case 1
        split → branch_2  case 2
        split → branch_3  case 3
        split → branch_4  case 4
    "#]]
    .assert_eq(&four.layered(60).unwrap());
    expect![[r#"
                                      ╭───────╮
                                      │ start │
                                      ╰───┬───╯
                                          ▼
                                      ┌───────┐
                                      │ split │
                                      └───┬───┘
              ┌──────────────────┬────────┴─────────┬──────────────────┐
              ▼ case 1           ▼ case 2           ▼ case 3           ▼ case 4
        ┌──────────┐       ┌──────────┐       ┌──────────┐       ┌──────────┐
        │ branch_1 │       │ branch_2 │       │ branch_3 │       │ branch_4 │
        └─────┬────┘       └─────┬────┘       └─────┬────┘       └─────┬────┘
              └──────────────────┴────────┬─────────┴──────────────────┘
                                          ▼
                                      ╭──────╮
                                      │ done │
                                      ╰──────╯
    "#]]
    .assert_eq(&four.layered(80).unwrap());
}

#[test]
fn what_is_too_wide_is_not_drawn() {
    let eight = drawing(&fan(8));
    assert_eq!(eight.layered(60), None);
    assert_eq!(eight.layered(80), None);
    expect![[r#"
                                                              ╭───────╮
                                                              │ start │
                                                              ╰───┬───╯
                                                                  ▼
                                                              ┌───────┐
                                                              │ split │
                                                              └───┬───┘
              ┌──────────────┬──────────────┬──────────────┬──────┴───────┬──────────────┬──────────────┬──────────────┐
              ▼              ▼              ▼              ▼              ▼              ▼              ▼              ▼
        ┌──────────┐   ┌──────────┐   ┌──────────┐   ┌──────────┐   ┌──────────┐   ┌──────────┐   ┌──────────┐   ┌──────────┐
        │ branch_1 │   │ branch_2 │   │ branch_3 │   │ branch_4 │   │ branch_5 │   │ branch_6 │   │ branch_7 │   │ branch_8 │
        └─────┬────┘   └─────┬────┘   └─────┬────┘   └─────┬────┘   └─────┬────┘   └─────┬────┘   └─────┬────┘   └─────┬────┘
              └──────────────┴──────────────┴──────────────┴──────┬───────┴──────────────┴──────────────┴──────────────┘
                                                                  ▼
                                                              ╭──────╮
                                                              │ done │
                                                              ╰──────╯

        split → branch_1  case 1
        split → branch_2  case 2
        split → branch_3  case 3
        split → branch_4  case 4
        split → branch_5  case 5
        split → branch_6  case 6
        split → branch_7  case 7
        split → branch_8  case 8
    "#]].assert_eq(&eight.layered(120).unwrap());
    assert_eq!(drawing("digraph { 漢 -> 字 }").layered(80), None);
}

#[test]
fn lines_over_several_layers_and_crossings() {
    expect![[r#"
           ┌───┐   ┌───┐   ┌───┐
           │ a │   │ b │   │ c │
           └─┬─┘   └─┬─┘   └─┬─┘
        ┌────┴┬──────│┐      │
        │     ├──────┴│──────│┐
        │     │       ├──────┘│
        │     ▼       ▼       ▼
        │   ┌───┐   ┌───┐   ┌───┐
        │   │ x │   │ y │   │ z │
        │   └─┬─┘   └─┬─┘   └─┬─┘
        └─────┴───┬───┴───────┘
                  ▼
                ┌───┐
                │ e │
                └───┘

        e ↩ e
        e ↩ a
    "#]].assert_eq(
        &drawing("digraph { a -> x; a -> y; b -> x; b -> z; c -> y; a -> e; x -> e; y -> e; z -> e; e -> e; e -> a }")
            .layered(80)
            .unwrap(),
    );
    expect![[r#"
            ┌───┐
            │ a │
            └─┬─┘
          ┌───┴───┐
          │       │
        ┌─┴─┐   ┌─┴─┐
        │ b │   │ c │
        └───┘   └───┘
    "#]]
    .assert_eq(&drawing("graph { a -- b; a -- c }").layered(80).unwrap());
}
