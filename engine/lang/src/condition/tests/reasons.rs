//! Why a condition holds or not, and what may hurt.

use std::fmt::Write;

use expect_test::expect;
use serde_json::json;

use super::*;

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
