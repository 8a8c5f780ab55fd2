//! Sessions of codergen nodes while they work: messages and answers from other processes, a kill in mid-turn, and the
//! replay of a recorded run.

use attractor_tests::{KEY, MockProvider, ProcessOutput, Project, Reply, RunningProcess, program};
use serde_json::{Value, json};

use super::{FIX, call, edits, events, project, run};

/// The id of the run, once it is in this state.
fn in_state(project: &Project, state: &str) -> String {
    project.eventually(state, || {
        let list = project.run(["runs", "--format", "json"]).json();
        let first = &list["runs"][0];
        (first["state"] == state).then(|| first["run"].as_str().unwrap_or_default().to_owned())
    })
}

/// Starts the pipeline, and leaves it running.
fn start(project: &Project, provider: &MockProvider) -> RunningProcess {
    let mut command = project.command(["run", "fix.dot"]);
    command.envs(provider.variables());
    project.start_other(command)
}

/// Starts the pipeline in a terminal that stays open, so that its questions stay open.
fn start_at_terminal(project: &Project, provider: &MockProvider) -> RunningProcess {
    let mut command = project.other_command("script");
    let line = format!("{} run fix.dot", program().display());
    command.args(["-qec", &line, "/dev/null"]);
    command.envs(provider.variables());
    project.start_other(command)
}

/// The events of the only run.
fn journal(project: &Project) -> Vec<Value> {
    let output = project.run(["runs", "events"]).expect_code(0);
    output.json_lines()
}

fn of_type<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events
        .iter()
        .filter(|event| event["type"] == kind)
        .collect()
}

fn shell(command: &str) -> Reply {
    let arguments = json!({"command": command, "timeout_ms": 120_000});
    Reply::Calls(vec![call("shell", &arguments)])
}

/// The body of a request of the model, as text.
fn sent(provider: &MockProvider, index: usize) -> String {
    let sent = provider.sent();
    sent.get(index).expect("a request").body.to_string()
}

#[test]
fn a_message_from_another_process_reaches_the_model_while_it_writes() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![Reply::Holds("I begin."), Reply::Says("Done.")]);
    let running = start(&project, &provider);
    project.eventually("the model is called", || {
        (provider.sent().len() == 1).then_some(())
    });
    let id = in_state(&project, "running");
    project
        .run(["steer", &id, "fix", "Greet in Latin."])
        .expect_code(0);
    provider.release();
    running.end().expect_code(0);
    assert_eq!(provider.sent().len(), 2);
    let messages = provider.sent()[1].body["messages"].clone();
    let texts: Vec<&str> = messages
        .as_array()
        .expect("messages")
        .iter()
        .filter_map(|message| message["content"][0]["text"].as_str())
        .collect();
    assert_eq!(texts.last(), Some(&"Greet in Latin."), "{messages}");
    assert!(texts.contains(&"I begin."), "{messages}");
    let journal = journal(&project);
    let steered = of_type(&journal, "steering_injected");
    assert_eq!(steered.len(), 1, "{journal:?}");
    assert_eq!(steered[0]["message"], "Greet in Latin.");
    assert_eq!(steered[0]["at"]["node"], "fix");
}

#[test]
fn a_question_of_the_model_is_answered_from_another_process() {
    let project = project("sonnet");
    let question = json!({"question": "Which colour?", "options": ["red", "blue"]});
    let provider = MockProvider::start(vec![
        shell("echo once >> log"),
        Reply::Calls(vec![call("ask_user", &question)]),
        Reply::Says("Blue it is."),
    ]);
    let running = start_at_terminal(&project, &provider);
    let id = in_state(&project, "waiting");
    project.run(["answer", &id, "blue"]).expect_code(0);
    running.end().expect_code(0);
    assert_eq!(project.read("log"), "once\n");
    assert_eq!(provider.sent().len(), 3);
    assert!(
        sent(&provider, 2).contains("\"text\":\"blue\""),
        "{}",
        sent(&provider, 2)
    );
    let journal = journal(&project);
    assert_eq!(of_type(&journal, "interview_completed").len(), 1);
    let first = |kind: &str| journal.iter().position(|event| event["type"] == kind);
    assert!(first("agent.tool_call_end") < first("interview_started"));
    assert_eq!(
        of_type(&journal, "stage_started").len(),
        3,
        "nothing is run again"
    );
}

