//! `update_plan`.

use serde_json::json;

use super::Fixture;

#[tokio::test]
async fn a_plan_is_kept_in_lines_of_bounded_length() {
    let one = Fixture::new(&[]);
    let steps = json!({"plan": [
        {"step": "Read\nthe  test", "status": "completed"},
        {"step": "x".repeat(500), "status": "in_progress"},
    ]});
    let result = one.result("update_plan", steps).await;
    let plan = result.plan.unwrap();
    assert_eq!(plan.steps[0].step, "Read the test");
    assert_eq!(plan.steps[1].step.len(), 200);
    assert!(
        result
            .output
            .starts_with("The plan is shown: 1 of 2 steps · xxx")
    );
}

#[tokio::test]
async fn an_unknown_state_is_an_error() {
    let one = Fixture::new(&[]);
    let steps = json!({"steps": [{"step": "Read", "status": "begun"}]});
    let output = one.call("update_plan", steps).await;
    assert!(output.contains("unknown variant `begun`"), "{output}");
}
