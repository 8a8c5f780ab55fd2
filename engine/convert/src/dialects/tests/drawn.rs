//! Conversions as people see them.

use expect_test::{Expect, expect};

use super::{converted, laws};
use attractor_model::Dialect;

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