#[test]
fn a_call_that_needs_permission_is_a_question_of_the_run() {
    for (answer, allowed) in [
        ("Allow once", true),
        ("Y", true),
        ("yes", true),
        ("Deny", false),
    ] {
        let project = project("sonnet");
        project.write(
            ".config/attractor/config.toml",
            "[agent.permissions]\n\"write(*.lock)\" = \"ask\"\n",
        );
        let content = json!({"path": "Cargo.lock", "content": "x"});
        let provider = MockProvider::start(vec![
            Reply::Calls(vec![call("write_file", &content)]),
            Reply::Says("Done."),
        ]);
        let running = start_at_terminal(&project, &provider);
        let id = in_state(&project, "waiting");
        project.run(["answer", &id, answer]).expect_code(0);
        running.end().expect_code(0);
        assert_eq!(project.file("Cargo.lock").exists(), allowed, "{answer}");
        let last = sent(&provider, 1);
        assert_eq!(last.contains("a person denied it"), !allowed, "{last}");
    }
}

/// Waits until the session has created `started`, kills the engine, and resumes the run.
fn killed_and_resumed(
    project: &Project,
    provider: &MockProvider,
    running: RunningProcess,
) -> ProcessOutput {
    project.eventually("the second call runs", || {
        project.file("started").exists().then_some(())
    });
    // Events of tools are collected for a tenth of a second before they are recorded.
    project.eventually("the first call is in the journal", || {
        let calls = journal(project);
        (!of_type(&calls, "agent.tool_call_start").is_empty()).then_some(())
    });
    running.signal("KILL");
    running.end();
    let id = in_state(project, "interrupted");
    run(project, provider, ["resume", &id, "--format", "events"])
}

/// What was typed in error denies nothing.
#[test]
fn a_permission_is_asked_again_after_anything_but_an_answer() {
    let project = project("sonnet");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\n\"write(*.lock)\" = \"ask\"\n",
    );
    let content = json!({"path": "Cargo.lock", "content": "x"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("write_file", &content)]),
        Reply::Says("Done."),
    ]);
    let running = start_at_terminal(&project, &provider);
    let id = in_state(&project, "waiting");
    project.run(["answer", &id, "hmm"]).expect_code(0);
    project.eventually("the second question", || {
        (of_type(&journal(&project), "interview_started").len() == 2).then_some(())
    });
    let asked = journal(&project);
    let text = of_type(&asked, "interview_started")[1]["question"]["text"].to_string();
    assert!(
        text.contains("`hmm` is not one of the answers: y allows this call once"),
        "{text}"
    );
    project.run(["answer", &id, "y"]).expect_code(0);
    running.end().expect_code(0);
    assert!(project.file("Cargo.lock").exists());
}

/// A resumed session has the instructions of its beginning, to the byte, and what changed since as a message.
#[test]
fn a_resumed_session_keeps_its_instructions() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![
        shell("echo one >> log"),
        shell("echo two >> log; touch started; sleep 100"),
        Reply::Says("Done."),
    ]);
    let running = start(&project, &provider);
    project.eventually("the second call runs", || {
        project.file("started").exists().then_some(())
    });
    project.write("AGENTS.md", "Use tabs.\n");
    killed_and_resumed(&project, &provider, running).expect_code(0);
    let sent = provider.sent();
    let (before, after) = (&sent[1].body, &sent[2].body);
    assert_eq!(before["system"], after["system"]);
    assert_eq!(before["model"], after["model"]);
    let messages = after["messages"].to_string();
    assert!(
        messages.contains("# Documents of the project") && messages.contains("Use tabs."),
        "{messages}"
    );
}

#[test]
fn a_session_that_was_killed_in_mid_turn_continues_where_it_was() {
    for model in super::MODELS {
        let project = project(model);
        let provider = MockProvider::start(vec![
            shell("echo one >> log"),
            shell("echo two >> log; touch started; sleep 100"),
            Reply::Says("Done."),
        ]);
        let running = start(&project, &provider);
        let output = killed_and_resumed(&project, &provider, running);
        assert_eq!(output.code, Some(0), "{model}: {output}");
        assert_eq!(project.read("log"), "one\ntwo\n", "{model}");
        assert_eq!(provider.sent().len(), 3, "{model}");
        let last = sent(&provider, 2);
        for part in [
            "Greet the world.",
            "echo one >> log",
            "echo two >> log",
            "the call was interrupted before it ended",
            "The work was interrupted",
        ] {
            assert!(last.contains(part), "{model}: {part:?} is missing: {last}");
        }
        // The events of the whole run, from its start; the last ones before the kill may be missing.
        let calls = events(&output, "agent.tool_call_start");
        let is_first = |call: &&Value| call["arguments"]["command"] == "echo one >> log";
        assert_eq!(
            calls.iter().filter(is_first).count(),
            1,
            "{model}: {calls:?}"
        );
        assert!(calls.len() <= 2, "{model}: a call is run again: {calls:?}");
    }
}

