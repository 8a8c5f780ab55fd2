//! Runs that have ended: they are looked at, and begin again from one of their nodes.

use attractor_tests::Project;
use serde_json::json;

use super::client::Client;

const FAILS: &str = r#"digraph release {
  start [shape=Mdiamond]
  done  [shape=Msquare]
  plan   [command="echo plan >> effects"]
  build  [command="echo build >> effects; echo built"]
  deploy [command="echo deploy >> effects; exit 3"]
  start -> plan -> build -> deploy -> done
}"#;

fn stopped_at(client: &mut Client) -> String {
    client.stopped().1
}

/// A run has failed. Its user goes back to the node that went wrong, edits its command, and restarts the frame: only what
/// follows runs again.
#[test]
fn a_failed_run_begins_again_at_the_node_that_went_wrong() {
    let project = Project::with("release.dot", FAILS);
    project.run(["run", "release.dot"]).expect_code(1);
    assert_eq!(project.read("effects"), "plan\nbuild\ndeploy\n");
    let file = project.file("release.dot").display().to_string();
    let list = project.run(["runs", "list", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("an id").to_owned();

    let mut client = Client::start(&project);
    client.begin("attach", &json!({ "run": run }), &file, &json!([]));
    assert_eq!(
        client.stopped(),
        ("exception".to_owned(), "deploy@1".to_owned())
    );
    let info = client.request("exceptionInfo", &json!({ "threadId": 1 }));
    assert!(
        info["description"]
            .as_str()
            .is_some_and(|text| text.contains("deploy")),
        "{info}"
    );
    assert_eq!(
        client.variable("Last outcome", "outcome")["value"],
        "\"fail\""
    );

    // Back: the beginning of `deploy`, then of `build`, where the context does not have its outcome yet.
    let thread = json!({ "threadId": 1 });
    client.request("stepBack", &thread);
    assert_eq!(stopped_at(&mut client), "deploy@1");
    assert_eq!(
        client.variable("Last outcome", "outcome")["value"],
        "\"success\""
    );
    client.request("stepBack", &thread);
    assert_eq!(stopped_at(&mut client), "build@1");
    assert_eq!(
        client.variable("Last outcome", "last_stage")["value"],
        "\"plan\""
    );
    client.request("next", &thread);
    assert_eq!(stopped_at(&mut client), "deploy@1");
    let origin = client.variable("Context", "output.build")["type"].clone();
    assert_eq!(origin, "text, set by build@1");
    assert_eq!(client.console("back 3"), Ok(String::new()));
    assert_eq!(stopped_at(&mut client), "start@1");
    assert_eq!(client.console("at deploy"), Ok(String::new()));
    assert_eq!(stopped_at(&mut client), "deploy@1");
    // Nothing of it was executed, and nothing can be changed.
    assert_eq!(project.read("effects"), "plan\nbuild\ndeploy\n");
    let reason = client.console("set depth=3").expect_err("the past");
    assert!(reason.contains("has ended"), "{reason}");

    project.write("release.dot", FAILS.replace("exit 3", "true"));
    let frames = client.frames(&json!(1));
    assert_eq!(frames[0]["canRestart"], true);
    client.request("restartFrame", &json!({ "frameId": frames[0]["id"] }));
    assert_eq!(
        client.stopped(),
        ("entry".to_owned(), "deploy@1".to_owned())
    );
    client.request("continue", &thread);
    client.event("terminated");
    assert!(client.disconnect(&json!({})).success());
    assert_eq!(project.read("effects"), "plan\nbuild\ndeploy\ndeploy\n");

    // What came before is the same in both journals.
    let journal = |run: &str| project.read(&format!(".attractor/runs/{run}/journal.jsonl"));
    let list = project.run(["runs", "list", "--format", "json"]).json();
    assert_eq!(list["runs"][0]["state"], "success");
    let fork = list["runs"][0]["run"].as_str().expect("an id").to_owned();
    let before = |run: &str| {
        let journal = journal(run);
        let lines = journal
            .lines()
            .filter_map(|line| line.rsplit_once(",\"crc\"").map(|(line, _)| line));
        let lines =
            lines.take_while(|line| !line.contains(r#""type":"stage_started","node":"deploy""#));
        let lines: Vec<String> = lines.map(|line| line.replace(run, "RUN")).collect();
        lines
    };
    assert!(before(&run).len() > 5);
    assert_eq!(before(&run), before(&fork));
    project.run(["replay", &fork, "--check"]).expect_code(0);
}

#[test]
fn a_run_that_ended_well_is_shown_at_its_last_node() {
    let project = Project::with("release.dot", FAILS.replace("exit 3", "true"));
    project.run(["run", "release.dot"]).expect_code(0);
    let file = project.file("release.dot").display().to_string();
    let list = project.run(["runs", "list", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("an id").to_owned();
    project.write("release.dot", FAILS.replace("build  [", "compile ["));
    let mut client = Client::start(&project);
    let lines = json!([{ "line": 4 }, { "line": 5 }]);
    let set = client.begin("attach", &json!({ "run": &run[..12] }), &file, &lines);
    assert_eq!(set["breakpoints"][0]["verified"], true);
    let message = set["breakpoints"][1]["message"].as_str().expect("a reason");
    assert!(
        message.contains("has changed since the run began"),
        "{message}"
    );
    assert_eq!(stopped_at(&mut client), "done@1");
    // Forward again to the end, which has a stack and the last context.
    for before in ["done@1", "deploy@1"] {
        client.request("stepBack", &json!({ "threadId": 1 }));
        assert_eq!(stopped_at(&mut client), before);
    }
    client.request("continue", &json!({ "threadId": 1 }));
    assert_eq!(client.stopped(), ("pause".to_owned(), "done@1".to_owned()));
    assert_eq!(client.console("last_stage"), Ok("\"done\"".to_owned()));
    client.request("reverseContinue", &json!({ "threadId": 1 }));
    assert_eq!(stopped_at(&mut client), "plan@1");
    client.request("reverseContinue", &json!({ "threadId": 1 }));
    assert_eq!(stopped_at(&mut client), "start@1");
    let why = client.console("why plan build");
    assert_eq!(why, Err("the run has not left `plan`".to_owned()));
    assert!(client.disconnect(&json!({})).success());
}

#[test]
fn why_a_run_ended_at_a_node_is_answered_with_the_values() {
    let pipeline = "digraph release { start [shape=Mdiamond]; done [shape=Msquare]; build [command=\"exit 3\"]; \
                    start -> build; build -> done [condition=\"outcome=success\"] }";
    let project = Project::with("release.dot", pipeline);
    project.run(["run", "release.dot"]).expect_code(1);
    let file = project.file("release.dot").display().to_string();
    let list = project.run(["runs", "list", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("an id").to_owned();
    let mut client = Client::start(&project);
    client.begin("attach", &json!({ "run": run }), &file, &json!([]));
    assert_eq!(stopped_at(&mut client), "build@1");
    let why = client.console("why build done").expect("a reason");
    assert!(
        why.starts_with("the run has ended at `build`; `outcome=success` is false"),
        "{why}"
    );
    assert!(why.contains("fail"), "{why}");
    let unknown = client.console("why nowhere done");
    assert_eq!(
        unknown,
        Err("the pipeline has no node `nowhere`".to_owned())
    );
    assert!(client.disconnect(&json!({})).success());
}
