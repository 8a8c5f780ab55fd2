//! Messages are applied in the order of the wire, whatever the handlers do.

use serde_json::{Value, json};

use crate::testing::{TestClient, URI};

fn symbols() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

#[tokio::test]
async fn every_request_sees_the_text_its_client_saw() {
    let mut client = TestClient::new().await;
    client.open("digraph g0 {}").await;
    let mut asked = Vec::new();
    for version in 1..=200 {
        client
            .change(version, &format!("digraph g{version} {{}}"))
            .await;
        asked.push((
            version,
            client.ask("textDocument/documentSymbol", symbols()).await,
        ));
    }
    for (version, id) in asked {
        let answer = client.answer_to(id).await.expect("an outline");
        assert_eq!(answer[0]["name"], format!("g{version}"));
    }
    client.leave().await;
}

#[tokio::test]
async fn a_change_counts_from_the_text_before_it() {
    let mut client = TestClient::new().await;
    client.open("digraph { a }").await;
    let insert = |character: u32, text: &str| {
        let place = json!({ "line": 0, "character": character });
        json!({ "range": { "start": place, "end": place }, "text": text })
    };
    let changes = json!({
        "textDocument": { "uri": URI, "version": 2 },
        "contentChanges": [insert(11, "b"), insert(12, "c")],
    });
    client.notify("textDocument/didChange", changes).await;
    let outline = client
        .request("textDocument/documentSymbol", symbols())
        .await
        .expect("an outline");
    let names: Vec<_> = outline
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert!(names.contains(&json!("abc")), "{names:?}");
    client.leave().await;
}

#[tokio::test]
async fn a_change_of_a_document_that_is_not_open_is_left_out() {
    let mut client = TestClient::new().await;
    client.change(2, "digraph {}").await;
    let outline = client
        .request("textDocument/documentSymbol", symbols())
        .await;
    assert_eq!(outline, Ok(Value::Null));
    client.leave().await;
}
