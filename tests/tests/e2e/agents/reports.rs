//! What the agent of a node reports reaches the journal of its run, and what ends its work is said.

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::{Value, json};

use super::{FIX, call, edits, events, run};

fn read(path: &str) -> Reply {
    Reply::Calls(vec![call("read_file", &json!({"path": path}))])
}

/// The notices of an agent of that kind in the journal.
fn notices(project: &Project, kind: &str) -> Vec<Value> {
    let journal = project.run(["runs", "events"]).expect_code(0).json_lines();
    let notices = journal.into_iter();
    notices
        .filter(|event| event["type"] == "agent.notice" && event["notice"] == kind)
        .collect()
}

#[test]
fn loops_and_changed_files_of_an_agent_are_in_the_journal() {
    let project = super::project("sonnet");
    let replies = edits().into_iter().take(2).chain([read("greeting.txt")]);
    let provider = MockProvider::start(replies.collect());
    let output = run(&project, &provider, ["run", "fix.dot"]).expect_code(1);
    let changed = notices(&project, "files_changed");
    assert_eq!(changed[0]["paths"], json!(["greeting.txt"]));
    assert_eq!(changed[0]["node"], "fix");
    let loops = notices(&project, "loop_detection");
    assert_eq!(loops.len(), 4, "{loops:?}");
    assert_eq!(
        loops[0]["warning"],
        "the same tool call was made 3 times in a row"
    );
    let shown = "fix loop: the same tool call was made 3 times in a row";
    assert!(format!("{output}").contains(shown), "{output}");
}

#[test]
fn limits_and_errors_of_an_agent_are_in_the_journal() {
    let dot = FIX.replace("model=\"MODEL\"", "model=sonnet, max_turns=2");
    let project = Project::with("fix.dot", dot);
    let provider = MockProvider::start(vec![read("a"), read("b"), read("c")]);
    run(&project, &provider, ["run", "fix.dot"]).expect_code(1);
    let limits = notices(&project, "turn_limit");
    assert_eq!(
        (&limits[0]["turns"], &limits[0]["limit"]),
        (&json!(2), &json!(2))
    );
    let project = super::project("sonnet");
    let refused = r#"{"type":"error","error":{"type":"permission_error","message":"not for you"}}"#;
    let refused = Reply::Answer(403, Vec::new(), "application/json", refused.to_owned());
    run(
        &project,
        &MockProvider::start(vec![refused]),
        ["run", "fix.dot"],
    )
    .expect_code(1);
    let errors = notices(&project, "error");
    assert_eq!(errors[0]["phase"], "llm_call", "{errors:?}");
    let error = errors[0]["error"].as_str().unwrap_or_default();
    assert!(error.contains("not for you"), "{error}");
}

#[test]
fn the_events_of_a_session_say_why_it_ended() {
    let project = Project::with("a.txt", "a");
    let provider = MockProvider::start(vec![read("a.txt")]);
    let output = run(
        &project,
        &provider,
        ["agent", "--model", "sonnet", "--format", "events", "Read."],
    );
    let ends = events(&output.expect_code(1), "session_end");
    assert_eq!(ends[0]["data"]["ending"], "loop", "{ends:?}");
    assert_eq!(
        ends[0]["data"]["reason"],
        "the same tool call was made 6 times in a row"
    );
}

/// A subagent works in the folder that it is given: its commands and relative paths begin there.
#[test]
fn a_subagent_works_in_its_folder() {
    let project = super::project("sonnet");
    project.write("sub/note.txt", "Below.\n");
    let spawn = json!({"task": "Look.", "working_dir": "sub"});
    // Session and subagent ask at the same time, and get the same: each waits for the other.
    let command = "pwd > here.txt; cat note.txt > copy.txt; until [ -f sub/copy.txt ] || [ -f ../copy.txt ]; do :; done";
    let look = Reply::Calls(vec![
        call("shell", &json!({"command": command, "timeout_ms": 60_000})),
        call(
            "write_file",
            &json!({"path": "written.txt", "content": "x"}),
        ),
    ]);
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("spawn_agent", &spawn)]),
        look.clone(),
        look,
        Reply::Calls(vec![call(
            "shell",
            &json!({"command": "until [ -f sub/written.txt ] || [ -f ../written.txt ]; do :; done", "timeout_ms": 60_000}),
        )]),
        Reply::Calls(vec![call("read_file", &json!({"path": "written.txt"}))]),
        Reply::Says("Done."),
    ]);
    run(&project, &provider, ["run", "fix.dot"]).expect_code(0);
    assert!(project.read("sub/here.txt").trim_end().ends_with("/sub"));
    assert_eq!(project.read("sub/copy.txt"), "Below.\n");
    assert_eq!(project.read("sub/written.txt"), "x");
    let outside = json!({"task": "Look.", "working_dir": ".."});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("spawn_agent", &outside)]),
        Reply::Says("Done."),
    ]);
    run(&project, &provider, ["run", "fix.dot"]).expect_code(0);
    let answered = provider.sent()[1].body.to_string();
    assert!(answered.contains("error: `working_dir`: "), "{answered}");
}

