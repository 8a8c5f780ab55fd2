//! Navigation, outline, completion: what a user uses while writing.

use serde_json::{Value, json};

use crate::testing::{TestClient, URI};

const TEXT: &str = "digraph demo {\n  start [shape=Mdiamond]\n  build [shape=box, label=\"Bau 🦀\"]\n  start -> build\n}\n";

async fn client() -> TestClient {
    let mut client = TestClient::new().await;
    client.open(TEXT).await;
    client
}

fn about() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

#[tokio::test]
async fn definition_references_highlight() {
    let mut client = client().await;
    let definition = client.at("textDocument/definition", 3, 12).await;
    assert_eq!(
        definition[0]["range"]["start"],
        json!({ "line": 2, "character": 2 })
    );
    let params = json!({
        "textDocument": { "uri": URI },
        "position": { "line": 3, "character": 12 },
        "context": { "includeDeclaration": true },
    });
    let references = client
        .request("textDocument/references", params)
        .await
        .expect("places");
    assert_eq!(references.as_array().map(Vec::len), Some(2));
    let highlights = client.at("textDocument/documentHighlight", 3, 12).await;
    assert_eq!(highlights.as_array().map(Vec::len), Some(2));
    client.leave().await;
}

#[tokio::test]
async fn rename_changes_every_reference_or_reports_why_not() {
    let mut client = client().await;
    let rename = |new: &str| json!({ "textDocument": { "uri": URI }, "position": { "line": 3, "character": 12 }, "newName": new });
    let prepared = client.at("textDocument/prepareRename", 3, 12).await;
    assert_eq!(prepared["placeholder"], "build");
    let edit = client
        .request("textDocument/rename", rename("compile it"))
        .await
        .expect("an edit");
    let edits = edit["changes"][URI].as_array().expect("edits");
    assert!(
        edits.iter().all(|edit| edit["newText"] == "\"compile it\""),
        "{edits:?}"
    );
    let taken = client
        .request("textDocument/rename", rename("start"))
        .await
        .expect_err("it is taken");
    assert!(
        taken["message"]
            .as_str()
            .is_some_and(|message| message.contains("start")),
        "{taken}"
    );
    client.leave().await;
}

#[tokio::test]
async fn columns_are_counted_as_negotiated() {
    for (encoding, end) in [("utf-8", 36), ("utf-16", 34), ("utf-32", 33)] {
        let mut client =
            TestClient::with(json!({ "general": { "positionEncodings": [encoding] } })).await;
        client.open(TEXT).await;
        let params = json!({ "textDocument": { "uri": URI }, "positions": [{ "line": 2, "character": 10 }] });
        let selection = client
            .request("textDocument/selectionRange", params)
            .await
            .expect("ranges");
        let list = selection.to_string();
        assert!(
            list.contains(&format!("{{\"line\":2,\"character\":{end}}}")),
            "{encoding}: {list}"
        );
        client.leave().await;
    }
}

#[tokio::test]
async fn outline_and_folding() {
    let hierarchical = json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } });
    let mut client = TestClient::with(hierarchical).await;
    client.open(TEXT).await;
    let outline = client
        .request("textDocument/documentSymbol", about())
        .await
        .expect("an outline");
    assert_eq!(outline[0]["name"], "demo");
    assert_eq!(outline[0]["children"].as_array().map(Vec::len), Some(2));
    let folds = client
        .request("textDocument/foldingRange", about())
        .await
        .expect("folds");
    assert_eq!(folds[0]["startLine"], 0);
    client.leave().await;
}

#[tokio::test]
async fn completion_offers_and_its_page_comes_later() {
    let mut client = client().await;
    let list = client.at("textDocument/completion", 2, 9).await;
    let items = list["items"].as_array().expect("items").clone();
    assert!(!items.is_empty());
    let with_page = items
        .iter()
        .find(|item| item["data"].is_string())
        .expect("an item with a page")
        .clone();
    let resolved = client
        .request("completionItem/resolve", with_page)
        .await
        .expect("resolved");
    assert_eq!(resolved["documentation"]["kind"], "markdown");
    client.leave().await;
}

#[tokio::test]
async fn positions_outside_the_text_are_clamped() {
    let mut client = client().await;
    for (line, character) in [(0, 9_999), (9_999, 0), (u32::MAX, u32::MAX)] {
        for method in [
            "definition",
            "documentHighlight",
            "completion",
            "declaration",
        ] {
            client
                .at(&format!("textDocument/{method}"), line, character)
                .await;
        }
    }
    client.leave().await;
}

#[tokio::test]
async fn hover_explains_a_node() {
    let mut client = client().await;
    let hover = client.at("textDocument/hover", 2, 3).await;
    assert!(
        hover["contents"]["value"]
            .as_str()
            .is_some_and(|text| text.contains("build")),
        "{hover}"
    );
    assert_eq!(client.at("textDocument/hover", 4, 1).await, Value::Null);
    client.leave().await;
}

