//! Conversions drawn, and their laws.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::Arc;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{differences, to};
use crate::options::{Dialect, Options};
use crate::pipeline::Pipeline;

fn read(text: &str) -> Vec<Arc<Pipeline>> {
    Pipeline::from_text(text).0
}

fn converted(dialect: Dialect, text: &str) -> String {
    to(dialect, text, &Options::default())
}

/// The text in a dialect means the same, is converted already, and comes back to the canonical text.
fn laws(dialect: Dialect, text: &str) -> Result<String, TestCaseError> {
    let there = converted(dialect, text);
    let same = |other: &str| {
        let (before, after) = (read(text), read(other));
        assert_eq!(before.len(), after.len(), "{other}");
        let both = before.iter().zip(&after);
        both.flat_map(|(before, after)| differences(before, after))
            .collect::<Vec<_>>()
    };
    prop_assert_eq!(
        same(&there),
        Vec::<String>::new(),
        "{}\n{}",
        dialect.name(),
        there
    );
    prop_assert_eq!(
        &converted(dialect, &there),
        &there,
        "{} is not settled",
        dialect.name()
    );
    let back = converted(Dialect::Attractor, &there);
    prop_assert_eq!(
        same(&back),
        Vec::<String>::new(),
        "back from {}\n{}",
        dialect.name(),
        back
    );
    prop_assert_eq!(comments(&there), comments(text));
    prop_assert_eq!(
        there.lines().count() - added(&there, text),
        text.lines().count()
    );
    Ok(there)
}

/// Comments but the one that names the dialect.
fn comments(text: &str) -> Vec<&str> {
    let parse = attractor_dot::parse(text);
    let all = parse.tokens.iter().filter(|token| token.kind.is_comment());
    all.map(|token| token.range.text(text))
        .filter(|comment| !comment.contains("attractor:"))
        .collect()
}

fn added(there: &str, text: &str) -> usize {
    there.matches("attractor:").count() - text.matches("attractor:").count()
}

#[expect(clippy::needless_pass_by_value, reason = "callers write `expect![…]`")]
fn check(dialect: Dialect, text: &str, expected: Expect) {
    expected.assert_eq(&laws(dialect, text).unwrap());
}

const CANONICAL: &str = r#"// one of everything
digraph work {
    default_max_retries=2 // kept
    model_stylesheet="* { model: small; } .hard { model: large; reasoning_effort: high }"
    start [shape=Mdiamond]
    build [shape=parallelogram, command="make"]
    review [shape=hexagon, prompt="Ok?"]
    polish [
        shape=house, // watches
        sub_pipeline="round.dot",
        done_condition="approved"
    ]
    odd [shape=circle, prompt="Draw it", model=big]
    note [shape=tab, prompt="Say it"]
    plain [handler=human_gate]
    end [shape=Msquare]
    start -> build
    build -> review [condition="outcome=success"]
    build -> odd [condition="outcome = 'fail' && not approved"]
    review -> polish -> note -> plain -> odd -> end
}
"#;

#[test]
fn canonical_is_canonical() {
    assert_eq!(converted(Dialect::Attractor, CANONICAL), CANONICAL);
}

