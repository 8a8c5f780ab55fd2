//! Conditions as people write them: what they mean, what is wrong with them, what may hurt.

use std::collections::BTreeMap;
use std::fmt::Write;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::lang::{Status, Value};

/// A context, from JSON.
fn context(json: &serde_json::Value) -> BTreeMap<String, Value> {
    let entries = json.as_object().into_iter().flatten();
    entries
        .map(|(key, value)| (key.clone(), Value::from(value)))
        .collect()
}

fn evaluation(text: &str, status: Status, json: &serde_json::Value) -> Evaluation {
    let (condition, errors) = parse(text);
    assert_eq!(errors, [], "{text}");
    let labels = ["Ship".to_owned()];
    let context = context(json);
    evaluate(
        &condition,
        &Facts {
            context: &context,
            status,
            retries_left: false,
            labels: &labels,
        },
    )
}

#[track_caller]
fn holds(text: &str, json: &serde_json::Value) {
    assert!(
        evaluation(text, Status::Success, json).value,
        "{text} should hold in {json}"
    );
}

#[track_caller]
fn fails(text: &str, json: &serde_json::Value) {
    assert!(
        !evaluation(text, Status::Success, json).value,
        "{text} should not hold in {json}"
    );
}

#[test]
fn a_word_operator_may_be_turned_where_it_stands() {
    let said = json!({"said": "ALL GREEN", "files": ["a", "b"]});
    holds("said !contains RED", &said);
    holds("'c' not in files and said contains GREEN", &said);
    fails("said !contains GREEN", &said);
    let (condition, errors) = parse("x not in y and z");
    assert_eq!(errors, []);
    assert_eq!(condition.to_string(), "not x in y and z");
    let root = condition.root.unwrap();
    assert_eq!(root.range, 0..16);
}

/// Draws every error under the text.
fn check(text: &str, expected: &Expect) {
    let (_, errors) = parse(text);
    let mut drawn = format!("{text}\n");
    for error in errors {
        let gap = text
            .get(..error.range.start)
            .unwrap_or_default()
            .chars()
            .count();
        let width = text
            .get(error.range.clone())
            .unwrap_or_default()
            .chars()
            .count()
            .max(1);
        writeln!(
            drawn,
            "{}{} {}",
            " ".repeat(gap),
            "^".repeat(width),
            error.message
        )
        .unwrap_or_default();
        if let Some(fix) = error.fix {
            let mut mended = text.to_owned();
            mended.replace_range(fix.range, &fix.text);
            writeln!(drawn, "  fix: {} → {mended}", fix.title).unwrap_or_default();
        }
    }
    expected.assert_eq(&drawn);
}

#[test]
fn blank_always_holds() {
    holds("", &json!({}));
    holds(" \n\t ", &json!({}));
}

#[test]
fn the_operators_of_the_api_reference() {
    holds("exit_code == 0", &json!({"exit_code": 0}));
    holds("status != \"failed\"", &json!({"status": "done"}));
    holds("retries < 3", &json!({"retries": 2}));
    holds("score > 90", &json!({"score": 90.5}));
    holds("attempts <= 5", &json!({"attempts": 5}));
    holds("confidence >= 0.8", &json!({"confidence": 0.8}));
    holds(
        "approved == true and exit_code == 0",
        &json!({"approved": true, "exit_code": 0}),
    );
    holds("status == \"done\" or skip == true", &json!({"skip": true}));
    holds("not failed", &json!({}));
    holds("result.status == 'ok'", &json!({"result.status": "ok"}));
    holds("ratio == 2.75", &json!({"ratio": 2.75}));
    holds(
        "missing == null and missing == None and missing != 0",
        &json!({}),
    );
    fails(
        "exit_code == 0 and retries < 3",
        &json!({"exit_code": 0, "retries": 3}),
    );
}

#[test]
fn precedence_is_that_of_python() {
    // not > comparison > and > or
    holds("not a == 1", &json!({"a": 2}));
    holds("a or b and c", &json!({"a": true}));
    fails("(a or b) and c", &json!({"a": true}));
    holds(
        "!tool.output contains \"id\"",
        &json!({"tool.output": "none here"}),
    );
    holds("not not a", &json!({"a": 1}));
    holds("NOT a AND b OR c", &json!({"c": 1}));
    holds("a&&!b||c", &json!({"a": 1}));
}

