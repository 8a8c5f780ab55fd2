//! What conditions mean.

use serde_json::json;

use super::*;

#[test]
fn a_word_operator_may_be_negated_in_place() {
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
fn inequality_is_the_negation_of_lenient_equality() {
    // A missing key differs from every word.
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
    fails("x != \"1\"", &json!({"x": 1}));
    fails("x != 1", &json!({"x": "1"}));
    fails("x != true", &json!({"x": "Yes"}));
    fails("x != null", &json!({}));
    fails("outcome != 'success'", &json!({}));
}

#[test]
fn typed_equality_reads_a_bare_word_as_a_key() {
    holds("a == b", &json!({"a": 1, "b": 1}));
    fails("a == b", &json!({"a": "b"}));
    holds("a == b", &json!({}));
    fails("exit_code == \"0\"", &json!({"exit_code": 0}));
    // A status word or a label that is not a key is the text.
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
