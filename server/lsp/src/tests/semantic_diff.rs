//! What has changed in meaning since a commit.

use attractor_tests::git;
use serde_json::{Value, json};

use super::files::workspace;
use crate::testing::TestClient;

async fn compare(client: &mut TestClient, argument: Value) -> Result<Value, Value> {
    let params = json!({ "command": "attractor.semanticDiff", "arguments": [argument] });
    client.request("workspace/executeCommand", params).await
}

#[tokio::test]
async fn the_open_text_is_compared_with_the_last_commit() {
    let old = "digraph d { goal=x; t [shape=parallelogram, command=\"make\"] }";
    let (mut client, folder, root) = workspace(&[("in/a.dot", old)]).await;
    let uri = format!("{root}/in/a.dot");
    client.open_as(&uri, old).await;
    let argument = json!({ "uri": uri });
    let outside = compare(&mut client, argument.clone()).await;
    let error = format!("{:?}", outside.expect_err("no repository"));
    assert!(error.contains("is not in a Git repository"), "{error}");

    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "--message", "first"]);
    let same = compare(&mut client, argument.clone())
        .await
        .expect("an answer");
    assert_eq!(same["status"], "unchanged");
    assert_eq!(same["oldText"], old);

    let new = "digraph d {\n  goal=x\n  t [command=\"make all\", shape=parallelogram]\n}\n";
    let changed = format!("{root}/in/b.dot");
    std::fs::write(folder.path().join("in/b.dot"), new).expect("written");
    let added = compare(&mut client, json!({ "uri": changed }))
        .await
        .expect("an answer");
    assert_eq!(added["status"], "added");
    assert!(added.get("oldText").is_none(), "{added}");

    std::fs::write(folder.path().join("in/c.dot"), old).expect("written");
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "--message", "second"]);
    let uri = format!("{root}/in/c.dot");
    client.open_as(&uri, new).await;
    let diff = compare(&mut client, json!({ "uri": uri, "rev": "HEAD" }))
        .await
        .expect("an answer");
    assert_eq!(
        diff["changes"],
        json!([{
            "pipeline": "d",
            "mark": "~",
            "title": "t: command make → make all",
            "effect": true,
            "oldRange": { "start": { "line": 0, "character": 44 }, "end": { "line": 0, "character": 58 } },
            "range": { "start": { "line": 2, "character": 5 }, "end": { "line": 2, "character": 23 } },
        }])
    );
    let unknown = compare(&mut client, json!({ "uri": uri, "rev": "-O/tmp/x" })).await;
    let error = format!("{:?}", unknown.expect_err("no such commit"));
    assert!(error.contains("Unknown revision"), "{error}");
    client.leave().await;
}
