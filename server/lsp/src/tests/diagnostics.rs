//! Diagnostics, published and pulled.

use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};
use tokio::time::Instant;

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
    let wanted = |params: &Value| params["version"] == 20 && params["diagnostics"] != json!([]);
    client
        .notification_where("textDocument/publishDiagnostics", wanted)
        .await;
    client.leave().await;
}

const CORRECT: &str = "digraph {\n  s [shape=Mdiamond]\n  t [shape=Msquare]\n  s -> t\n}\n";
/// Typed into [`CORRECT`]: a node that nothing leads to, with a typo.
const TYPED: &str = "  a [promt=\"x\"]";
const RULES_OF_TYPED: [&str; 3] = ["prompt_missing", "reachability", "unknown_attribute"];

/// Inserts a key into the fourth line of [`CORRECT`], where `TYPED` is typed.
async fn key(client: &mut TestClient, version: i32, column: usize, key: char) {
    let cursor = json!({ "line": 3, "character": column });
    let change = json!({ "range": { "start": cursor, "end": cursor }, "text": key.to_string() });
    let changes = json!({
        "textDocument": { "uri": URI, "version": version },
        "contentChanges": [change],
    });
    client.notify("textDocument/didChange", changes).await;
}

/// Types [`TYPED`] and a line end; gives the last version.
async fn type_node(client: &mut TestClient) -> i32 {
    let mut version = 1;
    for (column, typed) in TYPED.chars().chain(['\n']).enumerate() {
        version += 1;
        key(client, version, column, typed).await;
    }
    version
}

fn rules(items: &Value) -> Vec<&str> {
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut rules: Vec<_> = items
        .iter()
        .filter_map(|item| item["code"].as_str())
        .collect();
    rules.retain(|rule| RULES_OF_TYPED.contains(rule));
    rules.sort_unstable();
    rules
}

#[tokio::test(start_paused = true)]
async fn diagnostics_of_a_graph_wait_until_nobody_types_for_a_second() {
    let mut client = TestClient::new().await;
    client.open(CORRECT).await;
    assert_eq!(client.diagnostics(1).await, Vec::<String>::new());
    let mut version = 1;
    for (column, typed) in TYPED.chars().enumerate() {
        version += 1;
        key(&mut client, version, column, typed).await;
        assert_eq!(client.diagnostics(version).await, Vec::<String>::new());
    }
    // The typo is a problem of its statement, which ends here.
    version += 1;
    let left = Instant::now();
    key(&mut client, version, TYPED.len(), '\n').await;
    let is_newest = |params: &Value| params["version"] == version;
    let method = "textDocument/publishDiagnostics";
    let published = client.notification_where(method, is_newest).await;
    assert_eq!(rules(&published["diagnostics"]), ["unknown_attribute"]);
    assert_eq!(left.elapsed(), Duration::ZERO);
    let settled = client.notification_where(method, is_newest).await;
    assert_eq!(rules(&settled["diagnostics"]), RULES_OF_TYPED);
    assert!(left.elapsed() >= Duration::from_secs(1));
    client.leave().await;
}

#[tokio::test(start_paused = true)]
async fn saving_reports_every_diagnostic_at_once() {
    let mut client = TestClient::new().await;
    client.open(CORRECT).await;
    let version = type_node(&mut client).await;
    let saved = Instant::now();
    let document = json!({ "textDocument": { "uri": URI } });
    client.notify("textDocument/didSave", document).await;
    let is_complete = |params: &Value| {
        params["version"] == version && rules(&params["diagnostics"]) == RULES_OF_TYPED
    };
    client
        .notification_where("textDocument/publishDiagnostics", is_complete)
        .await;
    assert_eq!(saved.elapsed(), Duration::ZERO);
    client.leave().await;
}

#[tokio::test(start_paused = true)]
async fn pulled_diagnostics_wait_as_well_and_are_refreshed() {
    let mut client = TestClient::with(json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    }))
    .await;
    client.open(CORRECT).await;
    type_node(&mut client).await;
    let pull = json!({ "textDocument": { "uri": URI } });
    let report = client
        .request("textDocument/diagnostic", pull.clone())
        .await
        .expect("a report");
    assert_eq!(rules(&report["items"]), ["unknown_attribute"]);
    let validate = json!({ "command": "attractor.validate", "arguments": [{ "uri": URI }] });
    let validated = client
        .request("workspace/executeCommand", validate)
        .await
        .expect("a result");
    assert_eq!(rules(&validated["diagnostics"]), RULES_OF_TYPED);
    client.notification("workspace/diagnostic/refresh").await;
    let report = client
        .request("textDocument/diagnostic", pull)
        .await
        .expect("a report");
    assert_eq!(rules(&report["items"]), RULES_OF_TYPED);
    client.leave().await;
}
