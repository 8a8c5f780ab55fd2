//! Plans to DOT and back.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use expect_test::expect;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{to_dot, to_json};
use attractor_lint::Analysis;
use attractor_model::{Pipeline, Severity};

mod drawn;
mod pipelines;

/// The pipelines of a text that must have no errors.
fn pipelines(dot: &str) -> Vec<std::sync::Arc<Pipeline>> {
    let analysis = Analysis::of_text(dot);
    let errors: Vec<_> = analysis
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{dot}\n{errors:?}");
    analysis.pipelines().cloned().collect()
}

#[test]
fn a_graph_goes_there_and_back() {
    let plan = json!({
        "repair": {
            "name": "Repair",
            "domains": ["cars"],
            "triggers": ["squeaks", "does not start"],
            "stale_after_turns": 15,
            "graph": {
                "start": "listen",
                "nodes": {
                    "listen": {"type": "task", "name": "Listen", "action": "Find the \"noise\"", "tool": "ear", "tool_hint": "Closely", "verify": {"type": "any_output"}, "max_retries": 0},
                    "choose": {"type": "decision", "name": "Which part?", "description": "Front or back"},
                    "fix": {"type": "task", "action": "Replace it", "verify": {"type": "output_not_contains", "value": "squeak"}, "max_retries": 2},
                    "tow": {"type": "escalate", "reason": "Beyond repair", "pace_level": "contingent"},
                    "home": {"type": "exit", "name": "Driving"}
                },
                "edges": [
                    {"from": "listen", "to": "choose", "condition": "on_success"},
                    {"from": "listen", "to": "tow", "condition": "on_fail"},
                    {"from": "choose", "to": "fix", "condition": "always"},
                    {"from": "fix", "to": "home", "condition": "on_success"},
                    {"from": "fix", "to": "tow", "condition": "on_exhaust"}
                ]
            }
        }
    });
    let (dot, problems) = to_dot(&plan);
    assert_eq!(problems, [""; 0]);
    expect![[r#"
        digraph repair {
            label=Repair
            domains=cars
            triggers="squeaks, does not start"
            stale_after_turns=15
            workflow_context=true

            listen [
                start=true,
                label=Listen,
                prompt="Find the \"noise\"",
                tool=ear,
                user_instructions=Closely,
                verify=any_output,
                max_retries=0
            ]
            choose [
                shape=diamond,
                label="Which part?",
                description="Front or back"
            ]
            fix [
                prompt="Replace it",
                verify="output_not_contains:squeak",
                max_retries=2
            ]
            tow [
                shape=octagon,
                reason="Beyond repair",
                pace_level=contingent
            ]
            home [
                shape=Msquare,
                label=Driving
            ]

            listen -> choose [condition=on_success]
            listen -> tow [condition=on_fail]
            choose -> fix [condition=always]
            fix -> home [condition=on_success]
            fix -> tow [condition=on_exhaust]
        }
    "#]]
    .assert_eq(&dot);
    let pipelines = pipelines(&dot);
    let library = to_json(&pipelines);
    assert_eq!(library.json, plan);
    assert_eq!(library.beyond, [""; 0]);
}

#[test]
fn steps_become_a_line() {
    let (dot, problems) = to_dot(&json!([{
        "name": "Tidy up",
        "steps": [
            {"name": "Look around", "action": "List what lies about", "on_fail": "retry"},
            {"name": "Sort", "action": "Sort it", "on_fail": "Look around"},
            {"name": "Sort", "action": "Sort the rest", "on_fail": "skip"},
            {"name": "Throw away", "action": "Throw away what is left", "verify": {"type": "exit_code", "value": 0}, "on_fail": "escalate"},
        ],
    }]));
    assert_eq!(problems, [""; 0]);
    expect![[r#"
        digraph tidy_up {
            label="Tidy up"
            workflow_context=true

            look_around [
                start=true,
                label="Look around",
                prompt="List what lies about",
                max_retries=2
            ]
            sort [
                label=Sort,
                prompt="Sort it"
            ]
            step_3 [
                label=Sort,
                prompt="Sort the rest"
            ]
            throw_away [
                label="Throw away",
                prompt="Throw away what is left",
                verify="exit_code:0"
            ]
            give_up [
                shape=octagon,
                reason="A step failed"
            ]
            done [shape=Msquare]

            look_around -> sort [condition=on_success]
            sort -> step_3 [condition=on_success]
            sort -> look_around [condition=on_fail]
            step_3 -> throw_away [condition=on_success]
            step_3 -> throw_away [condition=on_fail]
            throw_away -> done [condition=on_success]
            throw_away -> give_up [condition=on_fail]
        }
    "#]]
    .assert_eq(&dot);
    assert_eq!(pipelines(&dot).len(), 1);
}

#[test]
fn invalid_plans_are_reported() {
    for (json, part) in [
        (json!("x"), "expected a plan with"),
        (json!({"a": {"name": "x"}}), "neither `graph` nor `steps`"),
        (
            json!({"graph": {"start": "x", "nodes": {}}}),
            "no such node",
        ),
        (
            json!({"graph": {"nodes": {"a": {"type": "odd"}}}}),
            "unknown type",
        ),
        (
            json!({"graph": {"edges": [{"from": "a"}]}}),
            "lacks `from` or `to`",
        ),
        (
            json!({"steps": [{"name": "a", "on_fail": "b"}]}),
            "unknown step",
        ),
    ] {
        let problems = to_dot(&json).1;
        assert!(
            problems.iter().any(|problem| problem.contains(part)),
            "{json}: {problems:?}"
        );
    }
}

#[test]
fn odd_names_are_quoted() {
    let (dot, _) = to_dot(
        &json!({"a \"b\"": {"steps": [{"name": "digraph", "odd key": "x\ny", "action": "é"}]}}),
    );
    let pipelines = pipelines(&dot);
    assert_eq!(pipelines.first().unwrap().name, "a \"b\"");
}

/// The example of the graph workflow specification.
const BUGFIX: &str = include_str!("../bugfix_workflow.json");

/// The same plan as DOT, and what it says again.
fn there_and_back(plan: &Value) -> (String, Value) {
    let (dot, problems) = to_dot(plan);
    assert_eq!(problems, [""; 0]);
    let library = to_json(&Pipeline::from_text(&dot));
    assert_eq!(library.beyond, [""; 0], "{dot}");
    (dot, library.json)
}

#[test]
fn the_example_of_the_specification_goes_there_and_back() {
    let plan: Value = serde_json::from_str(BUGFIX).unwrap();
    let (dot, back) = there_and_back(&json!({ "bug_fix_workflow": plan }));
    assert_eq!(back["bug_fix_workflow"], plan);
    assert_eq!(pipelines(&dot).len(), 1);
    // `fix` retries by itself, then escalates.
    assert!(dot.contains(
        "    fix -> test [condition=on_success]\n    fix -> escalate_stuck [condition=on_exhaust]\n"
    ));
    assert!(dot.contains("    isolate -> fix [condition=always]\n"));
}

#[test]
fn the_steps_of_the_example_are_the_same_plan_as_their_graph() {
    let plan: Value = serde_json::from_str(BUGFIX).unwrap();
    let steps: Vec<Value> = plan["graph"]["nodes"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, node)| node["type"] == "task")
        .map(|(_, node)| node.clone())
        .collect();
    let mut linear = plan.as_object().unwrap().clone();
    linear.remove("graph");
    linear.insert("steps".to_owned(), steps.clone().into());
    let (dot, graph) = there_and_back(&json!({ "linear": linear }));
    let pipeline = pipelines(&dot).remove(0);
    assert_eq!(pipeline.nodes.len(), steps.len() + 1);
    // The graph form is settled.
    assert_eq!(there_and_back(&graph), (dot, graph.clone()));
}

#[test]
fn always_among_other_conditions_is_the_default() {
    let plan = json!({"p": {"graph": {
        "start": "a",
        "nodes": {"a": {"type": "task", "action": "x"}, "b": {"type": "exit"}, "c": {"type": "exit"}},
        "edges": [
            {"from": "a", "to": "b", "condition": "always"},
            {"from": "a", "to": "c", "condition": "on_success"},
        ],
    }}});
    let (dot, back) = there_and_back(&plan);
    assert!(
        dot.contains("    a -> b\n    a -> c [condition=on_success]\n"),
        "{dot}"
    );
    assert_eq!(back, plan);
}

#[test]
fn what_plans_have_no_word_for_is_kept_and_named() {
    let text = "digraph p {\n    subgraph cluster_a { label=\"Hard work\"; t [shape=parallelogram, command=ls, class=\"x y\"] }\n    start -> t -> g\n    g [shape=hexagon, prompt=\"C:\\\\dir?\"]\n    g -> t [label=\"[A] Again\", weight=2]\n    g -> exit [label=\"[B] Enough\"]\n}";
    let before = pipelines(text);
    let library = to_json(&before);
    expect![[r#"
        plans have no word for what `t` of `p` does (`tool`): other readers take it for a task
        plans have no word for what `g` of `p` does (`human_gate`): other readers take it for a task"#]]
    .assert_eq(&library.beyond.join("\n"));
    let (dot, problems) = to_dot(&library.json);
    assert_eq!(problems, [""; 0]);
    assert_eq!(changed(&before, &pipelines(&dot)), [""; 0], "{dot}");
}

/// The differences, except for how an edge without a condition is written, if it has no other attribute and follows
/// a task or a node that cannot fail.
fn changed(before: &[std::sync::Arc<Pipeline>], after: &[std::sync::Arc<Pipeline>]) -> Vec<String> {
    let mut changed = Vec::new();
    for (before, after) in before.iter().zip(after) {
        for what in crate::dialects::differences(before, after) {
            if !(what.ends_with("got condition=on_success")
                || what.ends_with("got condition=always"))
            {
                changed.push(what);
            }
        }
        for (was, is) in before.edges.iter().zip(&after.edges) {
            let fitting = match before.node(was.from) {
                _ if was.label().is_some() => None,
                Some(node) if super::words::type_of_kind(node.kind).is_none() => None,
                Some(node) if super::write::can_fail(node) => Some("on_success"),
                _ => Some("always"),
            };
            let got = is.condition_text();
            if was.condition_text().is_none() && got.is_some_and(|got| fitting != Some(got)) {
                changed.push(format!(
                    "{} -> {}: {got:?}",
                    before.id(was.from),
                    before.id(was.to)
                ));
            }
        }
    }
    changed
}

#[test]
fn the_templates_are_plans() {
    for starter in attractor_model::templates::TEMPLATES {
        let before = pipelines(starter.text);
        let (dot, problems) = to_dot(&to_json(&before).json);
        assert_eq!(problems, [""; 0]);
        assert_eq!(changed(&before, &pipelines(&dot)), [""; 0], "{dot}");
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 .,:;{}$\\\\\"'\n\t<>=-]{0,12}",
        Just("5".to_owned()),
        Just("true".to_owned()),
        Just("C:\\new\\".to_owned()),
        "\\PC{0,8}",
    ]
}

fn verify() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({"type": "any_output"})),
        text().prop_map(|text| json!({"type": "output_contains", "value": text})),
        text().prop_map(|text| json!({"type": "output_not_contains", "value": text})),
        (0..300_i64).prop_map(|code| json!({"type": "exit_code", "value": code})),
    ]
}

/// What plans say beyond the format.
fn more() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!(["a", "b, c", 3])),
        Just(json!({"deep": {"er": 1.5}})),
    ]
}

