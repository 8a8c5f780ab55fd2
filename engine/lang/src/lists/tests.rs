//! Lists: their items, variables, and how they are printed.

use super::*;
use proptest::prelude::*;

fn list(text: &str, separator: Separator) -> Vec<&str> {
    let found = items(text, separator);
    for item in &found {
        assert_eq!(text.get(item.range.clone()), Some(item.text));
    }
    found.into_iter().map(|item| item.text).collect()
}

/// A list, its items by comma, and by comma or blank (`·` separates items).
const TABLE: &[(&str, &str, &str)] = &[
    // Separators, several of them, spaces around items.
    ("", "", ""),
    ("   ", "", ""),
    (",", "", ""),
    (" , ,, ", "", ""),
    ("a", "a", "a"),
    ("a,b", "a·b", "a·b"),
    (" a , b ", "a·b", "a·b"),
    ("a,,b,", "a·b", "a·b"),
    (",a", "a", "a"),
    ("a b", "a b", "a·b"),
    ("a  b\tc\nd", "a  b\tc\nd", "a·b·c·d"),
    ("hard, loop-a  x", "hard·loop-a  x", "hard·loop-a·x"),
    ("a;b", "a;b", "a;b"),
    ("a\u{a0}b", "a\u{a0}b", "a·b"),
    // The same twice: it is the reader who knows whether that matters.
    ("a, a", "a·a", "a·a"),
    // Quotes.
    ("\"a\", 'b'", "a·b", "a·b"),
    ("\"a, b\", c", "a, b·c", "a, b·c"),
    ("'a b' c", "'a b' c", "a b·c"),
    ("it's, fine", "it's·fine", "it's·fine"),
    ("\"\", a", "a", "a"),
    ("\"never, closed", "\"never, closed", "\"never, closed"),
    ("key=\"a, b\", c", "key=\"a, b\"·c", "key=\"a, b\"·c"),
    // Brackets.
    ("[a, b]", "a·b", "a·b"),
    ("[\"a\", 'b, c']", "a·b, c", "a·b, c"),
    ("[]", "", ""),
    (
        "Read,Bash(git:*, npm),Write",
        "Read·Bash(git:*, npm)·Write",
        "Read·Bash(git:*, npm)·Write",
    ),
    ("f(a, g(b, c)), d", "f(a, g(b, c))·d", "f(a, g(b, c))·d"),
    ("a), b", "a)·b", "a)·b"),
    ("(a, b", "(a, b", "(a, b"),
    // Names as people write them: nodes, classes with their dot, keys, other scripts.
    (
        "node_1, \"my node\", größe",
        "node_1·my node·größe",
        "node_1·my node·größe",
    ),
    (".hard .easy", ".hard .easy", ".hard·.easy"),
    (
        "node.plan.output, graph.goal",
        "node.plan.output·graph.goal",
        "node.plan.output·graph.goal",
    ),
    ("\u{feff}a, 🎉", "\u{feff}a·🎉", "\u{feff}a·🎉"),
];

#[test]
fn every_list() {
    for (text, commas, spaces) in TABLE {
        assert_eq!(list(text, Separator::Comma).join("·"), *commas, "{text:?}");
        assert_eq!(
            list(text, Separator::CommaOrBlank).join("·"),
            *spaces,
            "{text:?}"
        );
    }
}

/// Variables, as `name` or `name=default`; an error is `!` and the characters to blame.
const VARIABLES: &[(&str, &str)] = &[
    ("", ""),
    ("repo", "repo"),
    ("repo, branch=main", "repo·branch=main"),
    ("branch = main ", "branch=main"),
    ("$old, _x, a.b, a-b", "old·_x·a.b·a-b"),
    ("note=\"a, b\"", "note=a, b"),
    ("note='it is', empty=", "note=it is·empty="),
    ("url=http://x.test/?a=b", "url=http://x.test/?a=b"),
    ("größe=3", "größe=3"),
    ("1x", "!1x"),
    ("a b", "!a b"),
    ("a, a", "a·!a"),
    ("a=1, a=2", "a=1·!a"),
    ("-x, y", "y·!-x"),
    ("a..b", "!a..b"),
    ("a!, b", "b·!a!"),
    ("=x", "!"),
    ("$", "!$"),
];