#[test]
fn lenient_equality_takes_bare_words_and_text_forms() {
    holds("outcome=success", &json!({}));
    holds("outcome = succeeded", &json!({}));
    fails("outcome=fail", &json!({}));
    holds(
        "preferred_label=Fix it && a=1",
        &json!({"preferred_label": "Fix it", "a": "1"}),
    );
    holds(
        "preferred_label=Fix it or a=1",
        &json!({"preferred_label": "Fix it"}),
    );
    holds("exit_code=0", &json!({"exit_code": 0}));
    holds("exit_code=0", &json!({"exit_code": "0"}));
    holds("exit_code=0", &json!({"exit_code": 0.0}));
    holds(
        "drift=true and other=True",
        &json!({"drift": true, "other": "true"}),
    );
    holds("x=\"\"", &json!({}));
    fails("x=a", &json!({}));
    holds("x=null", &json!({}));
    holds(
        "model=gpt-5.4 and when=2026-11-21 and wait=30s",
        &json!({"model": "gpt-5.4", "when": "2026-11-21", "wait": "30s"}),
    );
    holds(
        "context.failure_class=transient_infra",
        &json!({"failure_class": "transient_infra"}),
    );
    holds(
        "tool.verify.output = pass",
        &json!({"tool.verify.output": "pass"}),
    );
    holds(
        "(preferred_label=Fix (later)) and a",
        &json!({"preferred_label": "Fix (later)", "a": 1}),
    );
}

#[test]
fn an_inserted_key_reads_as_if_its_value_were_written_there() {
    let inputs = json!({"inputs.cap": "3", "visits": 2, "inputs.word": "succeeded", "inputs.on": "true", "drift": true});
    holds(
        "visits < {{ inputs.cap }} && outcome={{inputs.word}}",
        &inputs,
    );
    fails(
        "visits >= {{ inputs.cap }} or outcome!={{ inputs.word }}",
        &inputs,
    );
    holds(
        "drift == {{ inputs.on }} and visits != {{ inputs.cap }}",
        &inputs,
    );
    holds("x={{ inputs.none }}", &inputs);
    let (condition, errors) = parse("a={{x.y}} and b != {{  z }}");
    assert_eq!(errors, []);
    assert_eq!(condition.to_string(), "a={{ x.y }} and b != {{ z }}");
    let keys: Vec<&str> = condition.keys().map(|(key, _)| key).collect();
    assert_eq!(keys, ["a", "x.y", "b", "z"]);
}

#[test]
fn inequality_follows_its_right_side() {
    // A bare word: the negation of `=`, so a missing key differs from it.
    holds("context.loop_state!=exhausted", &json!({}));
    fails(
        "context.loop_state!=exhausted",
        &json!({"loop_state": "exhausted"}),
    );
    fails("outcome!=succeeded", &json!({}));
    holds(
        "preferred_label != Fix it",
        &json!({"preferred_label": "Fix"}),
    );
    // A value: the negation of `==`.
    holds("x != \"1\"", &json!({"x": 1}));
    fails("x != null", &json!({}));
    fails("outcome != 'success'", &json!({}));
}

#[test]
fn typed_equality_reads_a_bare_word_as_a_key() {
    holds("a == b", &json!({"a": 1, "b": 1}));
    fails("a == b", &json!({"a": "b"}));
    holds("a == b", &json!({}));
    fails("exit_code == \"0\"", &json!({"exit_code": 0}));
    // A status word or a label that is no key is the text.
    holds("outcome == success", &json!({}));
    holds("outcome == succeeded", &json!({}));
    holds(
        "preferred_label == Ship",
        &json!({"preferred_label": "Ship"}),
    );
    fails(
        "preferred_label == Ship",
        &json!({"preferred_label": "Ship", "Ship": "other"}),
    );
}

#[test]
fn bare_operands_are_their_truth() {
    for (value, truth) in [
        (json!(1), true),
        (json!(0), false),
        (json!(""), false),
        (json!("x"), true),
        (json!(null), false),
    ] {
        assert_eq!(
            evaluation("flag", Status::Success, &json!({"flag": value})).value,
            truth,
            "{value}"
        );
    }
    holds(
        "true and 1 and 'x' and not null and not '' and not 0 and not False",
        &json!({}),
    );
}

