//! `attractor.test`: scenarios are listed and run, and what they cover has ranges of the pipeline.

use serde_json::{Value, json};

use super::files::workspace;
use crate::testing::TestClient;

const PIPELINE: &str = "digraph p {\n  start [shape=Mdiamond]\n  t [type=tool, command=\"touch ran\"]\n  done [shape=Msquare]\n  start -> t\n  t -> done [condition=\"outcome=success\"]\n  t -> fix [condition=\"outcome=fail\"]\n  fix [prompt=x]\n  fix -> done\n}";

const SCENARIOS: &str = "[[scenario]]\nname = \"plain\"\nexpect.path = [\"start\", \"t\", \"done\"]\n\n[[scenario]]\nname = \"wrong\"\noutcomes = { t = \"fail\" }\nexpect.path = [\"start\", \"t\", \"done\"]\n";

#[tokio::test]
async fn scenarios_are_listed_and_run() {
    let files = [
        ("p.dot", PIPELINE),
        ("p.test.toml", SCENARIOS),
        ("other.test.toml", "[tool]\nname = 1\n"),
    ];
    let (mut client, folder, root) = workspace(&files).await;
    let mut test = async |argument: Value| {
        let params = json!({ "command": "attractor.test", "arguments": [argument] });
        client.request("workspace/executeCommand", params).await
    };
    let file = format!("{root}/p.test.toml");
    let listed = test(json!({ "uri": file, "list": true }))
        .await
        .expect("it answers");
    assert_eq!(listed["pipeline"], format!("{root}/p.dot"));
    assert_eq!(listed["scenarios"][1]["name"], "wrong");
    assert_eq!(
        listed["scenarios"][1]["range"]["start"],
        json!({ "line": 5, "character": 7 })
    );
    assert_eq!(listed["coverage"], Value::Null);

    // The pipeline names the same scenarios.
    let ran = test(json!({ "uri": format!("{root}/p.dot") }))
        .await
        .expect("it answers");
    assert_eq!(ran["uri"], file);
    assert_eq!(ran["scenarios"][0]["passed"], true);
    let failure = &ran["scenarios"][1]["failures"][0];
    assert_eq!(
        failure["message"],
        "the path differs at step 3: expected `done`, found `fix`"
    );
    assert_eq!(
        failure["range"]["start"],
        json!({ "line": 7, "character": 29 })
    );
    let edges = ran["coverage"]["edges"].as_array().expect("edges");
    let taken: Vec<_> = edges.iter().map(|edge| edge["taken"].as_u64()).collect();
    assert_eq!(taken, [Some(2), Some(1), Some(1), Some(1)]);
    assert_eq!(
        edges[2]["range"]["start"],
        json!({ "line": 6, "character": 2 })
    );
    assert!(!folder.path().join("ran").exists(), "a command was run");

    let one = test(json!({ "uri": file, "names": ["plain"] }))
        .await
        .expect("it answers");
    assert_eq!(one["scenarios"].as_array().expect("a list").len(), 1);

    let foreign = test(json!({ "uri": format!("{root}/other.test.toml"), "list": true })).await;
    assert_eq!(foreign.expect("it answers")["pipeline"], Value::Null);
    client.leave().await;
}

#[tokio::test]
async fn a_wrong_file_has_problems_and_does_not_run() {
    let wrong = SCENARIOS.replace("{ t =", "{ tt =");
    let files = [("p.dot", PIPELINE), ("p.test.toml", wrong.as_str())];
    let (mut client, _folder, root) = workspace(&files).await;
    let argument = json!({ "uri": format!("{root}/p.dot") });
    let params = json!({ "command": "attractor.test", "arguments": [argument] });
    let ran = client
        .request("workspace/executeCommand", params)
        .await
        .expect("it answers");
    assert!(
        ran["problems"][0]["message"]
            .as_str()
            .expect("a message")
            .starts_with("unknown node `tt`")
    );
    assert_eq!(
        ran["problems"][0]["range"]["start"],
        json!({ "line": 6, "character": 13 })
    );
    assert_eq!(ran["scenarios"][0]["passed"], Value::Null);
    client.leave().await;
}

/// Waits until so many diagnostics of a document are published.
async fn published(client: &mut TestClient, uri: &str, count: usize) -> Value {
    let wanted = |params: &Value| {
        let diagnostics = params["diagnostics"].as_array();
        params["uri"] == uri && diagnostics.is_some_and(|found| found.len() == count)
    };
    let method = "textDocument/publishDiagnostics";
    client.notification_where(method, wanted).await["diagnostics"].take()
}

/// Line and column of each diagnostic, and its message.
fn places(diagnostics: &Value) -> Vec<String> {
    let diagnostics = diagnostics.as_array().expect("a list").iter();
    let place = |one: &Value| {
        let start = &one["range"]["start"];
        let message = one["message"].as_str().expect("a message");
        format!("{}:{} {message}", start["line"], start["character"])
    };
    diagnostics.map(place).collect()
}

