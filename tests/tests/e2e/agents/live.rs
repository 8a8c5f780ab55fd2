//! What an editor shows of an agent while it works.

use attractor_tests::{Editor, MockProvider, Reply};
use serde_json::{Value, json};

use super::{call, project};

#[test]
fn tokens_and_cost_of_a_working_agent_reach_the_editor() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("read_file", &json!({"path": "greeting.txt"}))]),
        Reply::Holds("It greets "),
    ]);
    let capabilities = json!({ "experimental": { "attractor": { "runState": true } } });
    let mut editor = Editor::open_with(&project, &capabilities, provider.variables());
    let uri = format!("file://{}", project.file("fix.dot").display());
    editor.did_open(&uri, &project.read("fix.dot"));
    let trust = json!({ "uri": uri, "decision": "version" });
    editor.command("attractor.trust", &trust).expect("trusted");
    editor
        .command("attractor.run", &json!({ "uri": uri }))
        .expect("it starts");
    let used = |params: &Value| {
        params["nodes"]["fix"]["tokens"]
            .as_u64()
            .unwrap_or_default()
    };
    let working = editor.notification("attractor/runState", |params| {
        params["nodes"]["fix"]["state"] == "running" && used(params) > 0
    });
    let fix = &working["nodes"]["fix"];
    assert!(fix["cost"].as_f64() > Some(0.0), "{fix}");
    provider.release();
    let ended = editor.notification("attractor/runState", |params| params["state"] == "success");
    // Nothing is counted twice.
    assert_eq!(used(&ended), 2 * used(&working), "{ended}");
    editor.leave();
}
