//! What can be and what cannot, and that every answer is true.

use std::collections::BTreeMap;

use super::super::eval::Facts;
use super::super::{evaluate, parse};
use super::*;
use crate::Status;
use crate::condition::Condition;
use crate::value::Value;
use proptest::prelude::*;

mod brute_force;

fn ask(wanted: &[(&str, bool)]) -> String {
    let parsed: Vec<(Condition, bool)> = wanted
        .iter()
        .map(|(text, holds)| (parse(text).0, *holds))
        .collect();
    let literals: Vec<Literal<'_>> = parsed
        .iter()
        .map(|(condition, holds)| Literal {
            condition,
            holds: *holds,
        })
        .collect();
    let known =
        |key: &str| (key == "approved").then(|| vec![Value::Bool(true), Value::Bool(false)]);
    let domain = Domain {
        outcomes: &Status::KNOWN,
        known: &known,
        labels: &[],
    };
    match satisfiable(&literals, &domain) {
        Sat::Satisfiable(case) => format!("satisfiable: {case}"),
        Sat::Unsatisfiable => "unsatisfiable".to_owned(),
        Sat::Unknown => "unknown".to_owned(),
    }
}

#[test]
fn what_can_and_cannot_be() {
    for (literals, expected) in [
        (
            &[("outcome=success", true), ("outcome=fail", true)][..],
            "unsatisfiable",
        ),
        (
            &[("outcome=success", true), ("outcome=succeeded", false)],
            "unsatisfiable",
        ),
        (
            &[("outcome=success", false), ("outcome!=success", false)],
            "unsatisfiable",
        ),
        (
            &[("outcome=success", false), ("outcome=fail", false)],
            "satisfiable: outcome=partial_success",
        ),
        (
            &[("on_success", false), ("on_fail", false)],
            "satisfiable: outcome=fail",
        ),
        (
            &[
                ("on_success", false),
                ("on_fail", false),
                ("on_retry", false),
            ],
            "unsatisfiable",
        ),
        (&[("always", false)], "unsatisfiable"),
        (&[("", false)], "unsatisfiable"),
        (&[("x=1", true), ("x=2", true)], "unsatisfiable"),
        (&[("x=1", false), ("x!=1", false)], "unsatisfiable"),
        (&[("x == 1", true), ("x == '1'", true)], "unsatisfiable"),
        (
            &[("x = 1", true), ("x == '1'", true)],
            "satisfiable: outcome=success, x=\"1\"",
        ),
        (&[("x < 3", true), ("x > 5", true)], "unsatisfiable"),
        (
            &[("x < 3", true), ("x > 1", true)],
            "satisfiable: outcome=success, x=2",
        ),
        // Only a fraction would do; such a case is not reported.
        (&[("x < 2", true), ("x > 1", true)], "unknown"),
        (&[("x < 'b'", true), ("x > 'c'", true)], "unsatisfiable"),
        (&[("x", true), ("not x", true)], "unsatisfiable"),
        (&[("x", true), ("x=false", true)], "unsatisfiable"),
        (&[("x", false), ("x=true", true)], "unsatisfiable"),
        (
            &[("x", true), ("x=true", false)],
            "satisfiable: outcome=success, x=-1",
        ),
        (&[("x=3", true), ("x!=3", true)], "unsatisfiable"),
        (&[("x=3", false), ("x!=3", false)], "unsatisfiable"),
        (&[("x='3'", true), ("x!='3'", true)], "unsatisfiable"),
        (&[("x='3'", true), ("x < 3", true)], "unsatisfiable"),
        (
            &[("x=yes", true), ("x=true", true)],
            "satisfiable: outcome=success, x=\"yes\"",
        ),
        (&[("context.x=1", true), ("x=1", false)], "unsatisfiable"),
        (
            &[("approved", false), ("approved == false", false)],
            "unsatisfiable",
        ),
        (
            &[("approved == true", false), ("approved == false", false)],
            "unsatisfiable",
        ),
        (
            &[("other == true", false), ("other == false", false)],
            "satisfiable: outcome=success, other=\"false\"",
        ),
        (
            &[("a contains 'x'", true), ("!a contains 'x'", true)],
            "unsatisfiable",
        ),
        (&[("a contains 'x'", true)], "unknown"),
        (&[("a contains 'x'", false)], "satisfiable: outcome=success"),
        (&[("a == b", true), ("not a == b", true)], "unsatisfiable"),
        (&[("a < b", true)], "unknown"),
        (&[("1 == 2", true)], "unsatisfiable"),
        (
            &[("status=success", false), ("status!=success", false)],
            "unsatisfiable",
        ),
        (
            &[("outcome == success", true), ("outcome == 'fail'", true)],
            "unsatisfiable",
        ),
    ] {
        assert_eq!(ask(literals), expected, "{literals:?}");
    }
}

