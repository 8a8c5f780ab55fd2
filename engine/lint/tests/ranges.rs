//! Errors inside values point at their characters in the file: through escapes, line ends and concatenation.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fmt::Write;

use attractor_lint::Analysis;

/// Where a value is: `@` is it.
const EDGE: &str =
    "start -> a; a -> b [condition=@]; a -> b2; a [prompt=x]; b [prompt=x]; b2 [prompt=x]";
const PROMPT: &str = "vars=\"branch\"; start -> a; a [prompt=@]";
const SHEET: &str = "model_stylesheet=@; start -> a; a [prompt=x]";
const VERIFY: &str = "start -> a; a [prompt=x, verify=@]";
const SCHEMA: &str = "start -> a; a [prompt=x, output_schema=@]";
const GOALS: &str = "goal_conditions=@; start -> a; a [prompt=x]";
const NODES: &str = "goal_required_nodes=@; start -> a; a [prompt=x]";
const CLASSES: &str = "model_stylesheet=\".hard { model: m }\"; start -> a; a [prompt=x, class=@]; h [prompt=x, class=hard]; a -> h";

/// The place, the value as written, the rule, the characters it points at.
const TABLE: &[(&str, &str, &str, &str)] = &[
    (EDGE, r#""exit_code ==""#, "condition_syntax", "=="),
    (
        EDGE,
        r#""x == \"a\" and y[0] == 1""#,
        "condition_syntax",
        "[0]",
    ),
    (EDGE, r#""x == 1 " + "and y[0]""#, "condition_syntax", "[0]"),
    (EDGE, r#""x == 1 and y" + "[0]""#, "condition_syntax", "[0]"),
    (EDGE, "\"x == 1\n  and y[0]\"", "condition_syntax", "[0]"),
    (EDGE, "\"x == 1 \\\n and y[0]\"", "condition_syntax", "[0]"),
    (EDGE, r#""x == 'ä€🎉' and y[0]""#, "condition_syntax", "[0]"),
    (
        EDGE,
        r#""x == \"a\\b\" and y[0]""#,
        "condition_syntax",
        "[0]",
    ),
    (EDGE, "\"x == 1\r\n and y[0]\"", "condition_syntax", "[0]"),
    (
        EDGE,
        r#""st" + "atus == o" + "k""#,
        "bare_word_compare",
        "o\" + \"k",
    ),
    (EDGE, "on_sucess", "unknown_key", "on_sucess"),
    (
        EDGE,
        r#""not \"x\" = y and on_sucess""#,
        "unknown_key",
        "on_sucess",
    ),
    (
        PROMPT,
        r#""\"quoted\" {branch|RAW}""#,
        "template_syntax",
        "RAW",
    ),
    (PROMPT, r#""a " + "\\ {brnch}""#, "unknown_key", "brnch"),
    (
        PROMPT,
        r#""line\nnext {{ goal }""#,
        "template_syntax",
        "{{ goal }",
    ),
    (
        PROMPT,
        "\"one\n  {{ goal } \"",
        "template_syntax",
        "{{ goal }",
    ),
    (
        PROMPT,
        r#""ä 🎉 {br" + "nch}""#,
        "unknown_key",
        "br\" + \"nch",
    ),
    (
        SHEET,
        "\"* { model = small }\"",
        "stylesheet_syntax",
        "model = small",
    ),
    (
        SHEET,
        "\"/* \\\"x\\\" */\n* { model = small }\"",
        "stylesheet_syntax",
        "model = small",
    ),
    (
        SHEET,
        r#""* { temper" + "ature: hot }""#,
        "attribute_value",
        "hot",
    ),
    (
        SHEET,
        r#""* { modle: \"x\" }""#,
        "unknown_attribute",
        "modle",
    ),
    (
        SHEET,
        r#"".nobody { model: x }""#,
        "selector_unmatched",
        ".nobody",
    ),
    (
        VERIFY,
        r#""output_contain:\"x\"""#,
        "attribute_value",
        "output_contain",
    ),
    (VERIFY, r#""matches:" + "(""#, "attribute_value", "("),
    (
        VERIFY,
        r#""json: x == \"a\" and y[0]""#,
        "condition_syntax",
        "[0]",
    ),
    (
        SCHEMA,
        r#""{\"type\": \"objct\"}""#,
        "attribute_value",
        r#"\"objct\""#,
    ),
    (
        SCHEMA,
        "\"{\\\"type\\\": \\\"object\\\",\n oops}\"",
        "attribute_value",
        "o",
    ),
    (
        SCHEMA,
        r#""{\"required\": " + "\"a\"}""#,
        "attribute_value",
        r#"\"required\""#,
    ),
    (SCHEMA, "rooting", "attribute_value", "r"),
    (
        GOALS,
        r#""note != \"a; b\"; x ==""#,
        "condition_syntax",
        "==",
    ),
    (
        GOALS,
        r#""a == 1; " + " b[0] == 2""#,
        "condition_syntax",
        "[0]",
    ),
    (NODES, r#""a, " + "zz""#, "unknown_branch", "zz"),
    (NODES, "\"a,\n zz\"", "unknown_branch", "zz"),
    (CLASSES, r#""hard, " + "hrad""#, "unused_class", "hrad"),
    (CLASSES, "\"hard\n hrad\"", "unused_class", "hrad"),
];

#[test]
fn every_place() {
    let mut wrong = String::new();
    for (place, value, rule, blamed) in TABLE {
        let text = format!("digraph {{ {} }}", place.replace('@', value));
        let found = Analysis::of_text(&text).diagnostics;
        let found: Vec<&str> = found
            .iter()
            .filter(|found| found.rule == *rule)
            .map(|found| found.range.text(&text))
            .collect();
        if !found.contains(blamed) {
            writeln!(
                wrong,
                "{value}: {rule} points at {found:?}, not at {blamed:?}"
            )
            .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
