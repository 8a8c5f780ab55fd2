//! Plans to DOT and back.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use expect_test::expect;
use serde_json::json;

use super::{to_dot, to_json};
use crate::{Pipeline, Severity};

/// The pipelines of a text that must have no errors.
fn pipelines(dot: &str) -> Vec<std::sync::Arc<Pipeline>> {
    let (pipelines, findings) = Pipeline::from_text(dot);
    let errors: Vec<_> = findings
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{dot}\n{errors:?}");
    pipelines
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
    assert_eq!(to_json(&pipelines), plan);
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
fn what_is_no_plan_is_named() {
    for (json, part) in [
        (json!("x"), "no plan library"),
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
            "is no step",
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
