//! What clients do with runs besides starting them: runs of sub-pipelines, messages to nodes, changed files.

use expect_test::expect;
use serde_json::{Value, json};

use super::runs::{Project, drawing, plain};

const SUPERVISED: &str = r#"digraph main {
  start [shape=Mdiamond]
  watch [shape=house, sub_pipeline=child, max_iterations=1]
  done [shape=Msquare]
  start -> watch -> done
}
digraph child {
  hello [start=true, type=tool, command="echo hello from the child"]
  end [shape=Msquare]
  hello -> end
}
"#;

const WAITING: &str = r#"digraph main {
  start [shape=Mdiamond]
  watch [shape=house, sub_pipeline=child, max_iterations=1]
  done [shape=Msquare]
  start -> watch -> done
}
digraph child {
  hold [start=true, type=tool, command="until [ -f go ]; do sleep 0.05; done"]
  work [prompt="Work"]
  end [shape=Msquare]
  hold -> work -> end
}
"#;

const CHANGING: &str = r#"digraph change {
  start [shape=Mdiamond]
  write [type=tool, command="echo new > added.txt; echo two > kept.txt"]
  look [prompt="Look at it."]
  done [shape=Msquare]
  start -> write -> look -> done
}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_sub_pipelines_are_listed_below_their_parent() {
    let mut project = Project::new(SUPERVISED, drawing()).await;
    project.trusted().await;
    let run = project.run().await;
    project.state("success").await;
    let listed = project
        .command("attractor.runs", json!({}))
        .await
        .expect("runs");
    let rows = listed["runs"].as_array().expect("a list");
    let shown: Vec<_> = rows
        .iter()
        .map(|row| {
            let id = row["run"].as_str().unwrap_or_default();
            let parent = row["parent"].as_str().unwrap_or("-");
            let line = format!("{id} of {parent}: {} {}", row["graph"], row["state"]);
            line.replace(&run, "RUN")
        })
        .collect();
    expect![[r#"
        RUN of -: "main" "success"
        RUN/watch.1.1 of RUN: "child" "success""#]]
    .assert_eq(&shown.join("\n"));

    let child = json!({ "run": rows[1]["run"] });
    let events = project
        .command("attractor.events", child.clone())
        .await
        .expect("events");
    let types: Vec<_> = events["events"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|event| event["node"] == "hello")
        .map(|event| event["type"].as_str().unwrap_or_default())
        .collect();
    expect!["stage_started stage_output stage_completed"].assert_eq(&types.join(" "));
    let report = project
        .command("attractor.report", child)
        .await
        .expect("a report");
    assert_eq!(report["report"]["plan_id"], "child");
    assert!(
        report["text"].as_str().is_some_and(
            |text| text.contains("state: success\npath: hello → end (2 of 2 nodes done)\n")
        ),
        "{report}"
    );
    let unknown = json!({ "run": format!("{run}/nobody") });
    for command in ["attractor.events", "attractor.report"] {
        let refused = project
            .command(command, unknown.clone())
            .await
            .expect_err(command);
        assert_eq!(refused["data"]["code"], "unknownRun");
    }

    let hover = json!({ "textDocument": { "uri": project.uri }, "position": { "line": 0, "character": 9 } });
    let hover = project
        .client
        .request("textDocument/hover", hover)
        .await
        .expect("a hover");
    let page = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(
        page.contains("path: start → watch → done (3 of 3 nodes done)"),
        "{page}"
    );
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_queued_for_a_node_that_calls_a_model() {
    let mut project = Project::new(WAITING, drawing()).await;
    project.trusted().await;
    let run = project.run().await;
    let at_work = |params: &Value| params["event"]["node"] == "hold";
    project
        .client
        .notification_where("attractor/event", at_work)
        .await;
    let steer = |node: &str| json!({ "run": run, "node": node, "message": "Be brief" });
    let queued = project
        .command("attractor.steer", steer("child/work"))
        .await;
    assert_eq!(queued, Ok(json!({ "queued": true })));
    let event = |params: &Value| params["event"]["type"] == "steering_injected";
    let event = project
        .client
        .notification_where("attractor/event", event)
        .await;
    assert_eq!(event["event"]["message"], "Be brief");
    let refused = project
        .command("attractor.steer", steer("child/hold"))
        .await
        .expect_err("a command reads no messages");
    assert_eq!(refused["data"]["code"], "steeringRejected");
    assert!(
        refused["message"]
            .as_str()
            .is_some_and(|text| text.contains("does not call a model")),
        "{refused}"
    );
    std::fs::write(project.folder.path().join("go"), "").expect("written");
    project.state("success").await;
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_changed_is_shown_and_reverted_unless_it_has_changed_since() {
    let mut project = Project::new(CHANGING, plain()).await;
    let file = |name: &str| project.folder.path().join(name);
    let (added, kept) = (file("added.txt"), file("kept.txt"));
    std::fs::write(&kept, "one\n").expect("written");
    project.trusted().await;
    let run = project.run().await;
    project.state("success").await;

    let about = json!({ "run": run, "node": "write", "contents": true });
    let diff = project
        .command("attractor.diff", about)
        .await
        .expect("a diff");
    let files = diff["files"].as_array().expect("a list");
    let shown = files.iter().map(|file| {
        let (path, change) = (&file["path"], &file["change"]);
        let (before, after) = (&file["before"], &file["after"]);
        format!("{path} {change} {before} {after}\n")
    });
    expect![[r#"
        "added.txt" "added" null "new\n"
        "kept.txt" "modified" "one\n" "two\n"
    "#]]
    .assert_eq(&shown.collect::<String>());

    let place = json!({ "line": 2, "character": 3 });
    let params = json!({
        "textDocument": { "uri": project.uri },
        "range": { "start": place, "end": place },
        "context": { "diagnostics": [] },
    });
    let actions = project
        .client
        .request("textDocument/codeAction", params)
        .await
        .expect("actions");
    let titles: Vec<_> = actions
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|action| action["title"].as_str())
        .filter(|title| title.contains("changed"))
        .collect();
    assert_eq!(
        titles,
        ["Show what `write` changed", "Revert what `write` changed"]
    );

    let revert = json!({ "run": run, "node": "write" });
    std::fs::write(&kept, "three\n").expect("written");
    let refused = project
        .command("attractor.revert", revert.clone())
        .await
        .expect("an answer");
    assert_eq!(refused["refused"], true);
    assert!(
        refused["why"]
            .as_str()
            .is_some_and(|why| why.contains("kept.txt")),
        "{refused}"
    );
    assert!(added.exists(), "nothing is done");
    std::fs::write(&kept, "two\n").expect("written");
    let reverted = project
        .command("attractor.revert", revert)
        .await
        .expect("it reverts");
    assert_eq!(
        reverted,
        json!({ "restored": ["kept.txt"], "removed": ["added.txt"] })
    );
    assert_eq!(std::fs::read_to_string(&kept).expect("there"), "one\n");
    assert!(!added.exists());
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_views_gets_a_document_of_what_a_node_changed() {
    let progress = json!({ "window": { "workDoneProgress": true } });
    let mut project = Project::new(CHANGING, progress).await;
    project.trusted().await;
    let run = project.run().await;
    project
        .client
        .notification_where("$/progress", |params| params["value"]["kind"] == "end")
        .await;
    let lenses = project.lenses().await;
    assert!(lenses.contains(&"± Show changes".to_owned()), "{lenses:?}");
    let about = json!({ "run": run, "node": "write" });
    project
        .command("attractor.diff", about)
        .await
        .expect("a diff");
    let document = project
        .folder
        .path()
        .join(format!(".attractor/runs/{run}/changes/write.diff"));
    let text = std::fs::read_to_string(document).expect("written");
    assert!(
        text.contains("+++ b/added.txt\n@@ -0,0 +1 @@\n+new\n"),
        "{text}"
    );
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_forked_where_it_entered_a_node() {
    let mut project = Project::new(CHANGING, plain()).await;
    project.trusted().await;
    let run = project.run().await;
    project.state("success").await;
    let fork = |files: &str| json!({ "run": run, "node": "write", "files": files });
    let refused = project
        .command("attractor.fork", fork("refuse"))
        .await
        .expect_err("the node has changed files since");
    assert_eq!(refused["data"]["code"], "filesDiffer", "{refused}");
    let forked = project
        .command("attractor.fork", fork("restore"))
        .await
        .expect("it starts");
    let id = forked["run"].as_str().expect("an id").to_owned();
    assert_ne!(id, run);
    let ended = |params: &Value| params["state"] == "success" && params["run"] == id.as_str();
    let state = project
        .client
        .notification_where("attractor/runState", ended)
        .await;
    assert_eq!(state["done"], 4, "{state}");
    let unknown = json!({ "run": run, "node": "nowhere" });
    let refused = project
        .command("attractor.fork", unknown)
        .await
        .expect_err("no such node");
    assert!(
        refused["message"]
            .as_str()
            .is_some_and(|text| text.contains("nowhere")),
        "{refused}"
    );
    project.client.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_differ_are_asked_about_after_the_question_of_trust() {
    let mut project = Project::new(CHANGING, plain()).await;
    project.trusted().await;
    let run = project.run().await;
    project.state("success").await;
    let revoke = json!({ "uri": project.uri, "decision": "revoke" });
    project
        .command("attractor.trust", revoke)
        .await
        .expect("revoked");
    // The same answer to both questions: the second dialog has no such button, so that nothing is done.
    project
        .client
        .reply("window/showMessageRequest", json!({ "title": "Run once" }));
    let fork = json!({ "run": run, "node": "write", "files": "ask" });
    let asked = project
        .command("attractor.fork", fork.clone())
        .await
        .expect("it asks");
    assert_eq!(asked, json!({ "asked": true }));
    let is_second = |params: &Value| {
        let text = params["message"].as_str().unwrap_or_default();
        text.starts_with("Fork the run with which files?")
    };
    let question = project
        .client
        .notification_where("window/showMessageRequest", is_second)
        .await;
    let buttons: Vec<_> = question["actions"]
        .as_array()
        .expect("buttons")
        .iter()
        .filter_map(|action| action["title"].as_str())
        .collect();
    expect!["Restore Files of That Moment, Use Files as They Are, Cancel"]
        .assert_eq(&buttons.join(", "));

    project.trusted().await;
    project.client.reply(
        "window/showMessageRequest",
        json!({ "title": "Restore Files of That Moment" }),
    );
    project
        .command("attractor.fork", fork)
        .await
        .expect("it asks");
    let ended = |params: &Value| params["state"] == "success" && params["run"] != run.as_str();
    let state = project
        .client
        .notification_where("attractor/runState", ended)
        .await;
    assert_eq!(state["done"], 4, "{state}");
    project.client.leave().await;
}

const INPUTS: &str = r#"digraph ask {
  vars = "version, level=3, deploy=false, api_token"
  start [shape=Mdiamond]
  work [type=tool, command="echo {version}"]
  done [shape=Msquare]
  start -> work -> done
}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn inputs_have_types_defaults_and_the_values_of_the_last_run() {
    let mut project = Project::new(INPUTS, plain()).await;
    project.trusted().await;
    let about = json!({ "uri": project.uri });
    let refused = project
        .command("attractor.run", about.clone())
        .await
        .expect_err("inputs are missing");
    assert_eq!(refused["data"]["code"], "missingInputs");
    assert_eq!(refused["data"]["missing"], json!(["version", "api_token"]));
    expect![
        "ask requires the inputs `version` and `api_token`; enter a value for each when you run it"
    ]
    .assert_eq(refused["message"].as_str().unwrap_or_default());

    let declared = project
        .command("attractor.inputs", about.clone())
        .await
        .expect("inputs");
    assert_eq!(
        declared["inputs"],
        json!([
            { "name": "version", "required": true, "secret": false },
            { "name": "level", "type": "number", "required": false, "secret": false, "default": 3 },
            { "name": "deploy", "type": "boolean", "required": false, "secret": false, "default": false },
            { "name": "api_token", "required": true, "secret": true },
        ])
    );
    let inputs = json!({ "version": "v2", "deploy": true, "api_token": "hunter2hunter2" });
    let run = json!({ "uri": project.uri, "inputs": inputs });
    project
        .command("attractor.run", run)
        .await
        .expect("it starts");
    project.state("success").await;
    let declared = project
        .command("attractor.inputs", about)
        .await
        .expect("inputs");
    let last: Vec<_> = declared["inputs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|input| input["last"].clone())
        .collect();
    assert_eq!(last, [json!("v2"), Value::Null, json!(true), Value::Null]);
    project.client.leave().await;
}

const LIMITED: &str = r#"digraph limited {
  start [shape=Mdiamond]
  again [type=tool, command="true", max_visits=2]
  done [shape=Msquare]
  start -> again
  again -> again [condition="outcome=success"]
  again -> done [condition="outcome=fail"]
}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_met_a_limit_is_not_offered_to_be_resumed() {
    let mut project = Project::new(LIMITED, plain()).await;
    project.trusted().await;
    project.run().await;
    let state = project.state("fail").await;
    assert_eq!(state["resumable"], false, "{state}");
    let lenses = project.lenses().await;
    assert!(
        !lenses.iter().any(|lens| lens.contains("Resume")),
        "{lenses:?}"
    );
    project.client.leave().await;
}
