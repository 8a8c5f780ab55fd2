//! Files that move, and files that actions make.

use serde_json::{Value, json};

use crate::Settings;
use crate::testing::TestClient;

const CAPABLE: &str = r#"{
  "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] } },
  "textDocument": { "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } } }
}"#;

/// A client with these files in its workspace.
pub(super) async fn workspace(files: &[(&str, &str)]) -> (TestClient, tempfile::TempDir, String) {
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
fn render_edit(edit: &Value, root: &str) -> Vec<String> {
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
            render_edit(&edit, &root)
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
        render_edit(&actions[0]["edit"], &root),
        [
            "create prompts/plan.md: ",
            "edit prompts/plan.md: look first",
            "edit a.dot: \"@prompts/plan.md\"",
        ]
    );
    client.leave().await;
}

/// The rules of the next diagnostics of a document that are as wanted.
async fn rules_where(
    client: &mut TestClient,
    uri: &str,
    wanted: impl Fn(&[String]) -> bool,
) -> Vec<String> {
    let rules = |params: &Value| -> Vec<String> {
        let items = params["diagnostics"].as_array().into_iter().flatten();
        items
            .map(|item| item["code"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let is_it = |params: &Value| params["uri"] == uri && wanted(&rules(params));
    let published = client
        .notification_where("textDocument/publishDiagnostics", is_it)
        .await;
    rules(&published)
}

#[tokio::test]
async fn a_file_that_is_made_is_noticed_although_the_client_watches_nothing() {
    let text = "digraph { goal=x\n start [shape=Mdiamond]\n a [prompt=\"@prompts/new/plan.md\"]\n fin [shape=Msquare]\n start -> a -> fin }";
    let (mut client, folder, root) = workspace(&[("a.dot", text)]).await;
    let uri = format!("{root}/a.dot");
    client.open_as(&uri, text).await;
    let is_missing = |rules: &[String]| rules.iter().any(|rule| rule == "missing_file");
    rules_where(&mut client, &uri, is_missing).await;
    // Its folders are not there either.
    let file = folder.path().join("prompts/new/plan.md");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("created");
    std::fs::write(&file, "Plan it.").expect("written");
    rules_where(&mut client, &uri, |rules| !is_missing(rules)).await;
    std::fs::remove_file(&file).expect("removed");
    rules_where(&mut client, &uri, is_missing).await;
    assert!(client.leave().await == crate::ServerExit::Clean);
}

#[tokio::test]
async fn a_configuration_that_is_written_is_noticed() {
    let text = "digraph { goal=x\n start [shape=Mdiamond]\n a\n fin [shape=Msquare]\n start -> a -> fin; lone [prompt=y] }";
    let (mut client, folder, root) = workspace(&[("a.dot", text)]).await;
    let uri = format!("{root}/a.dot");
    client.open_as(&uri, text).await;
    let is_unreachable = |rules: &[String]| rules.iter().any(|rule| rule == "reachability");
    rules_where(&mut client, &uri, is_unreachable).await;
    std::fs::create_dir(folder.path().join(".attractor")).expect("created");
    let configuration = folder.path().join(".attractor/config.toml");
    std::fs::write(configuration, "[lints]\nreachability = \"allow\"\n").expect("written");
    rules_where(&mut client, &uri, |rules| !is_unreachable(rules)).await;
    client.leave().await;
}

#[tokio::test]
async fn an_unknown_handler_is_declared_in_the_configuration() {
    let text = "digraph { start [shape=Mdiamond]\n t [handler=quantum]\n start -> t }";
    let config = ".attractor/config.toml";
    let before = "[lints]\n# wörds\ncycle = \"allow\" # 🦀";
    let (mut client, folder, root) = workspace(&[("a.dot", text), (config, before)]).await;
    let uri = format!("{root}/a.dot");
    client.open_as(&uri, text).await;
    let is_unknown = |rules: &[String]| rules.iter().any(|rule| rule == "unknown_handler");
    rules_where(&mut client, &uri, is_unknown).await;
    let at = json!({ "line": 1, "character": 13 });
    let params = json!({
        "textDocument": { "uri": uri },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = client.request("textDocument/codeAction", params).await;
    let actions = actions.expect("actions");
    let title = "Declare `quantum` in the configuration";
    let mut all = actions.as_array().expect("a list").iter();
    let action = all
        .find(|action| action["title"] == title)
        .expect("offered");
    let added = "\n\n[handlers.quantum]\ncommand = [\"quantum\"]\n";
    assert_eq!(
        render_edit(&action["edit"], &root),
        [format!("edit {config}: {added}")]
    );
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(
        edit["range"]["start"],
        json!({ "line": 2, "character": 20 })
    );
    std::fs::write(folder.path().join(config), format!("{before}{added}")).expect("written");
    rules_where(&mut client, &uri, |rules| !is_unknown(rules)).await;
    client.leave().await;
}

#[tokio::test]
async fn a_part_of_a_repository_warns_of_what_is_outside_of_it() {
    let text = "digraph { start [shape=Mdiamond]\n s [shape=folder, sub_pipeline=\"../there.dot\"]\n start -> s }";
    let there =
        "digraph { start [shape=Mdiamond]; t [shape=parallelogram, command=ls]; start -> t }";
    let files = [("flows/a.dot", text), ("there.dot", there)];
    let (mut client, folder, root) = workspace(&files).await;
    let only = format!("{root}/flows");
    let change = json!({ "event": {
        "removed": [{ "uri": root, "name": "it" }],
        "added": [{ "uri": only, "name": "flows" }],
    } });
    client
        .notify("workspace/didChangeWorkspaceFolders", change)
        .await;
    let uri = format!("{root}/flows/a.dot");
    client.open_as(&uri, text).await;
    let is_outside = |rules: &[String]| rules.iter().any(|rule| rule == "unknown_sub_pipeline");
    rules_where(&mut client, &uri, is_outside).await;
    let params = json!({ "textDocument": { "uri": uri } });
    let pulled = client.request("textDocument/diagnostic", params).await;
    let pulled = pulled.expect("diagnostics");
    let mut items = pulled["items"].as_array().expect("a list").iter();
    let found = items.find(|one| one["code"] == "unknown_sub_pipeline");
    assert_eq!(found.expect("reported")["severity"], 2);
    // With a root above, the file is part of the project.
    std::fs::create_dir(folder.path().join(".git")).expect("created");
    let about = json!({ "textDocument": { "uri": uri } });
    client.notify("textDocument/didClose", about.clone()).await;
    client.open_as(&uri, text).await;
    let pulled = client.request("textDocument/diagnostic", about).await;
    let pulled = pulled.expect("diagnostics");
    let mut items = pulled["items"].as_array().expect("a list").iter();
    assert!(
        items.all(|one| one["code"] != "unknown_sub_pipeline"),
        "{pulled}"
    );
    client.leave().await;
}

#[tokio::test]
async fn the_call_hierarchy_leads_into_other_files_and_back() {
    let main = "digraph main { goal=x\n start [shape=Mdiamond]\n run [shape=folder, sub_pipeline=\"part.dot\"]\n fin [shape=Msquare]\n start -> run -> fin }";
    let part = "digraph part { begin [shape=Mdiamond]\n work [prompt=x]\n begin -> work }";
    let (mut client, _folder, root) = workspace(&[("main.dot", main), ("part.dot", part)]).await;
    let uri = format!("{root}/main.dot");
    client.open_as(&uri, main).await;
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 2 } });
    let items = client
        .request("textDocument/prepareCallHierarchy", at)
        .await
        .expect("it answers");
    let calls = client
        .request("callHierarchy/outgoingCalls", json!({ "item": items[0] }))
        .await
        .expect("it answers");
    let names: Vec<_> = calls
        .as_array()
        .expect("a list")
        .iter()
        .map(|call| call["to"]["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["fin", "begin"]);
    // From the file that is not open, back to who runs it.
    let begin = &calls[1]["to"];
    assert_eq!(begin["uri"], format!("{root}/part.dot"));
    let callers = client
        .request("callHierarchy/incomingCalls", json!({ "item": begin }))
        .await
        .expect("it answers");
    assert_eq!(callers[0]["from"]["name"], "run");
    assert_eq!(callers[0]["from"]["uri"], uri.as_str());
    assert_eq!(callers[0]["fromRanges"][0]["start"]["line"], 2);
    client.leave().await;
}

#[tokio::test]
async fn a_file_that_is_not_open_is_validated_and_a_template_makes_one() {
    let text =
        "digraph { goal=x\n start [shape=Mdiamond]\n t [handler=tol, command=x]\n start -> t }";
    let (mut client, folder, root) = workspace(&[("a.dot", text)]).await;
    let mut command = async |name: &str, argument: Value| {
        let params = json!({ "command": name, "arguments": [argument] });
        client.request("workspace/executeCommand", params).await
    };
    let found = command(
        "attractor.validate",
        json!({ "uri": format!("{root}/a.dot") }),
    )
    .await;
    let found = found.expect("it answers");
    assert_eq!(found["diagnostics"][0]["code"], "unknown_handler");

    let new = json!({ "template": "bugfix_workflow", "uri": format!("{root}/new.dot") });
    let made = command("attractor.new", new).await.expect("it answers");
    let changes = &made["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    let made = changes[1]["edits"][0]["newText"].as_str().expect("a text");
    assert!(made.contains("digraph bugfix_workflow {"), "{made}");
    assert_eq!(changes[2]["uri"], format!("{root}/new.test.toml"));
    let scenarios = changes[3]["edits"][0]["newText"].as_str().expect("a text");
    assert!(scenarios.contains("[[scenario]]"), "{scenarios}");

    // Scenarios that exist stay as they are.
    std::fs::write(folder.path().join("new.test.toml"), "").expect("written");
    let new = json!({ "template": "bugfix_workflow", "uri": format!("{root}/new.dot") });
    let made = command("attractor.new", new).await.expect("it answers");
    let changes = made["edit"]["documentChanges"].as_array().expect("a list");
    assert_eq!(changes.len(), 2);

    let unknown = json!({ "template": "nothing", "uri": format!("{root}/new.dot") });
    let refused = command("attractor.new", unknown)
        .await
        .expect_err("unknown");
    assert_eq!(refused["data"]["code"], "unknownTemplate");
    let taken = json!({ "template": "bugfix_workflow", "uri": format!("{root}/a.dot") });
    let refused = command("attractor.new", taken).await.expect_err("taken");
    assert_eq!(refused["data"]["code"], "taken");
    client.leave().await;
}

#[tokio::test]
async fn completion_offers_models_of_other_files() {
    let files = [(
        "other.dot",
        "digraph { goal=x; a [prompt=y, model=\"in-house-1\"] }",
    )];
    let (mut client, _folder, root) = workspace(&files).await;
    let uri = format!("{root}/new.dot");
    client
        .open_as(&uri, "digraph { goal=x; a [prompt=y, model=] }")
        .await;
    let params = json!({
        "textDocument": { "uri": uri },
        "position": { "line": 0, "character": 37 },
    });
    // The words are collected by a task of their own, which no message announces.
    let mut first = None;
    for _ in 0..10_000 {
        let list = client
            .request("textDocument/completion", params.clone())
            .await;
        first = list.expect("a list")["items"][0]["label"]
            .as_str()
            .map(str::to_owned);
        if first.as_deref() == Some("in-house-1") {
            break;
        }
    }
    assert_eq!(first.as_deref(), Some("in-house-1"));
    client.leave().await;
}

#[tokio::test]
async fn problems_of_a_deleted_file_are_taken_back() {
    let text =
        "digraph { goal=x\n start [shape=Mdiamond]\n t [handler=tol, command=x]\n start -> t }";
    let (mut client, folder, root) = workspace(&[("a.dot", text)]).await;
    let mut pull = async |previous: Value| {
        let params = json!({ "previousResultIds": previous });
        let pulled = client.request("workspace/diagnostic", params).await;
        pulled.expect("it answers")["items"].take()
    };
    let before = pull(json!([])).await;
    let known = json!([{ "uri": before[0]["uri"], "value": before[0]["resultId"] }]);
    assert!(!before[0]["items"].as_array().expect("a list").is_empty());

    std::fs::remove_file(folder.path().join("a.dot")).expect("deleted");
    let after = pull(known).await;
    assert_eq!(after[0]["uri"], format!("{root}/a.dot"));
    assert_eq!(after[0]["kind"], "full");
    assert_eq!(after[0]["items"], json!([]));
    let known = json!([{ "uri": after[0]["uri"], "value": after[0]["resultId"] }]);
    assert_eq!(pull(known).await[0]["kind"], "unchanged");
    client.leave().await;
}

/// A client that closes a document forgets the id of its last report, and a workspace pull follows only later.
#[tokio::test]
async fn problems_of_a_file_that_is_closed_and_deleted_are_taken_back() {
    let text =
        "digraph { goal=x\n start [shape=Mdiamond]\n t [handler=tol, command=x]\n start -> t }";
    let (mut client, folder, root) = workspace(&[("a.dot", text)]).await;
    let uri = format!("{root}/a.dot");
    client.open_as(&uri, text).await;
    let about = json!({ "textDocument": { "uri": uri } });
    let pulled = client
        .request("textDocument/diagnostic", about.clone())
        .await;
    assert!(
        !pulled.expect("it answers")["items"]
            .as_array()
            .expect("a list")
            .is_empty()
    );
    client.notify("textDocument/didClose", about).await;
    std::fs::remove_file(folder.path().join("a.dot")).expect("deleted");
    let none = json!({ "previousResultIds": [] });
    let items = client.request("workspace/diagnostic", none).await;
    let items = items.expect("it answers")["items"].take();
    assert_eq!(items[0]["uri"], uri);
    assert_eq!(items[0]["items"], json!([]));
    client.leave().await;
}
