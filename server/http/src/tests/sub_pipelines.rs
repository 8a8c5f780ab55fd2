//! Dry runs, and the graphs of the pipelines that a run calls.

use super::*;

const OUTER: &str = r#"digraph outer {
  a [shape=Mdiamond]; call [type=pipeline, sub_pipeline=inner]; ask [type=human_gate, prompt="Go?"]; z [shape=Msquare]
  a -> call -> ask; ask -> z [label="[Y] Yes"]
}
digraph inner { b [shape=Mdiamond]; work [type=tool, command="echo worked"]; y [shape=Msquare]; b -> work -> y }"#;

fn nodes(graph: &Value) -> String {
    let nodes = graph["nodes"].as_array().unwrap().iter();
    let shown = nodes.map(|node| {
        let state = node["state"].as_str().unwrap_or("-");
        let called = node["sub_pipeline"].as_str().unwrap_or_default();
        format!("{} {state} {called}", node["id"].as_str().unwrap())
    });
    shown.collect::<Vec<_>>().join("; ").replace(" ;", ";")
}

#[tokio::test]
async fn the_graph_of_a_called_pipeline_has_its_states() {
    let bench = Bench::new();
    let body = json!({ "dot": OUTER, "graph": "outer" });
    let id = bench.post("/pipelines", body).await.json()["id"].clone();
    let id = id.as_str().unwrap();
    bench.until(id, "waiting").await;
    let path = format!("/pipelines/{id}/graph?format=json");
    let outer = bench.get(&path).await.json();
    assert_eq!(
        nodes(&outer),
        "a success; call success inner; ask waiting; z - "
    );
    let inner = bench.get(&format!("{path}&graph=inner")).await.json();
    assert_eq!(inner["name"], "inner");
    assert_eq!(nodes(&inner), "b success; work success; y success ");
    let unknown = bench.get(&format!("{path}&graph=other")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.text);
}

#[tokio::test]
async fn a_client_of_version_1_gets_its_words_for_states() {
    let bench = Bench::new();
    let body = json!({ "dot": OUTER, "graph": "outer", "mode": "dry_run" });
    let id = bench.post("/pipelines", body).await.json()["id"].clone();
    let id = id.as_str().unwrap();
    bench.until(id, "success").await;
    let get = async |path: &str, version: &str| {
        let request = request("GET", &format!("/pipelines/{id}{path}"));
        let request = request.header("attractor-protocol", version);
        bench.send(request.body(Body::empty()).unwrap()).await
    };
    let graph = get("/graph?format=json&graph=inner", "1").await.json();
    assert_eq!(nodes(&graph), "b succeeded; work succeeded; y succeeded ");
    let graph = get("/graph?format=json&graph=inner", "2").await.json();
    assert_eq!(nodes(&graph), "b success; work success; y success ");
    let run = get("", "1").await.json();
    assert_eq!(
        (&run["status"], &run["report"]["state"]),
        (&json!("success"), &json!("succeeded"))
    );
    let refused = get("", "9").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text.contains("expected 1 or 2"), "{}", refused.text);
}

#[tokio::test]
async fn the_graph_of_a_pipeline_in_another_file_is_the_stored_one() {
    let bench = Bench::new();
    let project = bench.folder.path().join("project");
    std::fs::create_dir_all(project.join(".attractor")).unwrap();
    let (outer, inner) = OUTER.split_once("\ndigraph inner").unwrap();
    std::fs::write(project.join("outer.dot"), outer).unwrap();
    std::fs::write(project.join("inner.dot"), format!("digraph other{inner}")).unwrap();
    let engine = Engine::builder()
        .on_missing_interviewer(OnMissingInterviewer::Wait)
        .runs_dir(bench.folder.path().join("runs"))
        .build()
        .unwrap();
    let run = engine.run_file(project.join("outer.dot")).start().await;
    let run = run.unwrap();
    std::fs::remove_file(project.join("inner.dot")).unwrap();
    bench.until(run.id().as_str(), "waiting").await;
    let path = format!("/pipelines/{}/graph?format=json&graph=inner", run.id());
    let inner = bench.get(&path).await.json();
    assert_eq!(nodes(&inner), "b success; work success; y success ");
}

#[tokio::test]
async fn a_dry_run_is_shown_after_its_end() {
    let bench = Bench::new();
    let body = json!({ "dot": OUTER, "graph": "outer", "mode": "dry_run" });
    let id = bench.post("/pipelines", body).await.json()["id"].clone();
    let id = id.as_str().unwrap();
    let run = bench.until(id, "success").await;
    assert_eq!(run["simulated"], true);
    let get = async |path: &str| bench.get(&format!("/pipelines/{id}{path}")).await;
    let events = get("/events").await;
    assert!(
        events.text.contains("event: pipeline_completed"),
        "{}",
        events.text
    );
    let listed = bench.get("/pipelines").await.json();
    assert_eq!(listed["pipelines"][0]["id"], id);
    assert_eq!(listed["pipelines"][0]["simulated"], true);
    let graph = get("/graph?format=json&graph=inner").await.json();
    assert_eq!(nodes(&graph), "b success; work success; y success ");
    assert_eq!(get("/checkpoint").await.json()["pipeline_name"], "outer");
    for (path, status) in [
        ("/context", StatusCode::OK),
        ("/questions", StatusCode::OK),
        ("/diff", StatusCode::CONFLICT),
        ("/stages/work/1/1", StatusCode::NOT_FOUND),
        ("/artifacts/0", StatusCode::NOT_FOUND),
        ("/events?follow=false", StatusCode::OK),
    ] {
        let reply = get(path).await;
        assert_eq!(reply.status, status, "{path}: {}", reply.text);
    }
    for path in ["cancel", "resume", "fork"] {
        let path = format!("/pipelines/{id}/{path}");
        let reply = bench.post(&path, json!({ "node": "call" })).await;
        assert_eq!(reply.status, StatusCode::CONFLICT, "{path}: {}", reply.text);
    }
    assert!(!bench.folder.path().join("runs").join(id).exists());
}