#[test]
fn every_variable() {
    for (text, expected) in VARIABLES {
        let (found, errors) = variables(text);
        let names = found.iter().map(|found| match &found.default {
            Some(default) => format!("{}={default}", found.name),
            None => found.name.clone(),
        });
        let blamed = errors
            .iter()
            .map(|error| format!("!{}", &text[error.range.clone()]));
        let drawn: Vec<String> = names.chain(blamed).collect();
        assert_eq!(drawn.join("·"), *expected, "{text}");
    }
}

#[test]
fn items_are_found_with_their_ranges() {
    assert_eq!(list(" a, b ,,c ", Separator::Comma), ["a", "b", "c"]);
    assert_eq!(list("a b, c", Separator::Comma), ["a b", "c"]);
    assert_eq!(
        list("hard, loop-a  x", Separator::CommaOrBlank),
        ["hard", "loop-a", "x"]
    );
    assert_eq!(
        list("Read,Bash(git:*, npm),Write", Separator::Comma),
        ["Read", "Bash(git:*, npm)", "Write"]
    );
    assert_eq!(list("[\"a\", 'b, c']", Separator::Comma), ["a", "b, c"]);
    assert_eq!(list("", Separator::Comma), [""; 0]);
    assert_eq!(list("it's, fine", Separator::Comma), ["it's", "fine"]);
}

#[test]
fn variables_have_names_and_defaults() {
    let (found, errors) = variables("repo, branch=main, note=\"a, b\", $old, empty=");
    assert_eq!(errors, []);
    let drawn: Vec<String> = found
        .iter()
        .map(|v| format!("{}={}", v.name, v.default.as_deref().unwrap_or("?")))
        .collect();
    assert_eq!(
        drawn,
        ["repo=?", "branch=main", "note=a, b", "old=?", "empty="]
    );
    assert_eq!(variables("a, a, b c, 1x").1.len(), 3);
}

#[test]
fn lists_are_printed_with_few_quotes() {
    let printed = |list: &[&str]| print(list, Separator::Comma);
    assert_eq!(printed(&[]).as_deref(), Some(""));
    assert_eq!(printed(&["a", "it's"]).as_deref(), Some("a, it's"));
    assert_eq!(printed(&["a, b", "c"]).as_deref(), Some("\"a, b\", c"));
    assert_eq!(printed(&["[a", "b]"]).as_deref(), Some("\"[a\", \"b]\""));
    assert_eq!(printed(&["a", ""]), None);
    let classes = print(&["hard", "x y"], Separator::CommaOrBlank);
    assert_eq!(classes.as_deref(), Some("hard, \"x y\""));
}

proptest! {
    #[test]
    fn what_is_printed_reads_as_the_same(list in prop::collection::vec("[a-c,\"'()\\[\\] =ä]{0,5}", 0..4)) {
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        for separator in [Separator::Comma, Separator::CommaOrBlank] {
            if let Some(text) = print(&list, separator) {
                let again = items(&text, separator);
                prop_assert!(again.iter().map(|item| item.text).eq(list.iter().copied()));
            }
        }
    }

    #[test]
    fn what_was_read_can_be_printed(text in "[a-c, äx_-]{0,20}") {
        for separator in [Separator::Comma, Separator::CommaOrBlank] {
            let read = items(&text, separator);
            let list: Vec<&str> = read.iter().map(|item| item.text).collect();
            prop_assert!(print(&list, separator).is_some(), "{:?}", list);
        }
    }

    #[test]
    fn ranges_are_of_the_text(text in "[a-c,\"'()\\[\\] =ä]{0,20}") {
        list(&text, Separator::Comma);
        list(&text, Separator::CommaOrBlank);
        for variable in variables(&text).0 {
            prop_assert!(text.get(variable.name_range).is_some());
        }
    }
}