#[test]
fn keywords_of_graph_workflows() {
    let value = |text: &str, status: &Status, retries_left| {
        let (condition, errors) = parse(text);
        assert_eq!(errors, [], "{text}");
        let facts = Facts {
            context: &(),
            status: status.clone(),
            retries_left,
            labels: &[],
        };
        evaluate(&condition, &facts).value
    };
    let table = [
        (Status::Success, false, "on_success always"),
        (Status::PartialSuccess, true, "on_success always"),
        (
            Status::Custom("needs_dod".into()),
            false,
            "on_success always",
        ),
        (Status::Skipped, false, "on_success always"),
        (Status::Fail, true, "on_retry always"),
        (Status::Fail, false, "on_fail on_exhaust always"),
        (Status::Retry, true, "on_retry always"),
    ];
    for (status, retries_left, expected) in table {
        let true_ones: Vec<&str> = Keyword::ALL
            .iter()
            .map(|k| k.word())
            .filter(|word| value(word, &status, retries_left))
            .collect();
        assert_eq!(true_ones.join(" "), expected, "{status:?} {retries_left}");
    }
    assert!(value(
        "on_fail and outcome=fail or never",
        &Status::Fail,
        false
    ));
    assert!(value("not on_success", &Status::Fail, true));
}

#[test]
fn word_operators() {
    let facts = json!({
        "tool.output": "{\"id\": 7}\nbuild failed", "tags": ["a", "b"], "pick": "b", "word": "failed", "n": 42
    });
    holds("tool.output contains \"id\"", &facts);
    holds("tool.output contains build failed and n", &facts);
    holds("tool.output contains word", &facts);
    holds("tags contains b", &facts);
    holds("pick in tags and 'a' in tags and not 'c' in tags", &facts);
    holds(
        "tool.output startswith '{' and tool.output endswith failed",
        &facts,
    );
    holds(
        r#"tool.output matches "id\": \d" and n matches '^4\d$'"#,
        &facts,
    );
    fails("missing contains x", &facts);
    fails("x in missing", &facts);
}

