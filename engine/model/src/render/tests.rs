//! Drawings of small graphs.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use expect_test::expect;

use super::Drawing;
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
    .assert_eq(&drawing(PIPELINE).text());
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
    .assert_eq(&plain.text());
}
