//! The laws hold for any pipeline of any dialect.

use proptest::prelude::*;

use super::{laws, read};
use attractor_model::Dialect;

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
