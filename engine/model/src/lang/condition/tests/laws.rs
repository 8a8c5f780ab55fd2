//! What holds of every text: it is read, printed and evaluated, in bounded depth.

use proptest::prelude::*;

use super::*;

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