#[tokio::test]
async fn problems_are_published_as_the_file_and_its_pipeline_change() {
    let (mut client, _folder, root) = workspace(&[("p.dot", PIPELINE)]).await;
    let (file, pipeline) = (format!("{root}/p.test.toml"), format!("{root}/p.dot"));
    client
        .open_as(&file, &SCENARIOS.replace("{ t =", "{ check ="))
        .await;
    let found = published(&mut client, &file, 1).await;
    assert_eq!(
        places(&found),
        ["6:13 unknown node `check`; expected one of start, t, done, fix"]
    );
    assert_eq!(found[0]["severity"], 1);

    // The pipeline gets the node in the editor, unsaved.
    client
        .open_as(
            &pipeline,
            &PIPELINE.replace("fix [", "check [prompt=x]; fix ["),
        )
        .await;
    assert_eq!(places(&published(&mut client, &file, 0).await), [""; 0]);
    client.leave().await;
}

#[tokio::test]
async fn typos_have_fixes_and_names_are_completed() {
    let wrong = SCENARIOS
        .replace("{ t =", "{ tt =")
        .replace("wrong", "typo");
    let (mut client, _folder, root) = workspace(&[("p.dot", PIPELINE)]).await;
    let file = format!("{root}/p.test.toml");
    client.open_as(&file, &wrong).await;
    let at = json!({ "line": 6, "character": 13 });
    let params = json!({
        "textDocument": { "uri": file }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] },
    });
    let actions = client.request("textDocument/codeAction", params).await;
    assert_eq!(
        actions.expect("it answers"),
        json!([]),
        "nothing is near `tt`"
    );

    let toml = "[[scenario]]\nname = \"a\"\noutcomes = { dine = \"fail\" }\nexpect.path = [\"start\", \"\"]\n";
    let file = format!("{root}/q.test.toml");
    client
        .open_as(&file, &format!("pipeline = \"p.dot\"\n{toml}"))
        .await;
    let at = json!({ "line": 3, "character": 15 });
    let params = json!({
        "textDocument": { "uri": file }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] },
    });
    let actions = client
        .request("textDocument/codeAction", params)
        .await
        .expect("it answers");
    assert_eq!(actions[0]["title"], "Replace with `done`");
    assert_eq!(
        actions[0]["edit"]["documentChanges"][0]["edits"][0]["newText"],
        "done"
    );

    let position = json!({ "line": 4, "character": 25 });
    let params = json!({ "textDocument": { "uri": file }, "position": position });
    let list = client
        .request("textDocument/completion", params)
        .await
        .expect("it answers");
    assert_eq!(list["items"][0]["textEdit"]["newText"], "t");
    assert_eq!(list["items"][0]["textEdit"]["range"]["start"], position);

    // Features of DOT files have nothing to say about it.
    let params = json!({ "textDocument": { "uri": file }, "position": position });
    let hover = client.request("textDocument/hover", params).await;
    assert_eq!(hover.expect("it answers"), Value::Null);
    client.leave().await;
}

#[tokio::test]
async fn a_scenario_file_without_a_pipeline_is_reported_unless_it_is_of_another_tool() {
    let (mut client, _folder, root) = workspace(&[]).await;
    let file = format!("{root}/p.test.toml");
    client.open_as(&file, SCENARIOS).await;
    assert_eq!(
        places(&published(&mut client, &file, 1).await),
        [
            "0:0 no pipeline to test: expected a file `p.dot` with one, or another file in `pipeline = \"…\"`"
        ]
    );
    let foreign = format!("{root}/other.test.toml");
    client.open_as(&foreign, "[tool]\nname = 1\n").await;
    assert_eq!(places(&published(&mut client, &foreign, 0).await), [""; 0]);
    client.leave().await;
}

#[tokio::test]
async fn scenarios_are_written_where_there_are_none() {
    let (mut client, folder, root) = workspace(&[("p.dot", PIPELINE)]).await;
    let mut test = async |argument: Value| {
        let params = json!({ "command": "attractor.test", "arguments": [argument] });
        client.request("workspace/executeCommand", params).await
    };
    let init = json!({ "uri": format!("{root}/p.dot"), "init": true });
    let written = test(init.clone()).await.expect("it answers");
    assert_eq!(written["uri"], format!("{root}/p.test.toml"));
    let scenarios = written["scenarios"].as_array().expect("a list");
    assert!(scenarios.len() >= 2, "{written}");
    assert!(folder.path().join("p.test.toml").exists());
    assert!(!folder.path().join("ran").exists(), "a command was run");
    let ran = test(json!({ "uri": format!("{root}/p.dot") })).await;
    let ran = ran.expect("it answers");
    let scenarios = ran["scenarios"].as_array().expect("a list");
    assert!(scenarios.iter().all(|one| one["passed"] == true), "{ran}");
    let taken = test(init).await.expect_err("it is there");
    assert_eq!(taken["data"]["code"], "taken");
    client.leave().await;
}