/// What the calls of models before the kill cost counts in the usage of the run, and in its budget.
#[test]
fn the_usage_of_a_killed_attempt_counts() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![
        shell("echo one >> log"),
        shell("echo two >> log; touch started; sleep 100"),
        Reply::Says("Done."),
    ]);
    let running = start(&project, &provider);
    project.eventually("the second call runs", || {
        project.file("started").exists().then_some(())
    });
    project.eventually("both calls of the model are in the journal", || {
        (of_type(&journal(&project), "agent.model_call").len() == 2).then_some(())
    });
    running.signal("KILL");
    running.end();
    let id = in_state(&project, "interrupted");
    let output = run(&project, &provider, ["resume", &id, "--format", "json"]);
    let usage = output.expect_code(0).json()["usage"].clone();
    // Three requests of 20 tokens in and 7 out.
    assert_eq!(usage["input_tokens"], 60, "{usage}");
    assert_eq!(usage["output_tokens"], 21, "{usage}");
}

#[test]
fn a_question_that_was_open_when_the_engine_was_killed_is_asked_again() {
    let project = project("sonnet");
    let question = json!({"question": "Which colour?"});
    let provider = MockProvider::start(vec![
        shell("echo once >> log"),
        Reply::Calls(vec![call("ask_user", &question)]),
        Reply::Says("Blue it is."),
    ]);
    let running = start_at_terminal(&project, &provider);
    in_state(&project, "waiting");
    for process in project.processes() {
        let status = std::process::Command::new("kill")
            .args(["-KILL", &process])
            .status();
        status.expect("kill starts");
    }
    drop(running);
    let id = in_state(&project, "interrupted");
    let mut command = project.other_command("script");
    let line = format!("{} resume {id}", program().display());
    command.args(["-qec", &line, "/dev/null"]);
    command.envs(provider.variables());
    let resumed = project.start_other(command);
    // The question of the process that was killed is withdrawn first.
    project.eventually("the question can be answered", || {
        let answered = project.run(["answer", &id, "blue"]);
        (answered.code == Some(0)).then_some(())
    });
    resumed.end().expect_code(0);
    assert_eq!(project.read("log"), "once\n");
    let last = sent(&provider, 2);
    assert!(last.contains("\"text\":\"blue\""), "{last}");
    assert!(!last.contains("interrupted before it ended"), "{last}");
}

#[test]
fn a_recorded_session_with_tools_replays_without_the_provider() {
    for model in super::MODELS {
        let recorded = project(model);
        let mut replies = edits();
        replies.insert(
            1,
            shell("date +%s%N > time.txt; echo finished in 0.$(date +%N)s"),
        );
        let provider = MockProvider::start(replies);
        // Not in the folder that the agent searches.
        let tapes = Project::new();
        let tape = tapes.file("fix.tape").display().to_string();
        let record = ["run", "fix.dot", "--format", "json", "--record", &tape];
        let first = run(&recorded, &provider, record).expect_code(0).json();
        assert!(!tapes.read("fix.tape").contains(KEY), "{model}");
        assert_eq!(provider.sent().len(), 4, "{model}");

        let replayed = Project::with("fix.dot", FIX.replace("MODEL", model));
        replayed.write("greeting.txt", "Hello.\n");
        let replay = ["run", "fix.dot", "--format", "json", "--replay", &tape];
        let second = replayed.run(replay).expect_code(0).json();
        assert_eq!(replayed.read("greeting.txt"), "Hello, world.\n", "{model}");
        assert_eq!(first["usage"], second["usage"], "{model}");
        let answer = &second["context"]["response.fix"];
        assert_eq!(answer, "It greets the world.", "{model}");
        assert_eq!(provider.sent().len(), 4, "{model}");
    }
}
