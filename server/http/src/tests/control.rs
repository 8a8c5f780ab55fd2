//! Messages to nodes.

use axum::http::StatusCode;
use serde_json::json;

use super::Bench;

#[tokio::test]
async fn a_message_to_a_node_that_does_not_run_is_kept() {
    let bench = Bench::new();
    let pipeline = r#"digraph p {
      start [shape=Mdiamond]; gate [type=human_gate, prompt="ok?"]; fix [prompt="Fix it."]; done [shape=Msquare]
      start -> gate; gate -> fix [label="[Y] Yes"]; fix -> done
    }"#;
    let submission = json!({ "dot": pipeline, "mode": "simulate" });
    let started = bench.post("/pipelines", submission).await.json();
    let id = started["id"].as_str().unwrap();
    bench.until(id, "waiting").await;
    let steer = format!("/pipelines/{id}/steer");
    let message = |node: &str| json!({ "node": node, "message": "Not the tests." });
    let kept = bench.post(&steer, message("fix")).await;
    assert_eq!(kept.status, StatusCode::ACCEPTED, "{}", kept.text);
    let events = bench
        .get(&format!("/pipelines/{id}/events?follow=false"))
        .await;
    assert!(
        events.text.contains("event: steering_injected"),
        "{}",
        events.text
    );
    let refused = bench.post(&steer, message("gate")).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
}