fn plan_node() -> impl Strategy<Value = Value> {
    let task = (text(), text(), text(), verify(), 0..4_i64, more()).prop_map(
        |(name, action, hint, verify, retries, more)| {
            json!({"type": "task", "name": name, "action": action, "tool": "code_execution_tool", "tool_hint": hint, "verify": verify, "max_retries": retries, "x_more": more})
        },
    );
    let decision = (text(), text()).prop_map(
        |(name, description)| json!({"type": "decision", "name": name, "description": description}),
    );
    let escalate = (
        text(),
        prop::sample::select(vec!["primary", "alternate", "contingent", "emergency"]),
    )
        .prop_map(
            |(reason, level)| json!({"type": "escalate", "reason": reason, "pace_level": level}),
        );
    prop_oneof![
        3 => task,
        1 => decision,
        1 => escalate,
        1 => Just(json!({"type": "checkpoint"})),
        1 => Just(json!({"type": "task"})),
    ]
}

fn plan() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "on_success",
        "on_fail",
        "on_retry",
        "on_exhaust",
        "always",
        "on_fail and retries < 3",
    ]);
    let edge = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        word,
    );
    let nodes = prop::collection::btree_map("[a-z]{1,3}|end|Start|é x|node", plan_node(), 1..6);
    (text(), prop::collection::vec(text(), 0..3), (1..5_i64, more()), nodes, prop::collection::vec(edge, 0..8)).prop_map(
        |(name, triggers, (threshold, more), nodes, edges)| {
            let ids: Vec<String> = nodes.keys().cloned().collect();
            let edges: Vec<Value> = edges
                .iter()
                .map(|(from, to, word)| json!({"from": from.get(&ids), "to": to.get(&ids), "condition": word}))
                .collect();
            let nodes: Map<String, Value> = nodes.into_iter().chain([("done".to_owned(), json!({"type": "exit"}))]).collect();
            json!({"p q": {
                "name": name,
                "domains": ["a", "b"],
                "triggers": triggers,
                "trigger_threshold": threshold,
                "x_more": more,
                "stale_after_turns": 15,
                "graph": {"start": ids[0], "nodes": nodes, "edges": edges},
            }})
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_plan_goes_there_and_back(plan in plan()) {
        let (dot, back) = there_and_back(&plan);
        prop_assert_eq!(back, plan, "{}", dot);
    }
}
