//! `attractor.test`: scenarios are listed and run, and what they cover has ranges of the pipeline.

use serde_json::{Value, json};

use super::files::workspace;

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
