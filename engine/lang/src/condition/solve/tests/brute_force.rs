//! The search against trying everything: over statuses, truth values, equality of texts and orders of whole numbers
//! it finds a case whenever there is one, says so when there is none, and never gives up.

use super::*;
use crate::condition::Expr;
use crate::condition::eval::holds;

const WORDS: [&str; 7] = [
    "success",
    "partial_success",
    "fail",
    "retry",
    "skipped",
    "needs_dod",
    "another_word",
];

/// Clauses of the class that is promised.
fn clause() -> impl Strategy<Value = String> {
    let outcome = (
        prop_oneof![Just("="), Just("=="), Just("!=")],
        prop_oneof![
            Just("success"),
            Just("failed"),
            Just("partial_success"),
            Just("retry"),
            Just("'needs_dod'"),
        ],
    )
        .prop_map(|(op, word)| format!("outcome{op}{word}"));
    let keyword = prop_oneof![
        Just("on_success".to_owned()),
        Just("on_fail".to_owned()),
        Just("on_retry".to_owned()),
        Just("on_exhaust".to_owned()),
    ];
    let flag = prop_oneof![
        Just("approved".to_owned()),
        Just("approved == true".to_owned()),
        Just("approved=false".to_owned()),
        Just("approved != false".to_owned()),
    ];
    let text = (
        prop_oneof![Just("="), Just(" == "), Just(" != ")],
        prop_oneof![
            Just("'x'"),
            Just("'y'"),
            Just("'z'"),
            Just("null"),
            Just("'yes'"),
            Just("true")
        ],
    )
        .prop_map(|(op, value)| format!("s{op}{value}"));
    let bare = prop_oneof![
        Just("s=x".to_owned()),
        Just("context.s!=y".to_owned()),
        Just("s=no".to_owned()),
        Just("s".to_owned()),
    ];
    let number = (
        prop_oneof![
            Just("="),
            Just("=="),
            Just("!="),
            Just("<"),
            Just("<="),
            Just(">"),
            Just(">="),
        ],
        0..4_i32,
    )
        .prop_map(|(op, value)| format!("n {op} {value}"));
    let numeral = prop_oneof![
        Just("n == '2'".to_owned()),
        Just("n > '1'".to_owned()),
        Just("n != 2.0".to_owned())
    ];
    prop_oneof![
        2 => outcome,
        1 => keyword,
        1 => flag,
        2 => text,
        1 => bare,
        3 => number,
        1 => numeral,
    ]
}

/// Conditions of up to five clauses.
fn condition() -> impl Strategy<Value = String> {
    clause().prop_recursive(3, 5, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

/// Whether a case is one that would be reported to a person; half a number is not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Plain,
    Odd,
}

/// Values of every class that the clauses of a key can distinguish, and then some.
fn values(key: &str) -> Vec<(Value, Sort)> {
    let plain = |values: &[Value]| values.iter().cloned().map(|v| (v, Sort::Plain)).collect();
    let mut all: Vec<(Value, Sort)> = plain(&[
        Value::Null,
        Value::from(true),
        Value::from(false),
        Value::from(""),
        Value::from("x"),
        Value::from("y"),
        Value::from("z"),
        Value::from("X"),
        Value::from("null"),
        Value::from("other"),
        Value::from("true"),
        Value::from("yes"),
        Value::from("YES"),
        Value::from("no"),
        Value::from("False"),
        Value::from("0"),
        Value::List(Vec::new()),
    ]);
    if key == "n" {
        all.extend((-1..6_i64).map(|n| (Value::from(n), Sort::Plain)));
        all.extend((0..4).map(|n| (Value::from(n.to_string().as_str()), Sort::Plain)));
        all.extend((0..4).map(|n| (Value::from(format!(" {n}").as_str()), Sort::Plain)));
        all.extend([-1, 4].map(|n| (Value::from(n.to_string()), Sort::Plain)));
        all.extend((0..4).map(|n| (Value::from(f64::from(n) + 0.5), Sort::Odd)));
        all.extend((0..4).map(|n| (Value::from((f64::from(n) + 0.5).to_string()), Sort::Odd)));
    }
    all
}

/// The best case in which all literals are as they must: a plain one, an odd one or none.
fn by_trying(literals: &[(&Expr, bool)], text: &str) -> Option<Sort> {
    let used = |key: &str| text.contains(key);
    let only = |used: bool, values: Vec<(Value, Sort)>| {
        if used {
            values
        } else {
            vec![(Value::Null, Sort::Plain)]
        }
    };
    let flags = only(used("approved"), values("approved"));
    let flags: Vec<_> = flags
        .into_iter()
        .filter(|(value, _)| !used("approved") || matches!(value, Value::Bool(_)))
        .collect();
    let texts = only(
        used("s=") || used("s ") || used("s!") || used("s)"),
        values("s"),
    );
    let numbers = only(used("n "), values("n"));
    let mut best = None;
    for (word, retries_left) in WORDS.iter().flat_map(|word| [(word, false), (word, true)]) {
        for (flag, _) in &flags {
            for (s, _) in &texts {
                for (n, sort) in &numbers {
                    let entries = [("approved", flag), ("s", s), ("n", n)];
                    let context: BTreeMap<String, Value> = entries
                        .into_iter()
                        .filter(|(_, value)| **value != Value::Null)
                        .map(|(key, value)| (key.to_owned(), value.clone()))
                        .collect();
                    let facts = Facts {
                        context: &context,
                        status: Status::parse(word),
                        retries_left,
                        labels: &[],
                    };
                    if literals
                        .iter()
                        .all(|(expr, wanted)| holds(expr, &facts) == *wanted)
                    {
                        if *sort == Sort::Plain {
                            return Some(Sort::Plain);
                        }
                        best = Some(Sort::Odd);
                    }
                }
            }
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_search_finds_what_trying_everything_finds(
        one in condition(), two in condition(), wanted in any::<(bool, bool)>(),
    ) {
        let parsed = [parse(&one), parse(&two)];
        prop_assert!(parsed.iter().all(|(_, errors)| errors.is_empty()), "{} | {}", one, two);
        let [(one_parsed, _), (two_parsed, _)] = &parsed;
        let literals = [
            Literal { condition: one_parsed, holds: wanted.0 },
            Literal { condition: two_parsed, holds: wanted.1 },
        ];
        let outcomes: Vec<Status> = WORDS.iter().map(|word| Status::parse(word)).collect();
        let known =
            |key: &str| (key == "approved").then(|| vec![Value::Bool(true), Value::Bool(false)]);
        let domain = Domain { outcomes: &outcomes, known: &known, labels: &[] };
        let roots: Vec<(&Expr, bool)> = literals.iter()
            .filter_map(|literal| Some((literal.condition.root.as_ref()?, literal.holds))).collect();
        let tried = by_trying(&roots, &format!("{one} {two} "));
        let said = satisfiable(&literals, &domain);
        let agrees = match tried {
            Some(Sort::Plain) => matches!(said, Sat::Satisfiable(_)),
            Some(Sort::Odd) => said != Sat::Unsatisfiable,
            None => said == Sat::Unsatisfiable,
        };
        prop_assert!(agrees, "{} is {}, {} is {}: {:?}", one, wanted.0, two, wanted.1, said);
    }
}
