//! Providers that are overloaded, limit their rate, or break off: the work continues, and what arrived is not asked for again.

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::{Value, json};

use super::{APIS, events, project, run};

/// A refusal with a delay.
fn limited(status: u16, header: (&'static str, &'static str)) -> Reply {
    let kind = if status == 429 {
        "rate_limit_error"
    } else {
        "overloaded_error"
    };
    let body = json!({"type": "error", "error": {"type": kind, "message": "slow down"}});
    Reply::Answer(status, vec![header], "application/json", body.to_string())
}

/// The text that was shown while a node wrote its answer.
fn shown(events: &[Value]) -> String {
    let output = events
        .iter()
        .filter(|event| event["type"] == "stage_output");
    output.filter_map(|event| event["text"].as_str()).collect()
}

#[test]
fn an_answer_that_fails_after_its_first_text_is_requested_again_and_shown_once() {
    for (model, _) in APIS {
        let project = project(model);
        let provider =
            MockProvider::start(vec![Reply::Overloads("The Rhi"), Reply::Says("The Rhine.")]);
        let output = run(
            &project,
            &provider,
            ["run", "rivers.dot", "--format", "events"],
        );
        assert_eq!(output.code, Some(0), "{model}: {output}");
        assert_eq!(provider.sent().len(), 3, "{model}");
        let of_ask: Vec<Value> = output
            .json_lines()
            .into_iter()
            .filter(|event| event["node"] == "ask")
            .collect();
        let text = shown(&of_ask);
        assert_eq!(text.matches("The Rhi").count(), 1, "{model}: {text}");
        // The broken answer was paid for.
        let completed = of_ask
            .iter()
            .find(|event| event["type"] == "stage_completed");
        let completed = completed.expect("the node is done");
        assert!(
            completed["usage"]["input_tokens"].as_u64() > Some(20),
            "{model}: {completed}"
        );
    }
}

#[test]
fn a_provider_that_refuses_several_times_is_asked_again() {
    let wait = ("retry-after-ms", "1");
    let mut replies = vec![limited(529, wait); 5];
    replies.push(Reply::Says("The Rhine."));
    let provider = MockProvider::start(replies.clone());
    let output = run(&project("sonnet"), &provider, ["run", "rivers.dot"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(provider.sent().len(), 7);
    // The terminal says so while it waits.
    for attempt in 2..=6 {
        let line = format!("ask warning: attempt {attempt} of 7 in ");
        assert!(output.stdout.contains(&line), "{line} {output}");
    }
    assert!(output.stdout.contains("slow down"), "{output}");

    let agent = project("sonnet");
    let provider = MockProvider::start(replies);
    let output = run(
        &agent,
        &provider,
        ["agent", "Name a river.", "--model", "sonnet"],
    );
    assert!(output.stderr.contains("attempt 2 of 7 in "), "{output}");
}

#[test]
fn a_delay_longer_than_allowed_fails_and_says_until_when() {
    for command in [
        &["run", "rivers.dot"][..],
        &["agent", "Continue.", "--model", "sonnet"],
    ] {
        let project = project("sonnet");
        project.write(".attractor/config.toml", "[models]\nmax_wait = \"2m\"\n");
        let provider = MockProvider::start(vec![limited(429, ("retry-after", "7200"))]);
        let mut program = project.command(command);
        program.envs(provider.variables());
        let output = program.output().expect("it starts");
        let output = attractor_tests::ProcessOutput::new(&output).expect_code(1);
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(said.contains("available at 20"), "{said}");
        assert_eq!(provider.sent().len(), 1, "{command:?}");
    }
}

#[test]
fn the_agent_follows_on_rate_limit_of_option_and_configuration() {
    let limit = || vec![limited(429, ("retry-after-ms", "1")), Reply::Says("Done.")];
    let agent = |configuration: &str, options: &[&str]| {
        let project = Project::with(".attractor/config.toml", configuration);
        let provider = MockProvider::start(limit());
        let mut command = project.command(["agent", "Continue.", "--model", "sonnet"]);
        command.args(options).envs(provider.variables());
        let output = command.output().expect("it starts");
        (output.status.code(), provider.sent().len())
    };
    let fail = "[models]\non_rate_limit = \"fail\"\n";
    let impatient = "[models]\nmax_retries = 1\nmax_wait = \"1s\"\n";
    assert_eq!(agent("", &[]), (Some(0), 2));
    assert_eq!(agent(fail, &[]), (Some(1), 1));
    assert_eq!(agent("", &["--on-rate-limit", "fail"]), (Some(1), 1));
    assert_eq!(agent(fail, &["--on-rate-limit", "retry"]), (Some(0), 2));
    assert_eq!(agent(impatient, &["--on-rate-limit", "wait"]), (Some(0), 2));
}

/// A session that fails late repeats its last call only: the answers before have been paid for.
#[test]
fn an_agent_of_a_node_with_retries_continues_its_session() {
    let dot = "digraph fix {
      start [shape=Mdiamond]
      fix [prompt=\"Greet.\", model=sonnet, max_retries=3]
      done [shape=Msquare]
      start -> fix -> done
    }";
    let project = Project::with("fix.dot", dot);
    project.write("a.txt", "a\n");
    let reads = Reply::Calls(vec![("read_file", json!({"path": "a.txt"}).to_string())]);
    let provider = MockProvider::start(vec![
        reads,
        limited(529, ("retry-after-ms", "1")),
        Reply::Says("Done."),
    ]);
    let output = run(
        &project,
        &provider,
        ["run", "fix.dot", "--format", "events"],
    );
    assert_eq!(output.code, Some(0), "{output}");
    let sent = provider.sent();
    let messages = |index: usize| sent[index].body["messages"].as_array().map_or(0, Vec::len);
    assert_eq!([messages(0), messages(1), messages(2)], [1, 3, 3]);
    assert_eq!(
        events(&output, "stage_started")
            .iter()
            .filter(|event| event["node"] == "fix")
            .count(),
        1
    );
}
