//! From the first message to the last.

use serde_json::{Value, json};

use crate::testing::{TestClient, URI};
use crate::{ServerExit, Settings};

#[tokio::test]
async fn shutdown_then_exit_is_clean() {
    let client = TestClient::new().await;
    assert_eq!(client.leave().await, ServerExit::Clean);
}

#[tokio::test]
async fn exit_without_shutdown_is_abrupt() {
    let mut client = TestClient::new().await;
    client.notify("exit", Value::Null).await;
    assert_eq!(client.ended().await, ServerExit::Abrupt);
}

#[tokio::test]
async fn a_client_that_dies_ends_the_server() {
    let mut client = TestClient::new().await;
    client.open("digraph { a -> b }").await;
    client
        .ask(
            "textDocument/documentSymbol",
            json!({ "textDocument": { "uri": URI } }),
        )
        .await;
    assert_eq!(client.die().await, ServerExit::Abrupt);
}

#[tokio::test]
async fn nothing_is_answered_before_initialize() {
    let mut client = TestClient::raw(Settings::default());
    let refused = client
        .request(
            "textDocument/documentSymbol",
            json!({ "textDocument": { "uri": URI } }),
        )
        .await;
    assert_eq!(refused.unwrap_err()["code"], -32002);
    client.initialize(json!({})).await;
    assert_eq!(client.leave().await, ServerExit::Clean);
}

#[tokio::test]
async fn the_encoding_is_negotiated() {
    let mut client = TestClient::raw(Settings::default());
    let offered = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let result = client.initialize(offered).await;
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(
        result["capabilities"]["experimental"]["attractor"]["protocol"],
        2
    );
    client.leave().await;
}

#[tokio::test]
async fn an_older_version_of_the_messages_can_be_requested() {
    for (asked, answered) in [(1, 1), (2, 2), (3, 2)] {
        let mut client = TestClient::raw(Settings::default());
        let offered = json!({ "experimental": { "attractor": { "protocol": asked } } });
        let result = client.initialize(offered).await;
        let version = &result["capabilities"]["experimental"]["attractor"]["protocol"];
        assert_eq!(*version, answered, "{asked}");
        client.leave().await;
    }
}

#[tokio::test]
async fn garbage_on_the_wire_is_survived() {
    let mut client = TestClient::new().await;
    client
        .write(b"\x00\xff\xfe garbage, no header at all\r\n\r\n")
        .await;
    client.write(b"Content-Length: banana\r\n\r\n").await;
    client.write(b"Content-Length: 9\r\n\r\n{\"a\": [1,").await;
    client
        .write(b"Content-Length: 4\r\n\r\n\xff\xff\xff\xff")
        .await;
    client.write(b"Content-Length: 2\r\n\r\n[]").await;
    client
        .notify("textDocument/didOpen", json!("not an object"))
        .await;
    client
        .notify("textDocument/didChange", json!({ "textDocument": 7 }))
        .await;
    client.notify("no/such/notification", json!({})).await;
    let unknown = client.request("no/such/request", json!({})).await;
    assert_eq!(unknown.unwrap_err()["code"], -32601);
    let wrong = client
        .request("textDocument/documentSymbol", json!({ "textDocument": 7 }))
        .await;
    assert_eq!(wrong.unwrap_err()["code"], -32602);
    client.open("digraph { a -> b }").await;
    assert!(client.at("textDocument/definition", 0, 10).await.is_array());
    assert_eq!(client.leave().await, ServerExit::Clean);
}

#[tokio::test]
async fn settings_come_with_initialize_and_on_request() {
    let mut client = TestClient::raw(Settings::default());
    client.reply("workspace/configuration", json!([{ "dialect": "martian" }]));
    let params = json!({
        "processId": null, "rootUri": null,
        "capabilities": { "workspace": { "configuration": true } },
        "initializationOptions": { "lints": { "syntax": "loud" } },
    });
    client
        .request("initialize", params)
        .await
        .expect("it initialises");
    client.notify("initialized", json!({})).await;
    let first = client.notification("window/showMessage").await;
    let second = client.notification("window/showMessage").await;
    let mut shown =
        [first, second].map(|shown| shown["message"].as_str().unwrap_or_default().to_owned());
    shown.sort();
    assert!(shown[0].contains("martian"), "{shown:?}");
    assert!(shown[1].contains("loud"), "{shown:?}");
    client.leave().await;
}
