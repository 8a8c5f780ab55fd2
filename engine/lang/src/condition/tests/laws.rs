//! What holds of every text: it is read, printed and evaluated, in bounded depth.

use proptest::prelude::*;

use super::*;
use crate::value::Number;

#[test]
fn nesting_is_bounded_and_length_is_not() {
    for deep in [
        "(".repeat(100_000),
        format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000)),
        "not ".repeat(100_000),
        "!".repeat(100_000),
        format!("a({}", "(".repeat(100_000)),
    ] {
        assert_eq!(parse(&deep).1.len(), 1);
    }
    let nested = format!(
        "{}a{}",
        "(".repeat(grammar::DEEPEST),
        ")".repeat(grammar::DEEPEST)
    );
    assert_eq!(parse(&nested).1, []);
    let long = vec!["outcome=success and x == 1"; 10_000].join(" or ");
    let (condition, errors) = parse(&long);
    assert_eq!((errors.len(), condition.comparisons().count()), (0, 20_000));
    let broken = "a == ( and ".repeat(10_000);
    assert!(!parse(&broken).1.is_empty());
}

proptest! {
    #[test]
    fn anything_parses_and_evaluates(text in "([a-c=!<>()'\" &|.0-9-]|and |or |not |in |contains |outcome=){0,40}") {
        let (condition, errors) = parse(&text);
        for error in &errors {
            prop_assert!(text.get(error.range.clone()).is_some(), "{:?}", error);
        }
            let facts = Facts { context: &(), status: Status::Fail, retries_left: true, labels: &[] };
        let _ = evaluate(&condition, &facts);
        if errors.is_empty() {
            let printed = condition.to_string();
            let (again, errors) = parse(&printed);
            prop_assert_eq!(&errors, &[], "{}", printed);
            prop_assert_eq!(shape(&again), shape(&condition), "{}", printed);
        }
    }
}

/// Values of every kind, and texts that name some of them.
fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..12_i64).prop_map(Value::from),
        (-3..12_i64).prop_map(|n| Value::from(n.to_string())),
        Just(Value::from(1.5)),
        "[a-c]{0,2}| ?(true|False|yes|NO|null|none|0|1\\.50|07|success|failed)\n?"
            .prop_map(Value::from),
        Just(Value::List(vec![Value::from(1)])),
    ]
}

/// Operands as people write them.
fn operands() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("outcome".to_owned()),
        Just("{{ b }}".to_owned()),
        (-3..12_i64).prop_map(|n| n.to_string()),
        "true|false|null|1\\.5|yes|fix it".prop_map(|word| word),
        "'([a-c]{0,2}|1|true|failed|)'".prop_map(|word| word),
    ]
}

proptest! {
    /// Of `a = b` and `a != b`, of `x` and `not x`, one holds and never both.
    #[test]
    fn a_comparison_or_its_negation(
        a in values(), b in values(), left in operands(), right in operands(), failed in any::<bool>(),
    ) {
        let context = BTreeMap::from([("a".to_owned(), a), ("b".to_owned(), b)]);
        let status = if failed { Status::Fail } else { Status::Success };
        let holds = |text: &str| -> Option<bool> {
            let (condition, errors) = parse(text);
            let facts = Facts { context: &context, status: status.clone(), retries_left: false, labels: &[] };
            errors.is_empty().then(|| evaluate(&condition, &facts).value)
        };
        let is = holds(&format!("{left} = {right}"));
        prop_assert_eq!(holds(&format!("{left} != {right}")), is.map(|is| !is));
        prop_assert_eq!(holds(&format!("not {left} = {right}")), is.map(|is| !is));
        prop_assert_eq!(holds(&format!("not {left}")), holds(&left).map(|is| !is));
        // What is equal by `==` is equal by `=`, except that a bare word is a key there and text here.
        if is.is_some() && !right.starts_with(['a', 'b', 'o', 'y', 'f', '{', 'n']) {
            let typed = holds(&format!("{left} == {right}"));
            prop_assert!(is == Some(true) || typed != Some(true), "{} == {}", left, right);
        }
    }

    /// `<` and its kin agree with each other, in both directions, and with `=`.
    #[test]
    fn orders_agree(a in values(), b in values()) {
        let context = BTreeMap::from([("a".to_owned(), a.clone()), ("b".to_owned(), b.clone())]);
        let holds = |text: &str| {
            let facts = Facts { context: &context, status: Status::Fail, retries_left: false, labels: &[] };
            evaluate(&parse(text).0, &facts).value
        };
        prop_assert_eq!(holds("a < b"), holds("b > a"));
        prop_assert_eq!(holds("a <= b"), holds("b >= a"));
        let ordered = [holds("a < b"), holds("a > b"), holds("a <= b") && holds("a >= b")];
        let count = ordered.into_iter().filter(|holds| *holds).count();
        prop_assert_eq!(count, usize::from(a.compare(&b).is_some()));
    }

    /// A text that names a number, a boolean or nothing is true, and is ordered, as the value it names.
    #[test]
    fn texts_behave_like_the_values_they_name(text in "-?[0-9]{1,2}(\\.[0-9])?|true|FALSE|yes|No|null", other in -3..99_i64) {
        let value = Value::read(&text);
        let text = Value::from(text);
        prop_assert_eq!(text.truth(), value.truth());
        prop_assert!(value == Value::Null || value.loosely_equals(&text));
        if matches!(value, Value::Number(_)) {
            let other = Value::Number(Number::Int(other));
            prop_assert_eq!(text.compare(&other), value.compare(&other));
        }
    }
}

/// The tree without its ranges.
fn shape(condition: &Condition) -> String {
    let mut text = format!("{condition:?}");
    while let Some(at) = text.find("range: ") {
        let end = text
            .get(at..)
            .and_then(|rest| rest.find([',', ' ', '}'].as_slice()).map(|_| rest));
        let skip = end.map_or(0, |rest| {
            rest.chars()
                .skip(7)
                .take_while(|c| c.is_ascii_digit() || *c == '.')
                .count()
        });
        text.replace_range(at..at + 7 + skip, "");
    }
    text
}