#[test]
fn big_questions_end() {
    let clauses = |clause: fn(u32) -> String| (0..1_000).map(clause).collect::<Vec<_>>();
    let many = clauses(|n| format!("k{n}=1")).join(" and ");
    let one = clauses(|n| format!("k={n}")).join(" or ");
    for text in [many, one] {
        assert_ne!(ask(&[(&text, true)]), "unsatisfiable");
        assert_ne!(ask(&[(&text, false)]), "unsatisfiable");
    }
}

fn clause() -> impl Strategy<Value = String> {
    let key = prop_oneof![Just("a"), Just("b"), Just("outcome")];
    let op = prop_oneof![Just("="), Just("=="), Just("!="), Just("<"), Just(">=")];
    let value = prop_oneof![
        Just("1"),
        Just("2"),
        Just("'1'"),
        Just("true"),
        Just("null"),
        Just("'fail'"),
        Just("'x'"),
        Just("'yes'"),
        Just("1.0"),
    ];
    let compare =
        (key.clone(), op, value).prop_map(|(key, op, value)| format!("{key} {op} {value}"));
    let clause = prop_oneof![6 => compare, 1 => key.prop_map(str::to_owned)];
    (clause, any::<bool>())
        .prop_map(|(clause, not)| format!("{}{clause}", if not { "not " } else { "" }))
}

fn condition() -> impl Strategy<Value = String> {
    prop::collection::vec((clause(), prop_oneof![Just(" and "), Just(" or ")]), 1..4).prop_map(
        |clauses| {
            let count = clauses.len();
            clauses
                .into_iter()
                .enumerate()
                .map(|(at, (clause, join))| {
                    if at + 1 < count {
                        clause + join
                    } else {
                        clause
                    }
                })
                .collect()
        },
    )
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(Value::from(1)),
        Just(Value::from(2)),
        Just(Value::from(0)),
        Just(Value::from("1")),
        Just(Value::from("x")),
        Just(Value::from("fail")),
        Just(Value::from(true)),
        Just(Value::from("true")),
        Just(Value::from(1.5)),
        Just(Value::from("y")),
        Just(Value::from("null")),
        Just(Value::from(false)),
        Just(Value::from("no")),
        Just(Value::from("YES")),
        Just(Value::from(" 1 ")),
        Just(Value::from("1.5")),
        Just(Value::from("0")),
    ]
}

proptest! {
    #[test]
    fn what_happens_is_never_called_impossible(
        one in condition(), two in condition(), a in values(), b in values(), outcome in 0usize..5,
    ) {
        let context: BTreeMap<String, Value> =
            [("a", a), ("b", b)].into_iter().filter(|(_, v)| *v != Value::Null).map(|(k, v)| (k.to_owned(), v)).collect();
        let status = Status::KNOWN.into_iter().nth(outcome).unwrap_or(Status::Fail);
        let facts = |retries_left| Facts { context: &context, status: status.clone(), retries_left, labels: &[] };
        let parsed = [parse(&one).0, parse(&two).0];
        let literals: Vec<Literal<'_>> = parsed.iter()
            .map(|condition| Literal { condition, holds: evaluate(condition, &facts(false)).value }).collect();
        let domain = Domain { outcomes: &Status::KNOWN, known: &|_| None, labels: &[] };
        prop_assert_ne!(satisfiable(&literals, &domain), Sat::Unsatisfiable, "{} | {}", one, two);
    }

    #[test]
    fn a_case_is_a_case(one in condition(), two in condition(), wanted in any::<(bool, bool)>()) {
        let parsed = [parse(&one).0, parse(&two).0];
        let literals = [Literal { condition: &parsed[0], holds: wanted.0 }, Literal { condition: &parsed[1], holds: wanted.1 }];
        let domain = Domain { outcomes: &Status::KNOWN, known: &|_| None, labels: &[] };
        if let Sat::Satisfiable(case) = satisfiable(&literals, &domain) {
            let facts = Facts { context: &case.context, status: case.outcome, retries_left: case.retries_left, labels: &[] };
            prop_assert!(literals.iter().all(|literal| evaluate(literal.condition, &facts).value == literal.holds));
        }
    }
}
