//! Diagnostics, published and pulled.

use expect_test::expect;
use serde_json::{Value, json};

use crate::testing::{TestClient, URI};

#[tokio::test]
async fn errors_are_published_with_their_rule_and_withdrawn() {
    let mut client = TestClient::new().await;
    client.open("digraph {\n  a -> \n").await;
    let published = client.diagnostics(1).await;
    assert!(
        published.iter().any(|item| item.contains("syntax")),
        "{published:?}"
    );
    client.change(2, "digraph {\n  a -> b\n}\n").await;
    expect![[r#""#]].assert_eq(&client.diagnostics(2).await.join("\n"));
    client.leave().await;
}

#[tokio::test]
async fn closing_a_document_takes_its_diagnostics_back() {
    let mut client = TestClient::new().await;
    client.open("digraph {").await;
    client.diagnostics(1).await;
    client
        .notify(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": URI } }),
        )
        .await;
    let taken_back = |params: &Value| params["diagnostics"].as_array().is_some_and(Vec::is_empty);
    client
        .notification_where("textDocument/publishDiagnostics", taken_back)
        .await;
    client.leave().await;
}

#[tokio::test]
async fn a_diagnostic_says_what_how_bad_and_where_to_read_more() {
    let capabilities =
        json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } });
    let mut client = TestClient::with(capabilities).await;
    client.open("digraph {").await;
    let published = client.notification("textDocument/publishDiagnostics").await;
    let first = &published["diagnostics"][0];
    assert_eq!(first["source"], "attractor");
    assert_eq!(first["severity"], 1);
    assert_eq!(first["code"], "syntax");
    assert!(
        first["codeDescription"]["href"]
            .as_str()
            .is_some_and(|href| href.ends_with("#syntax"))
    );
    client.leave().await;
}

#[tokio::test]
async fn pull_clients_get_no_push_and_unchanged_reports() {
    let capabilities = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let mut client = TestClient::with(capabilities).await;
    client.open("digraph {").await;
    let mut pull = json!({ "textDocument": { "uri": URI } });
    let full = client
        .request("textDocument/diagnostic", pull.clone())
        .await
        .expect("a report");
    assert_eq!(full["kind"], "full");
    assert!(
        full["items"]
            .as_array()
            .is_some_and(|items| !items.is_empty())
    );
    pull["previousResultId"] = full["resultId"].clone();
    let same = client
        .request("textDocument/diagnostic", pull)
        .await
        .expect("a report");
    assert_eq!(same["kind"], "unchanged");
    assert!(
        !client
            .methods_seen()
            .contains(&"textDocument/publishDiagnostics")
    );
    client.leave().await;
}

#[tokio::test]
async fn the_whole_workspace_is_reported_open_or_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("broken.dot"), "digraph {").expect("written");
    std::fs::write(folder.path().join("fine.gv"), "graph { a -- b }").expect("written");
    let mut client = TestClient::raw(crate::Settings::default());
    let root = lsp_types::Uri::from_file_path(folder.path()).expect("absolute");
    let params = json!({
        "processId": null,
        "workspaceFolders": [{ "uri": root, "name": "it" }],
        "capabilities": {
            "textDocument": { "diagnostic": {} },
            "workspace": { "diagnostics": { "refreshSupport": true } },
        },
    });
    client
        .request("initialize", params)
        .await
        .expect("it initialises");
    client.notify("initialized", json!({})).await;
    let report = client
        .request("workspace/diagnostic", json!({ "previousResultIds": [] }))
        .await
        .expect("a report");
    let counts: Vec<_> = report["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["items"].as_array().map_or(0, Vec::len).min(1))
        .collect();
    assert_eq!(counts, [1, 0]);
    client.leave().await;
}

#[tokio::test]
async fn a_burst_of_changes_in_a_large_text_ends_with_the_diagnostics_of_the_last() {
    let mut client = TestClient::new().await;
    let node = |number: usize| format!("  n{number} -> n{};\n", number + 1);
    let body: String = (0..20_000).map(node).collect();
    client.open(&format!("digraph {{\n{body}}}\n")).await;
    for version in 2..=20 {
        client
            .change(version, &format!("digraph {{\n{body}  last -> \n"))
            .await;
    }
    assert!(!client.diagnostics(20).await.is_empty());
    client.leave().await;
}