#[test]
fn to_fabro() {
    check(
        Dialect::Fabro,
        CANONICAL,
        expect![[r#"
        // one of everything
        digraph work {
            default_max_retries=2 // kept
            model_stylesheet="* { model: small; } .hard { model: large; reasoning_effort: high }"
            start [shape=Mdiamond]
            build [shape=parallelogram, script="make"]
            review [shape=hexagon, prompt="Ok?"]
            polish [
                shape=house, // watches
                stack.child_workflow="round.dot",
                manager.stop_condition="approved"
            ]
            odd [shape=circle, prompt="Draw it", model=big]
            note [shape=tab, prompt="Say it"]
            plain [type=human]
            end [shape=Msquare]
            start -> build
            build -> review [condition="outcome=succeeded"]
            build -> odd [condition="outcome = 'failed' && not approved"]
            review -> polish -> note -> plain -> odd -> end
        }
    "#]],
    );
}

#[test]
fn to_kilroy() {
    check(
        Dialect::Kilroy,
        CANONICAL,
        expect![[r#"
        // one of everything
        digraph work {
            default_max_retry=2 // kept
            model_stylesheet="* { llm_model: small; } .hard { llm_model: large; reasoning_effort: high }"
            start [shape=Mdiamond]
            build [shape=parallelogram, tool_command="make"]
            review [shape=hexagon, prompt="Ok?"]
            polish [
                shape=house, // watches
                stack.child_dotfile="round.dot",
                manager.stop_condition="approved"
            ]
            odd [shape=box, prompt="Draw it", llm_model=big]
            note [shape=tab, prompt="Say it"]
            plain [type="wait.human"]
            end [shape=Msquare]
            start -> build
            build -> review [condition="outcome=success"]
            build -> odd [condition="outcome = 'fail' && not approved"]
            review -> polish -> note -> plain -> odd -> end
        }
    "#]],
    );
}

#[test]
fn to_samueljklee() {
    check(
        Dialect::Samueljklee,
        CANONICAL,
        expect![[r#"
        // one of everything
        digraph work {
            default_max_retries=2 // kept
            model_stylesheet="* { llm_model: small; } .hard { llm_model: large; reasoning_effort: high }"
            start [shape=Mdiamond]
            build [shape=parallelogram, tool_command="make"]
            review [shape=house, prompt="Ok?"]
            polish [
                shape=hexagon, // watches
                child_graph="round.dot",
                success_condition="approved"
            ]
            odd [shape=circle, prompt="Draw it", llm_model=big]
            note [shape=tab, prompt="Say it"]
            plain [type="wait.human"]
            end [shape=Msquare]
            start -> build
            build -> review [condition="outcome=success"]
            build -> odd [condition="outcome = 'fail' && not approved"]
            review -> polish -> note -> plain -> odd -> end
        }
    "#]],
    );
}

#[test]
fn to_tracker() {
    check(
        Dialect::Tracker,
        CANONICAL,
        expect![[r#"
            // one of everything
            digraph work {
                default_max_retry=2 // kept
                model_stylesheet="* { llm_model: small; } .hard { llm_model: large; reasoning_effort: high }"
                start [shape=Mdiamond]
                build [shape=parallelogram, tool_command="make"]
                review [shape=hexagon, prompt="Ok?"]
                polish [
                    shape=house, // watches
                    subgraph_ref="round.dot",
                    stop_condition="approved"
                ]
                odd [shape=circle, prompt="Draw it", llm_model=big]
                note [shape=note, prompt="Say it"]
                plain [type="wait.human"]
                end [shape=Msquare]
                start -> build
                build -> review [condition="outcome=success"]
                build -> odd [condition="outcome = 'fail' && not approved"]
                review -> polish -> note -> plain -> odd -> end
            }
        "#]],
    );
}

#[test]
fn names_of_other_engines_become_canonical() {
    check(
        Dialect::Attractor,
        "digraph {\n  default_max_retry=2 // kept\n  start [shape=Mdiamond]\n  node [llm_model=x]\n  g [shape=house, label=Review, question=\"Ok?\"]\n  a; b\n  start -> a -> b [when=\"outcome=succeeded\"]\n}\n",
        expect![[r#"
            digraph {
              default_max_retries=2 // kept
              start [shape=Mdiamond]
              node [model=x]
              g [shape=hexagon, label=Review, prompt="Ok?"]
              a; b
              start -> a -> b [condition="outcome=success"]
            }
        "#]],
    );
    check(
        Dialect::Attractor,
        "# attractor: dialect=kilroy, allow(cycle)\ndigraph {\n    goal=x\n    a [shape=circle]; b [dot_file=\"x.dot\"]; c [shape=doublecircle]\n    d, e [type=\"wait.human\"]\n    l [type=\"loop.end\", loop_id=l]\n    a -> b -> c\n}\n",
        expect![[r##"
            # attractor: dialect=attractor, allow(cycle)
            digraph {
                goal=x
                a [shape=Mdiamond]; b [handler=pipeline, sub_pipeline="x.dot"]; c [shape=Msquare]
                d, e [handler=human_gate]
                l [handler="loop.end", loop_id=l]
                a -> b -> c
            }
        "##]],
    );
}

#[test]
fn other_engines_read_no_quoted_names() {
    let text = "digraph {\n    start -> g -> exit\n    g [shape=hexagon, \"human.default_choice\"=exit]\n}\n";
    assert_eq!(converted(Dialect::Attractor, text), text);
    let bare = text.replace("\"human.default_choice\"", "human.default_choice");
    assert_eq!(converted(Dialect::Kilroy, text), bare);
}

#[test]
fn defaults_that_readers_understand_differently_stay() {
    let text = "digraph {\n    goal=x\n    node [question=\"Ok?\"]\n    g [shape=hexagon]\n    a [prompt=y]\n    start -> g -> a\n}\n";
    assert_eq!(converted(Dialect::Attractor, text), text);
}

#[test]
fn a_stylesheet_that_selects_by_shape_keeps_the_shape() {
    check(
        Dialect::Samueljklee,
        "digraph {\n    model_stylesheet=\"hexagon { timeout: 5m }\"\n    start -> g -> exit\n    g [shape=hexagon]\n}\n",
        expect![[r#"
            digraph {
                model_stylesheet="hexagon { timeout: 5m }"
                start -> g -> exit
                g [type="wait.human", shape=hexagon]
            }
        "#]],
    );
}

/// A node statement of any dialect.
fn node() -> impl Strategy<Value = String> {
    let shape = prop::sample::select(vec![
        "",
        "shape=box",
        "shape=hexagon",
        "shape=house",
        "shape=tab",
        "shape=circle",
        "shape=doublecircle",
        "shape=component",
        "shape=parallelogram",
        "shape=diamond",
        "shape=octagon",
        "shape=folder",
        "type=\"wait.human\"",
        "handler=tool",
        "type=agent",
        "node_type=\"stack.manager_loop\"",
        "type=mine",
    ]);
    let carried = prop::sample::select(vec![
        "",
        "prompt=p",
        "llm_prompt=p",
        "tool_command=ls",
        "script=ls",
        "command=ls",
        "dot_file=\"a.dot\"",
        "child_graph=\"a.dot\"",
        "sub_pipeline=\"a.dot\"",
        "stack.child_dotfile=\"a.dot\"",
        "duration=5s",
        "question=\"Ok?\"",
        "label=Hm",
        "branches=\"a, b\"",
    ]);
    let more = prop::collection::vec(
        prop::sample::select(vec![
            "llm_model=m",
            "model=n",
            "max_turns=3",
            "max_agent_turns=4",
            "retries=2",
            "timeout_seconds=9",
            "retry_preset=linear",
            "max_iterations=2",
            "success_condition=\"outcome=succeeded\"",
            "class=hard",
            "start=true",
            "mine=1",
            "human.default_choice=b",
            "\"manager.max_cycles\"=3",
        ]),
        0..3,
    );
    (shape, carried, more).prop_map(|(shape, carried, more)| {
        let pairs = [shape, carried].into_iter().chain(more);
        let pairs: Vec<_> = pairs.filter(|pair| !pair.is_empty()).collect();
        format!("[{}]", pairs.join(", "))
    })
}

/// A pipeline of any dialect, with comments and defaults.
fn pipeline() -> impl Strategy<Value = String> {
    let comment = prop::sample::select(vec![
        "",
        "// attractor: dialect=kilroy\n",
        "/* attractor: dialect=samueljklee */ ",
        "// attractor: dialect=tracker\n",
    ]);
    let graph = prop::sample::select(vec![
        "",
        "default_max_retry=2; // graph\n",
        "model_stylesheet=\"hexagon { llm_model: x } tool { timeout: 5 }\"\n",
        "stack.child_workflow=\"a.dot\"\n",
        "loop_restart_persist_keys=a\n",
    ]);
    let defaults = prop::sample::select(vec![
        "",
        "node [llm_model=d]\n",
        "node [shape=hexagon]\n",
        "node [question=q, shape=circle]\n",
        "node [script=run]\n",
    ]);
    let condition = prop::sample::select(vec![
        "",
        " [condition=\"outcome=succeeded\"]",
        " [when=\"outcome == 'failed' or x\"]",
        " [guard=\"context.outcome!=FAIL\"]",
    ]);
    let nodes = prop::collection::vec(node(), 4);
    (comment, graph, defaults, nodes, prop::collection::vec(condition, 4)).prop_map(
        |(comment, graph, defaults, nodes, conditions)| {
            let node = |at: usize| nodes[at].as_str();
            let condition = |at: usize| conditions[at];
            format!(
                "{comment}digraph g {{\n  goal=x\n  {graph}  start [shape=Mdiamond] /* begin */\n  {defaults}  a {}\n  b, c {} // both\n  d {}\n  e {}\n  start -> a{}\n  a -> {{b c}}{}\n  b -> d{}\n  c -> d -> e{}\n}}\n",
                node(0), node(1), node(2), node(3),
                condition(0), condition(1), condition(2), condition(3),
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_dialect_says_the_same(text in pipeline()) {
        // A law for pipelines: with two beginnings it is none.
        prop_assume!(read(&text).iter().all(|pipeline| pipeline.start.is_some()));
        for dialect in Dialect::ALL {
            laws(dialect, &text)?;
        }
    }
}
