//! Files that move, and files that actions make.

use serde_json::{Value, json};

use crate::Settings;
use crate::testing::TestClient;

const CAPABLE: &str = r#"{
  "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] } },
  "textDocument": { "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } } }
}"#;

/// A client with these files in its workspace.
async fn workspace(files: &[(&str, &str)]) -> (TestClient, tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, text).expect("written");
    }
    let root = lsp_types::Uri::from_file_path(folder.path()).expect("absolute");
    let root = root.as_str().to_owned();
    let mut client = TestClient::raw(Settings::default());
    let capabilities: Value = serde_json::from_str(CAPABLE).expect("JSON");
    let params = json!({
        "processId": null,
        "workspaceFolders": [{ "uri": root, "name": "it" }],
        "capabilities": capabilities,
    });
    let answer = client.request("initialize", params).await.expect("yes");
    let announced = &answer["capabilities"]["workspace"]["fileOperations"]["willRename"];
    assert_eq!(announced["filters"][0]["pattern"]["glob"], "**/*");
    client.notify("initialized", json!({})).await;
    (client, folder, root)
}

/// `FILE: new text, …` of every document a change is about.
fn told(edit: &Value, root: &str) -> Vec<String> {
    let changes = edit["documentChanges"].as_array().expect("a list").iter();
    changes
        .map(|change| {
            let uri = change["textDocument"]["uri"].as_str();
            let file = uri.or(change["uri"].as_str()).unwrap_or_default();
            let file = file.trim_start_matches(root).trim_start_matches('/');
            let kind = change["kind"].as_str().unwrap_or("edit");
            let edits = change["edits"].as_array().into_iter().flatten();
            let texts: Vec<_> = edits
                .map(|edit| edit["newText"].as_str().unwrap_or_default())
                .collect();
            format!("{kind} {file}: {}", texts.join(" + "))
        })
        .collect()
}

#[tokio::test]
async fn paths_follow_the_files_they_name() {
    let files = [
        (
            "a.dot",
            "digraph { goal=x; p [prompt=\"@prompts/p.md\"]; s [sub_pipeline=\"flows/b\"] }",
        ),
        (
            "flows/b.dot",
            "digraph b { goal=x; p [prompt=\"@../prompts/p.md\"] }",
        ),
        ("prompts/p.md", "plan"),
    ];
    let (mut client, _folder, root) = workspace(&files).await;
    let renamed = |old: &str, new: &str| json!({ "files": [{ "oldUri": format!("{root}/{old}"), "newUri": format!("{root}/{new}") }] });
    let mut ask = async |old, new| {
        let answer = client
            .request("workspace/willRenameFiles", renamed(old, new))
            .await;
        let edit = answer.expect("an answer");
        if edit.is_null() {
            Vec::new()
        } else {
            told(&edit, &root)
        }
    };
    assert_eq!(
        ask("prompts/p.md", "texts/plan.md").await,
        [
            "edit a.dot: texts/plan.md",
            "edit flows/b.dot: ../texts/plan.md"
        ]
    );
    // A folder takes what is in it along, and a pipeline that moves finds its files again.
    assert_eq!(
        ask("flows", "deep/flows").await,
        [
            "edit a.dot: deep/flows/b",
            "edit flows/b.dot: ../../prompts/p.md"
        ]
    );
    assert_eq!(ask("a.dot", "z.dot").await, Vec::<String>::new());
    assert_eq!(ask("nothing.md", "else.md").await, Vec::<String>::new());
    client.leave().await;
}

#[tokio::test]
async fn a_prompt_is_moved_to_a_file_that_the_client_makes() {
    let text = "digraph { goal=x; plan [prompt=\"look first\"] }";
    let (mut client, _folder, root) = workspace(&[("a.dot", text)]).await;
    let uri = format!("{root}/a.dot");
    client.open_as(&uri, text).await;
    let at = json!({ "line": 0, "character": 36 });
    let params = json!({
        "textDocument": { "uri": uri },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": ["refactor.extract"] },
    });
    let actions = client.request("textDocument/codeAction", params).await;
    let actions = actions.expect("actions");
    assert_eq!(actions.as_array().map(Vec::len), Some(1), "{actions}");
    assert_eq!(
        told(&actions[0]["edit"], &root),
        [
            "create prompts/plan.md: ",
            "edit prompts/plan.md: look first",
            "edit a.dot: \"@prompts/plan.md\"",
        ]
    );
    client.leave().await;
}
