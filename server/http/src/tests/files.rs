//! What a run leaves: differences, files of attempts, large values.

use axum::http::StatusCode;
use serde_json::json;

use super::{Bench, GATED};

const CHANGES_FILES: &str = r#"digraph d {
  a [shape=Mdiamond]
  b [type=tool, command="printf 'one\n' > new.txt; echo printed; ln -s ../../../../../secret.txt $ATTRACTOR_STAGE_DIR/link"]
  c [type=tool, command="head -c 200000 /dev/zero | tr '\\0' x"]
  g [type=human_gate, prompt="ok?"]
  d [shape=Msquare]
  a -> b -> c -> g
  g -> d [label="[Y] Yes"]
}"#;

#[tokio::test]
async fn differences_of_runs_and_nodes_are_shown() {
    let bench = Bench::new();
    let id = bench.submit(CHANGES_FILES).await;
    bench.until(&id, "waiting").await;
    for path in ["diff", "diff/b", "diff/b@1"] {
        let reply = bench.get(&format!("/pipelines/{id}/{path}")).await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text);
        let file = &reply.json()["files"][0];
        assert_eq!(file["path"], "new.txt", "{}", reply.text);
        assert_eq!(
            (&file["change"], &file["added"]),
            (&json!("added"), &json!(1))
        );
        assert!(
            file["diff"]
                .as_str()
                .unwrap()
                .ends_with("@@ -0,0 +1 @@\n+one\n")
        );
    }
    for path in ["diff/b@2", "diff/nothing", "diff/..%2f..%2fx"] {
        let reply = bench.get(&format!("/pipelines/{id}/{path}")).await;
        assert_eq!(
            reply.status,
            StatusCode::NOT_FOUND,
            "{path}: {}",
            reply.text
        );
    }
}

#[tokio::test]
async fn differences_have_the_whole_texts_on_request() {
    let bench = Bench::new();
    let id = bench.submit(CHANGES_FILES).await;
    bench.until(&id, "waiting").await;
    let file = |reply: serde_json::Value| reply["files"][0].clone();
    let short = file(bench.get(&format!("/pipelines/{id}/diff/b")).await.json());
    assert_eq!(short.get("after"), None);
    let path = format!("/pipelines/{id}/diff/b?contents=true");
    let whole = file(bench.get(&path).await.json());
    assert_eq!(
        (whole.get("before"), &whole["after"]),
        (None, &json!("one\n"))
    );
    assert_eq!(whole["diff"], short["diff"]);
    let wrong = bench
        .get(&format!("/pipelines/{id}/diff?contents=maybe"))
        .await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_text_of_the_pipeline_is_what_was_submitted() {
    let bench = Bench::new();
    let id = bench.submit(CHANGES_FILES).await;
    let source = bench
        .get(&format!("/pipelines/{id}/graph?format=source"))
        .await;
    assert_eq!(source.text, CHANGES_FILES);
    assert_eq!(source.headers["content-type"], "text/vnd.graphviz");
}

#[tokio::test]
async fn files_of_an_attempt_are_read_and_nothing_outside() {
    let bench = Bench::new();
    std::fs::write(bench.folder.path().join("secret.txt"), "hidden").unwrap();
    let id = bench.submit(CHANGES_FILES).await;
    bench.until(&id, "waiting").await;
    let stage = format!("/pipelines/{id}/stages/b/1/1");
    let listed = bench.get(&stage).await.json();
    let names = listed["files"].as_array().unwrap();
    assert!(names.contains(&json!("stdout.log")), "{names:?}");
    assert!(!names.contains(&json!("link")), "{names:?}");
    let log = bench.get(&format!("{stage}/stdout.log")).await;
    assert_eq!(log.text, "printed\n");
    assert_eq!(log.headers["content-type"], "text/plain; charset=utf-8");
    for path in [
        "link",
        "..%2f..%2f..%2fmanifest.json",
        "%2fetc%2fhostname",
        "..",
        "%2e%2e",
        "nothing.log",
    ] {
        let reply = bench.get(&format!("{stage}/{path}")).await;
        assert_eq!(
            reply.status,
            StatusCode::NOT_FOUND,
            "{path}: {}",
            reply.text
        );
        assert!(!reply.text.contains("hidden"));
    }
    let outside = format!("/pipelines/{id}/stages/..%2f..%2f..%2f..%2fx/1/1/secret.txt");
    assert_eq!(bench.get(&outside).await.status, StatusCode::NOT_FOUND);
    let not_a_number = bench.get(&format!("/pipelines/{id}/stages/b/x/1")).await;
    assert_eq!(not_a_number.status, StatusCode::BAD_REQUEST);
    assert!(not_a_number.json()["error"]["message"].is_string());
}

#[tokio::test]
async fn large_values_are_read_by_their_hash() {
    let bench = Bench::new();
    let id = bench.submit(CHANGES_FILES).await;
    bench.until(&id, "waiting").await;
    let context = bench.get(&format!("/pipelines/{id}/context")).await.json();
    let sha = context["context"]["tool.output"]["$artifact"].as_str();
    let sha = sha.unwrap_or_else(|| unreachable!("{context}")).to_owned();
    let value = bench.get(&format!("/pipelines/{id}/artifacts/{sha}")).await;
    assert_eq!(value.text, "x".repeat(value.text.len()));
    assert!(value.text.len() > 100_000, "{}", value.text.len());
    for path in ["0".repeat(64), "..%2fmanifest.json".to_owned()] {
        let reply = bench
            .get(&format!("/pipelines/{id}/artifacts/{path}"))
            .await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_fork_names_the_files_that_differ() {
    let bench = Bench::new();
    let dot = GATED.replace("echo built", "echo one > notes.txt");
    let id = bench.submit(&dot).await;
    bench.until(&id, "waiting").await;
    let submissions = bench.folder.path().join("submissions");
    let folder = std::fs::read_dir(submissions).unwrap().next().unwrap();
    std::fs::write(folder.unwrap().path().join("notes.txt"), "two").unwrap();
    let path = format!("/pipelines/{id}/fork");
    let refused = bench.post(&path, json!({ "node": "review" })).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    let body = refused.json();
    assert_eq!(body["error"]["code"], "files_differ");
    assert_eq!(body["files"], "notes.txt");
    let restored = bench
        .post(&path, json!({ "node": "review", "files": "restore" }))
        .await;
    assert_eq!(restored.status, StatusCode::CREATED, "{}", restored.text);
}
