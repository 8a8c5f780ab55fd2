//! Messages no editor should send: each gets an error, and the server keeps running.

use serde_json::{Value, json};

use crate::Settings;
use crate::testing::{TestClient, URI};

/// The code of an answer: its error's, 0 for a result.
fn code(answer: &Result<Value, Value>) -> i64 {
    match answer {
        Ok(_) => 0,
        Err(error) => error["code"].as_i64().unwrap_or(i64::MIN),
    }
}

const NOT_INITIALIZED: i64 = -32002;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

#[tokio::test]
async fn requests_before_initialize_are_refused_and_initialize_works_after_them() {
    let mut client = TestClient::raw(Settings::default());
    let about =
        json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 0 } });
    client.open("digraph {").await;
    let early = client.request("textDocument/hover", about.clone()).await;
    assert_eq!(code(&early), NOT_INITIALIZED);
    client.initialize(json!({})).await;
    let again = json!({ "processId": null, "rootUri": null, "capabilities": {} });
    let twice = client.request("initialize", again).await;
    assert_eq!(code(&twice), INVALID_REQUEST);
    // What was opened too early is not open.
    assert_eq!(
        client.request("textDocument/hover", about).await,
        Ok(Value::Null)
    );
    client.leave().await;
}

#[tokio::test]
async fn unknown_methods_and_wrong_parameters_are_answered() {
    let mut client = TestClient::new().await;
    let unknown = client.request("textDocument/teleport", json!({})).await;
    assert_eq!(code(&unknown), METHOD_NOT_FOUND);
    client.notify("$/unknownNotification", json!([1, 2])).await;
    client.notify("attractor/nonsense", json!(null)).await;
    for params in [
        json!(null),
        json!([]),
        json!({ "textDocument": 7 }),
        json!("text"),
    ] {
        let wrong = client.request("textDocument/hover", params).await;
        assert_eq!(code(&wrong), INVALID_PARAMS, "{wrong:?}");
    }
    let wrong = client
        .request(
            "workspace/executeCommand",
            json!({ "command": "attractor.run", "arguments": [1, 2] }),
        )
        .await;
    assert_eq!(code(&wrong), INVALID_PARAMS, "{wrong:?}");
    client.leave().await;
}

#[tokio::test]
async fn positions_outside_the_text_and_inside_characters_are_moved_to_it() {
    let mut client = TestClient::with(json!({})).await;
    client.open("digraph { \"🦀🦀\" -> b }\n").await;
    let places = [
        (0, 12),
        (0, u32::MAX),
        (u32::MAX, u32::MAX),
        (u32::MAX, 0),
        (1, 5),
    ];
    for (line, character) in places {
        for method in [
            "hover",
            "completion",
            "definition",
            "references",
            "documentHighlight",
            "prepareRename",
            "linkedEditingRange",
            "prepareCallHierarchy",
        ] {
            let place = json!({ "line": line, "character": character });
            let params = json!({
                "textDocument": { "uri": URI },
                "position": place,
                "context": { "includeDeclaration": true, "triggerKind": 1 },
            });
            let method = format!("textDocument/{method}");
            let answer = client.request(&method, params).await;
            // There may be nothing to rename; anything else has an answer.
            assert!(
                answer.is_ok() || method.ends_with("Rename"),
                "{method}: {answer:?}"
            );
        }
        let backwards = json!({ "start": { "line": line, "character": character }, "end": { "line": 0, "character": 3 } });
        let params = json!({ "textDocument": { "uri": URI }, "range": backwards, "context": { "diagnostics": [] } });
        for method in ["codeAction", "inlayHint", "semanticTokens/range"] {
            let answer = client
                .request(&format!("textDocument/{method}"), params.clone())
                .await;
            assert!(answer.is_ok(), "{method}: {answer:?}");
        }
    }
    // An edit in the middle of a character replaces from its start.
    let inside = json!({ "line": 0, "character": 12 });
    let change = json!({
        "textDocument": { "uri": URI, "version": 2 },
        "contentChanges": [{ "range": { "start": inside, "end": inside }, "text": "x" }],
    });
    client.notify("textDocument/didChange", change).await;
    client.diagnostics(2).await;
    client.leave().await;
}

#[tokio::test]
async fn unknown_documents_and_old_versions_are_harmless() {
    let mut client = TestClient::new().await;
    client.change(7, "digraph {").await;
    let close = json!({ "textDocument": { "uri": URI } });
    client.notify("textDocument/didClose", close.clone()).await;
    client.open("digraph { a -> b }").await;
    client.diagnostics(1).await;
    client.change(9, "digraph { a -> ").await;
    client.diagnostics(9).await;
    // The text a client sends counts, whatever it calls it.
    client.change(3, "digraph { a -> b }").await;
    assert_eq!(client.diagnostics(3).await, Vec::<String>::new());
    client.open("digraph {").await;
    assert!(!client.diagnostics(1).await.is_empty());
    client.notify("textDocument/didClose", close.clone()).await;
    client.notify("textDocument/didClose", close).await;
    let about = json!({ "textDocument": { "uri": URI } });
    let outline = client.request("textDocument/documentSymbol", about).await;
    assert_eq!(outline, Ok(Value::Null));
    client.leave().await;
}

#[tokio::test]
async fn unusual_uris_are_supported() {
    let mut client = TestClient::new().await;
    for uri in [
        "untitled:x",
        "git:/a.dot?ref=HEAD",
        "file:///%F0%9F%A6%80.dot",
        "x:y",
        "file://server/share/a.dot",
    ] {
        client.open_as(uri, "digraph {").await;
        let about = json!({ "textDocument": { "uri": uri } });
        let outline = client.request("textDocument/documentSymbol", about).await;
        assert!(outline.is_ok_and(|outline| outline.is_array()), "{uri}");
    }
    client.leave().await;
}

#[tokio::test]
async fn large_responses_about_a_document_that_is_not_open_are_null() {
    let mut client = TestClient::new().await;
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "options": options });
    for method in ["documentSymbol", "formatting", "semanticTokens/full"] {
        let method = format!("textDocument/{method}");
        let answer = client.request(&method, params.clone()).await;
        assert_eq!(answer, Ok(Value::Null), "{method}");
        let answer = client.request(&method, json!({})).await;
        assert_eq!(answer.expect_err("no document")["code"], -32602, "{method}");
    }
    client.leave().await;
}
