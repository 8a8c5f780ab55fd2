//! Problems of plan libraries, drawn under the JSON.

use std::fmt::Write;

use expect_test::{Expect, expect};

use crate::plan::convert;
use attractor_dot::apply;
use attractor_lint::Analysis;

/// Draws the problems of a library and of the pipelines it becomes.
fn check(json: &str, expected: &Expect) {
    let converted = convert(json);
    let analysis = Analysis::of_text(&converted.dot);
    let mut drawn = String::new();
    for one in converted.with_lints(analysis.diagnostics) {
        let start = json[..one.range.start()].rfind('\n').map_or(0, |at| at + 1);
        let line = json[start..].lines().next().unwrap_or_default();
        let indent = " ".repeat(json[start..one.range.start()].chars().count());
        let marks = "^".repeat(one.range.text(json).chars().count().max(1));
        let (rule, message) = (one.rule, &one.message);
        writeln!(drawn, "|{line}\n|{indent}{marks} {rule}: {message}").unwrap();
        for fix in &one.fixes {
            let fixed = apply(json, &fix.edits);
            let changed = fixed.lines().find(|line| !json.contains(line));
            let changed = changed.unwrap_or_default().trim();
            writeln!(drawn, "|    {}: {changed}", fix.title).unwrap();
        }
    }
    expected.assert_eq(&drawn);
}

#[test]
fn structure() {
    check(
        r#"{"fix": {"graph": {
  "start": "reproduse",
  "nodes": {
    "reproduce": {"type": "tsak", "action": "Run it"},
    "done": {"type": "exit"}
  },
  "edges": [
    {"from": "reproduce", "to": "dome"},
    {"to": "done"}
  ]
}}, "empty": {"name": "Empty"}}"#,
        &expect![[r#"
            |  "start": "reproduse",
            |           ^^^^^^^^^^^ start_node: plan `fix` starts at `reproduse`, but has no such node; did you mean `reproduce`?
            |    Replace with `reproduce`: "start": "reproduce",
            |    "reproduce": {"type": "tsak", "action": "Run it"},
            |                          ^^^^^^ unknown_handler: node `reproduce` of plan `fix` has the unknown type `tsak`; did you mean `task`?
            |    Replace with `task`: "reproduce": {"type": "task", "action": "Run it"},
            |    {"from": "reproduce", "to": "dome"},
            |                                ^^^^^^ edge_target_exists: an edge of plan `fix` names `dome`, but there is no such node; did you mean `done`?
            |    Replace with `done`: {"from": "reproduce", "to": "done"},
            |    {"to": "done"}
            |    ^ syntax: an edge of plan `fix` lacks `from` or `to`: {"to":"done"}
            |}}, "empty": {"name": "Empty"}}
            |    ^^^^^^^ syntax: plan `empty` has neither `graph` nor `steps`; add one of them
        "#]],
    );
}

#[test]
fn values() {
    check(
        r#"{"fix": {"graph": {
  "start": "work",
  "nodes": {
    "work": {"action": "Go", "max_retries": -1, "verify": {"type": "output_contians", "value": "x"}},
    "done": {"type": "exit"}
  },
  "edges": [{"from": "work", "to": "done", "condition": "outcome=sucess"}]
}}}"#,
        &expect![[r#"
            |    "work": {"action": "Go", "max_retries": -1, "verify": {"type": "output_contians", "value": "x"}},
            |                                            ^^ attribute_value: `max_retries` is out of range: -1; expected at least 0
            |    "work": {"action": "Go", "max_retries": -1, "verify": {"type": "output_contians", "value": "x"}},
            |                                                ^^^^^^^^ attribute_value: unknown check `output_contians`; expected one of any_output, output_contains, output_not_contains, exit_code, matches, file_exists, json
            |  "edges": [{"from": "work", "to": "done", "condition": "outcome=sucess"}]
            |                                                                 ^^^^^^ condition_constant: unknown status `sucess`; did you mean `success`?
            |    Replace with `success`: "edges": [{"from": "work", "to": "done", "condition": "outcome=success"}]
        "#]],
    );
}

#[test]
fn steps() {
    check(
        r#"[{"name": "Two", "steps": [
  {"name": "Look", "on_fail": "Lok"},
  {"name": "Act", "max_retries": "many"}
]}]"#,
        &expect![[r#"
            |  {"name": "Look", "on_fail": "Lok"},
            |                              ^^^^^ edge_target_exists: step `look` of plan `two`: `on_fail` names an unknown step `Lok`; did you mean `look`?
            |    Replace with `look`: {"name": "Look", "on_fail": "look"},
            |  {"name": "Act", "max_retries": "many"}
            |                                  ^^^^ attribute_value: invalid integer `many` for `max_retries`
        "#]],
    );
}

#[test]
fn text_that_is_not_json() {
    check(
        "{\"a\": {\n  \"steps\": [}\n}",
        &expect![[r#"
            |  "steps": [}
            |            ^ syntax: invalid JSON: expected value
        "#]],
    );
    check(
        "{\"a\": 1",
        &expect![[r#"
            |{"a": 1
            |      ^ syntax: invalid JSON: EOF while parsing an object
        "#]],
    );
    check(
        "[1, 2]",
        &expect![[r#"
            |[1, 2]
            |^ syntax: expected a plan with `graph` or `steps`
        "#]],
    );
}