#[tokio::test]
async fn a_fix_is_attached_to_its_diagnostic() {
    let literals = json!({ "textDocument": { "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } } } });
    let mut client = TestClient::with(literals).await;
    client
        .open("digraph g {\n  start [shape=Mdiamond]\n  b [type=tol, command=x]\n  start -> b\n}\n")
        .await;
    let published = client.notification("textDocument/publishDiagnostics").await;
    let finding = published["diagnostics"]
        .as_array()
        .and_then(|all| all.iter().find(|one| one["code"] == "unknown_handler"))
        .expect("the handler is unknown")
        .clone();
    let params = json!({
        "textDocument": { "uri": URI },
        "range": finding["range"],
        "context": { "diagnostics": [finding], "only": ["quickfix"] },
    });
    let actions = client
        .request("textDocument/codeAction", params)
        .await
        .expect("actions");
    let fix = &actions[0];
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["diagnostics"][0]["code"], "unknown_handler");
    assert_eq!(fix["edit"]["changes"][URI][0]["newText"], "tool");
    client.leave().await;
}

#[tokio::test]
async fn fixes_are_those_of_the_diagnostics_of_the_request() {
    let literals = json!({ "textDocument": { "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } } } });
    let mut client = TestClient::with(literals).await;
    client
        .open("digraph g {\n  start [shape=Mdiamond]\n  done [shape=Msquare]\n  start -> b -> done\n  done -> start\n}\n")
        .await;
    let published = client.notification("textDocument/publishDiagnostics").await;
    let all = published["diagnostics"].as_array().expect("a list");
    let of_edge = all.iter().filter(|one| one["range"]["start"]["line"] == 4);
    let of_edge: Vec<Value> = of_edge.cloned().collect();
    assert_eq!(of_edge.len(), 2, "{of_edge:?}");
    let mut titles = Vec::new();
    for requested in [&of_edge[..1], &of_edge[1..], &of_edge[..]] {
        let params = json!({
            "textDocument": { "uri": URI },
            "range": of_edge[0]["range"],
            "context": { "diagnostics": requested, "only": ["quickfix"] },
        });
        let actions = client.request("textDocument/codeAction", params).await;
        let actions = actions.expect("actions");
        let all = actions.as_array().expect("a list").iter();
        let all: Vec<&str> = all.filter_map(|one| one["title"].as_str()).collect();
        titles.push(all.join(", "));
    }
    assert_eq!(
        titles,
        [
            "Delete the edge, Allow `exit_no_outgoing` here",
            "Redirect the edge to `b`, Allow `start_no_incoming` here",
            "Delete the edge, Redirect the edge to `b`, Allow `exit_no_outgoing` here, Allow `start_no_incoming` here",
        ]
    );
    client.leave().await;
}

#[tokio::test]
async fn running_in_parallel_is_offered_on_request_only() {
    let literals = json!({ "textDocument": { "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } } } });
    let mut client = TestClient::with(literals).await;
    client
        .open("digraph g {\n  start [shape=Mdiamond]\n  done [shape=Msquare]\n  a [prompt=A]\n  b [prompt=B]\n  start -> a -> b -> done\n}\n")
        .await;
    let at = |character: u32| json!({ "line": 5, "character": character });
    let mut kinds = async |end: u32, only: Value| {
        let params = json!({
            "textDocument": { "uri": URI },
            "range": { "start": at(11), "end": at(end) },
            "context": { "diagnostics": [], "only": only },
        });
        let actions = client.request("textDocument/codeAction", params).await;
        let actions = actions.expect("actions");
        let all = actions.as_array().expect("a list").iter();
        let all = all.filter(|one| {
            let title = one["title"].as_str().unwrap_or_default();
            title.starts_with("Run these") || title.starts_with("Delete `a`")
        });
        all.map(|one| one["kind"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let rewrite = "refactor.rewrite";
    assert_eq!(kinds(11, Value::Null).await, [rewrite]);
    assert_eq!(kinds(17, Value::Null).await, [rewrite, rewrite]);
    assert_eq!(kinds(11, json!(["refactor"])).await, [rewrite, rewrite]);
    assert_eq!(kinds(11, json!([rewrite])).await, [rewrite, rewrite]);
    assert_eq!(kinds(11, json!(["refactor.extract"])).await, [""; 0]);
    client.leave().await;
}

#[tokio::test]
async fn semantic_tokens_whole_changed_and_in_part() {
    let mut client = client().await;
    let full = client
        .request("textDocument/semanticTokens/full", about())
        .await
        .expect("tokens");
    assert!(
        full["data"]
            .as_array()
            .is_some_and(|data| data.len() > 20 && data.len() % 5 == 0)
    );
    client.change(2, &TEXT.replace("build", "compile")).await;
    let delta = json!({ "textDocument": { "uri": URI }, "previousResultId": full["resultId"] });
    let changed = client
        .request("textDocument/semanticTokens/full/delta", delta)
        .await
        .expect("a delta");
    assert_eq!(changed["edits"].as_array().map(Vec::len), Some(1));
    let edit = &changed["edits"][0];
    let number =
        |value: &Value| -> usize { serde_json::from_value(value.clone()).expect("a number") };
    let start = number(&edit["start"]);
    let mut data = full["data"].as_array().expect("numbers").clone();
    let new = edit["data"].as_array().expect("numbers").clone();
    data.splice(start..start + number(&edit["deleteCount"]), new);
    let again = client
        .request("textDocument/semanticTokens/full", about())
        .await
        .expect("tokens");
    assert_eq!(json!(data), again["data"]);
    let part = json!({
        "textDocument": { "uri": URI },
        "range": { "start": { "line": 3, "character": 0 }, "end": { "line": 3, "character": 99 } },
    });
    let part = client
        .request("textDocument/semanticTokens/range", part)
        .await
        .expect("tokens");
    assert!(part["data"].as_array().map(Vec::len) < full["data"].as_array().map(Vec::len));
    client.leave().await;
}

#[tokio::test]
async fn hierarchy_upstream_and_downstream() {
    let mut client = client().await;
    let items = client.at("textDocument/prepareCallHierarchy", 2, 3).await;
    let about = json!({ "item": items[0] });
    let upstream = client
        .request("callHierarchy/incomingCalls", about.clone())
        .await
        .expect("callers");
    assert_eq!(upstream[0]["from"]["name"], "start");
    let downstream = client
        .request("callHierarchy/outgoingCalls", about)
        .await
        .expect("callees");
    assert_eq!(downstream, json!([]));
    client.leave().await;
}

#[tokio::test]
async fn colors_hints_links_and_linked_editing() {
    let mut client = TestClient::new().await;
    client
        .open("digraph g {\n  a [color=red]\n  a -> b\n}\n")
        .await;
    let colours = client
        .request("textDocument/documentColor", about())
        .await
        .expect("colours");
    assert_eq!(colours[0]["color"]["red"], 1.0);
    let params = json!({ "textDocument": { "uri": URI }, "color": colours[0]["color"], "range": colours[0]["range"] });
    let ways = client
        .request("textDocument/colorPresentation", params)
        .await
        .expect("ways");
    assert!(ways.as_array().is_some_and(|ways| !ways.is_empty()));
    let whole = json!({
        "textDocument": { "uri": URI },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } },
    });
    assert!(
        client
            .request("textDocument/inlayHint", whole)
            .await
            .expect("hints")
            .is_array()
    );
    assert!(
        client
            .request("textDocument/documentLink", about())
            .await
            .expect("links")
            .is_array()
    );
    let linked = client.at("textDocument/linkedEditingRange", 1, 2).await;
    assert_eq!(linked["ranges"].as_array().map(Vec::len), Some(2));
    client.leave().await;
}

#[tokio::test]
async fn formatting_keeps_the_meaning_and_uses_the_settings() {
    let mut client = TestClient::new().await;
    client.open("digraph g {\na->b\n}\n").await;
    let params = |uri: &str| json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client
        .request("textDocument/formatting", params(URI))
        .await
        .expect("edits");
    assert!(
        edits.as_array().is_some_and(|edits| !edits.is_empty()),
        "{edits}"
    );
    let mut range = params(URI);
    range["range"] =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 5 } });
    assert_eq!(
        client
            .request("textDocument/rangeFormatting", range)
            .await
            .expect("edits"),
        json!([])
    );
    let mut typed = params(URI);
    typed["position"] = json!({ "line": 2, "character": 1 });
    typed["ch"] = json!("}");
    let edits = client
        .request("textDocument/onTypeFormatting", typed)
        .await
        .expect("edits");
    assert!(
        edits.as_array().is_some_and(|edits| !edits.is_empty()),
        "{edits}"
    );
    let mut tabs = params(URI);
    tabs["options"]["indent"] = json!("tab");
    let edits = client
        .request("textDocument/formatting", tabs)
        .await
        .expect("edits");
    assert_eq!(edits[0]["newText"], "\n\t");
    client.leave().await;
}

#[tokio::test]
async fn signature_help_marks_the_active_part_of_a_condition() {
    let mut client = TestClient::raw(crate::Settings::default());
    let capabilities = client.initialize(json!({})).await["capabilities"].take();
    let triggers = &capabilities["signatureHelpProvider"]["triggerCharacters"];
    assert_eq!(triggers, &json!(["\"", " ", "=", ":"]));
    client
        .open("digraph { goal=x\n a -> b [condition=\"outcome=\"] }")
        .await;
    let help = client.at("textDocument/signatureHelp", 1, 28).await;
    let signature = &help["signatures"][0];
    assert_eq!(signature["label"], "key operator value and …");
    assert_eq!(help["activeParameter"], 2);
    assert_eq!(signature["parameters"][2]["label"], "value");
    let elsewhere = client.at("textDocument/signatureHelp", 1, 2).await;
    assert_eq!(elsewhere, Value::Null);
    client.leave().await;
}
