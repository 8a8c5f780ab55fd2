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
async fn changes_of_closed_documents_are_ignored() {
    let mut client = TestClient::new().await;
    client.change(2, "digraph {}").await;
    let outline = client
        .request("textDocument/documentSymbol", symbols())
        .await;
    assert_eq!(outline, Ok(Value::Null));
    client.leave().await;
}

/// Of a document that is read on another thread, too: every keystroke gets its list, however quickly the next one comes.
#[tokio::test]
async fn completion_is_answered_while_typing() {
    let mut client = TestClient::new().await;
    let nodes: Vec<String> = (0..2_000)
        .map(|number| format!("step_{number} [prompt=\"do it\"]\n"))
        .collect();
    client
        .open(&format!("digraph {{\n\n{}}}", nodes.concat()))
        .await;
    let mut asked = Vec::new();
    for version in 1..=30 {
        let place = json!({ "line": 1, "character": version - 1 });
        let typed = json!({
            "textDocument": { "uri": URI, "version": version },
            "contentChanges": [{ "range": { "start": place, "end": place }, "text": "s" }],
        });
        client.notify("textDocument/didChange", typed).await;
        let here = json!({
            "textDocument": { "uri": URI },
            "position": { "line": 1, "character": 1 },
        });
        asked.push(client.ask("textDocument/completion", here).await);
    }
    for id in asked {
        let answer = client.answer_to(id).await.expect("a list");
        let items = answer["items"].as_array().expect("items");
        assert!((1..=60).contains(&items.len()), "{}", items.len());
    }
    client.leave().await;
}