/// The turns of an agent count, not its attempts.
#[test]
fn an_agent_that_stays_at_its_node_for_too_many_turns_is_stopped() {
    let dot = FIX
        .replace("MODEL", "sonnet")
        .replace("start [shape", "stale_after_turns=3; start [shape");
    let project = Project::with("fix.dot", dot);
    // Turns are counted when their events are written, which takes a tenth of a second.
    let turns = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|word| {
        let command = json!({"command": format!("sleep 0.3; echo {word}")});
        Reply::Calls(vec![call("shell", &command)])
    });
    let provider = MockProvider::start(turns.to_vec());
    let output = run(
        &project,
        &provider,
        ["run", "fix.dot", "--format", "events"],
    );
    let output = output.expect_code(1);
    let expired = events(&output, "expired");
    assert_eq!(expired[0]["stale_after_turns"], 3, "{output}");
    assert!(provider.sent().len() < turns.len(), "it was not stopped");
    let failed = events(&output, "pipeline_failed").remove(0);
    let reason = "the run stayed at `fix` for 3 model turns (`stale_after_turns`)";
    assert!(failed.to_string().contains(reason), "{failed}");
    // An agent that ends with its third turn is in time.
    let provider = MockProvider::start(vec![read("a"), read("b"), Reply::Says("Done.")]);
    run(&project, &provider, ["run", "fix.dot"]).expect_code(0);
}

/// An answer with a schema sets keys, and a field that it does not have is an error rather than text of the command.
#[test]
fn the_fields_of_an_answer_with_a_schema_are_keys() {
    let dot = |schema: &str, command: &str| {
        format!(
            "digraph a {{ start [shape=Mdiamond]; done [shape=Msquare]\n\
             a [shape=tab, prompt=\"Count.\", model=sonnet{schema}]\n\
             b [shape=parallelogram, command=\"{command}\"]\n start -> a -> b -> done }}"
        )
    };
    let schema =
        r#", output_schema="{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}""#;
    let command = "echo {a.n} {output.a.n} {output.a.m:-none}";
    let project = Project::with("a.dot", dot(schema, command));
    let provider = MockProvider::start(vec![Reply::Says("{\"n\": 7}")]);
    let output = run(&project, &provider, ["run", "a.dot", "--format", "events"]);
    let outputs = events(&output.expect_code(0), "stage_output");
    let b = outputs.iter().find(|event| event["node"] == "b");
    assert_eq!(b.expect("an output")["text"], "7 7 none\n");

    project.write("a.dot", dot("", "echo {output.a.n}"));
    let provider = MockProvider::start(vec![Reply::Says("Seven.")]);
    let output = run(&project, &provider, ["run", "a.dot"]).expect_code(1);
    let expected = "`command` of `b` refers to `{output.a.n}`: the output of `a` is not JSON with the field `n`; set \
                    `output_schema` at `a`";
    assert!(format!("{output}").contains(expected), "{output}");
}

#[test]
fn the_answer_of_a_person_is_kept_under_the_output_key() {
    let dot = "digraph a {
  start [shape=Mdiamond]; done [shape=Msquare]
  ask  [shape=hexagon, prompt=\"Ship?\", output_key=decision]
  show [shape=parallelogram, command=\"echo {decision}\"]
  start -> ask
  ask -> show [label=\"[Y] Ship it\"]
  ask -> done [label=\"[N] Not yet\"]
  show -> done
}
";
    let project = Project::with("a.dot", dot);
    let output = project.run(["run", "a.dot", "--answer", "ask=Y", "--format", "events"]);
    let outputs = events(&output.expect_code(0), "stage_output");
    let show = outputs.iter().find(|event| event["node"] == "show");
    assert_eq!(show.expect("an output")["text"], "Ship it\n");
}