#[test]
fn a_mismatch_is_false_and_warns() {
    let answer = evaluation("retries < 3", Status::Success, &json!({"retries": "two"}));
    assert!(!answer.value);
    expect![[r#"
        [
            "`retries < 3` is false: the text \"two\" and the number 3 have no order",
        ]
    "#]]
    .assert_debug_eq(&answer.warnings);
    // A guard before it keeps it quiet.
    assert_eq!(
        evaluation("retries and retries < 3", Status::Success, &json!({})).warnings,
        [""; 0]
    );
    assert_eq!(
        evaluation("x == '1'", Status::Success, &json!({"x": 1}))
            .warnings
            .len(),
        1
    );
    assert_eq!(
        evaluation("flag", Status::Success, &json!({"flag": "false"}))
            .warnings
            .len(),
        1
    );
}

#[test]
fn the_answer_comes_with_its_reasons() {
    let answer = evaluation(
        "outcome=fail and retries < 3 or exit_code == 0",
        Status::Success,
        &json!({"exit_code": 0}),
    );
    let mut drawn = String::new();
    for clause in &answer.clauses {
        let reached = if clause.reached { "" } else { " (not reached)" };
        writeln!(
            drawn,
            "{} is {}{reached} {:?}",
            clause.text, clause.value, clause.operands
        )
        .unwrap_or_default();
    }
    expect![[r#"
        outcome=fail is false [("outcome", Text("success"))]
        retries < 3 is false (not reached) [("retries", Null)]
        exit_code == 0 is true [("exit_code", Number(Int(0)))]
    "#]]
    .assert_eq(&drawn);
}

#[test]
fn mistakes_point_at_the_characters_to_blame() {
    check(
        "outcome == ",
        &expect![[r#"
        outcome == 
                ^^ `==` has no right side; write the value to compare with, such as `success` or `3`
    "#]],
    );
    check(
        "and x",
        &expect![[r#"
        and x
        ^^^ `and` joins nothing here: a comparison is missing before it
    "#]],
    );
    check(
        "a and and b",
        &expect![[r#"
        a and and b
          ^^^ `and` is followed by nothing to check; add a comparison, or remove `and`
    "#]],
    );
    check(
        "= success",
        &expect![[r#"
        = success
        ^ `=` has no left side; write the key to compare, such as `outcome`
    "#]],
    );
    check(
        "x and (a == 1",
        &expect![[r#"
        x and (a == 1
              ^ this bracket is never closed; add `)` where the group ends
          fix: Close the bracket → x and (a == 1)
    "#]],
    );
    check(
        "a == 1) and b == 2",
        &expect![[r#"
        a == 1) and b == 2
              ^ this `)` closes nothing; remove it, or open the group
          fix: Remove `)` → a == 1 and b == 2
    "#]],
    );
    check(
        "()",
        &expect![[r#"
        ()
        ^^ these brackets are empty; put a comparison inside, or remove them
    "#]],
    );
    check(
        "not",
        &expect![[r#"
        not
        ^^^ `not` is followed by nothing to check; add a comparison, or remove `not`
    "#]],
    );
    check(
        "len(items) > 3 and x",
        &expect![[r#"
            len(items) > 3 and x
            ^^^^^^^^^^ a condition cannot call `len(…)`; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
    check(
        "x = len(items)",
        &expect![[r#"
            x = len(items)
                ^^^^^^^^^^ a condition cannot call `len(…)`; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. If it is a text, quote it
              fix: Quote the text → x = 'len(items)'
        "#]],
    );
    check(
        "items[0] == 1",
        &expect![[r#"
            items[0] == 1
                 ^^^ a condition has no subscripts and no lists; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. A key is written whole, with dots
        "#]],
    );
    check(
        "retries + 1 < 3",
        &expect![[r#"
            retries + 1 < 3
                    ^ a condition does no arithmetic; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. Compute the value in a node and compare its key
        "#]],
    );
    check(
        "retries -1 < 3",
        &expect![[r#"
            retries -1 < 3
                    ^^ a condition does no arithmetic; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. Compute the value in a node and compare its key
        "#]],
    );
    check(
        "a == 'x",
        &expect![[r#"
            a == 'x
                 ^^ this ' opens a text that is never closed; add the second '
              fix: Close the text → a == 'x'
        "#]],
    );
    check(
        "a & b",
        &expect![[r#"
            a & b
              ^ write `&&` or `and`; a single `&` has no meaning here
              fix: Write `&&` → a && b
        "#]],
    );
    check(
        "a | b",
        &expect![[r#"
            a | b
              ^ write `||` or `or`; a single `|` has no meaning here
              fix: Write `||` → a || b
        "#]],
    );
    check(
        "1 < x < 3",
        &expect![[r#"
        1 < x < 3
              ^ `<` cannot follow a whole comparison; join two comparisons with `and`, or quote a text that holds `<`
    "#]],
    );
    check(
        "a === b",
        &expect![[r#"
        a === b
          ^^^ `===` is no operator; write `==`
          fix: Write `==` → a == b
    "#]],
    );
    check(
        "a => 3",
        &expect![[r#"
        a => 3
          ^^ `=>` is no operator; write `>=`
          fix: Write `>=` → a >= 3
    "#]],
    );
    check(
        "a <> 3",
        &expect![[r#"
        a <> 3
          ^^ `<>` is no operator; write `!=`
          fix: Write `!=` → a != 3
    "#]],
    );
    check(
        "a == Fix it",
        &expect![[r#"
        a == Fix it
             ^^^^^^ a text of several words needs quotes here: `'Fix it'`
          fix: Quote the text → a == 'Fix it'
    "#]],
    );
    check(
        "[x for x in y]",
        &expect![[r#"
            [x for x in y]
            ^^^^^^^^^^^^^^ a condition has no subscripts and no lists; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. A key is written whole, with dots
        "#]],
    );
    check(
        "lambda: 1",
        &expect![[r#"
            lambda: 1
                  ^ `:` has no meaning in a condition; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
    check(
        "${x} == 1",
        &expect![[r#"
            ${x} == 1
            ^ a key is written plainly in a condition, without `$` or braces; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
    check(
        "a matches '('",
        &expect![[r#"
        a matches '('
                  ^^^ this is no regular expression: error: unclosed group
    "#]],
    );
    check(
        "a == “x”",
        &expect![[r#"
        a == “x”
             ^ “ is a typographic quote; write a plain `'`
          fix: Write `'` → a == 'x”
    "#]],
    );
    check(
        "a, b",
        &expect![[r#"
            a, b
             ^ `,` has no meaning in a condition; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
    check(
        "a b",
        &expect![[r#"
        a b
          ^ `b` does not follow here; put `and` or `or` before it, or quote the text
    "#]],
    );
    check(
        "(a) == 1",
        &expect![[r#"
        (a) == 1
            ^^ `==` cannot follow a whole comparison; join two comparisons with `and`, or quote a text that holds `==`
    "#]],
    );
    check(
        "a == 1 not b",
        &expect![[r#"
        a == 1 not b
               ^^^ `not` does not follow here; put `and` or `or` before it
    "#]],
    );
    check(
        "x ~= 'a'",
        &expect![[r#"
            x ~= 'a'
              ^ write `matches` to test a regular expression
        "#]],
    );
    check(
        "a or )",
        &expect![[r#"
        a or )
          ^^ `or` is followed by nothing to check; add a comparison, or remove `or`
             ^ this `)` closes nothing; remove it, or open the group
          fix: Remove `)` → a or 
    "#]],
    );
    check(
        "__import__('os').system('x')",
        &expect![[r#"
            __import__('os').system('x')
            ^^^^^^^^^^^^^^^^ a condition cannot call `__import__(…)`; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
}

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
