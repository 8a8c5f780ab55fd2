//! Answers and conversations at their limits: an answer that is cut off, a conversation longer than the window.

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply};
use serde_json::json;

use super::{APIS, events, project, run};

fn agent(project: &Project, provider: &MockProvider, model: &str) -> ProcessOutput {
    let mut command = project.command(["agent", "Continue.", "--model", model, "--format", "json"]);
    command.envs(provider.variables());
    ProcessOutput::new(&command.output().expect("it starts"))
}

#[test]
fn an_answer_of_an_agent_that_is_cut_off_is_continued() {
    for (model, _) in APIS {
        let project = Project::new();
        let provider = MockProvider::start(vec![
            Reply::CutShort("The Rhine and "),
            Reply::Says("the Elbe."),
        ]);
        let report = agent(&project, &provider, model).expect_code(0).json();
        assert_eq!(
            report["text"], "The Rhine and the Elbe.",
            "{model}: {report}"
        );
        // One that never ends is not done.
        let endless = MockProvider::start(vec![Reply::CutShort("and on ")]);
        let output = agent(&project, &endless, model).expect_code(1);
        let report = output.json();
        assert_eq!(report["status"], "limit", "{model}: {report}");
        assert!(output.stdout.contains("cut off"), "{output}");
        assert_eq!(endless.sent().len(), 3, "{model}");
    }
}

#[test]
fn an_answer_of_a_prompt_node_that_is_cut_off_is_continued_or_fails() {
    for (model, _) in APIS {
        let provider = MockProvider::start(vec![
            Reply::CutShort("The Rhine and "),
            Reply::Says("the Elbe."),
        ]);
        let project = project(model);
        let output = run(
            &project,
            &provider,
            ["run", "rivers.dot", "--format", "json"],
        );
        let report = output.expect_code(0).json();
        let answer = &report["context"]["response.ask"];
        assert_eq!(answer, "The Rhine and the Elbe.", "{model}: {report}");
    }
    let endless = MockProvider::start(vec![Reply::CutShort("and on ")]);
    let output = run(
        &project("sonnet"),
        &endless,
        ["run", "rivers.dot", "--format", "events"],
    );
    assert_eq!(output.code, Some(1), "{output}");
    let failed = events(&output, "stage_failed").remove(0);
    assert!(
        failed["reason"]
            .as_str()
            .unwrap_or_default()
            .contains("cut off"),
        "{failed}"
    );
    // A limit that was set is the person's own: the answer counts, and the run says that it is a part.
    let limited = project("sonnet\", max_tokens=\"50");
    let provider = MockProvider::start(vec![Reply::CutShort("The Rhine and ")]);
    let output = run(&limited, &provider, ["run", "rivers.dot"]).expect_code(0);
    assert!(
        output.stderr.contains("cut off") || output.stdout.contains("cut off"),
        "{output}"
    );
}

#[test]
fn an_answer_that_comes_only_at_the_end_of_a_stream_is_shown() {
    let item = json!({"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "The Rhine.", "annotations": []}]});
    let created = json!({"type": "response.created", "response": {"id": "r", "model": "gpt-6-luna", "output": []}});
    let completed = json!({"type": "response.completed", "response": {"id": "r", "model": "gpt-6-luna", "status": "completed", "output": [item], "usage": {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5}}});
    let delta = json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "m", "delta": "The "});
    let stream = |events: &[&serde_json::Value]| {
        let lines: Vec<String> = events
            .iter()
            .map(|event| format!("data: {event}\n\n"))
            .collect();
        let lines = lines.concat();
        Reply::Answer(200, vec![], "text/event-stream", lines)
    };
    for reply in [
        stream(&[&created, &completed]),
        stream(&[&created, &delta, &completed]),
    ] {
        let project = Project::new();
        let provider = MockProvider::start(vec![reply]);
        let mut command = project.command(["agent", "Continue.", "--model", "gpt-6-luna"]);
        command.envs(provider.variables());
        let output = ProcessOutput::new(&command.output().expect("it starts")).expect_code(0);
        assert_eq!(output.stdout.matches("The Rhine.").count(), 1, "{output}");
    }
}

/// How each API says that a conversation is too long.
fn too_long(model: &str) -> Reply {
    let body = match model {
        "sonnet" => {
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 215042 tokens > 200000 maximum"}})
        }
        "gpt-6-luna" => {
            json!({"error": {"code": "context_length_exceeded", "type": "invalid_request_error", "message": "Your input exceeds the context window of this model."}})
        }
        "gemini-flash" => {
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}})
        }
        _ => {
            json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "the request exceeds the available context size"}})
        }
    };
    Reply::Answer(400, vec![], "application/json", body.to_string())
}

#[test]
fn a_conversation_that_is_too_long_becomes_shorter_and_the_work_continues() {
    for (model, _) in APIS {
        let project = Project::new();
        project.write("big.txt", "a line of a large file\n".repeat(4_000));
        let reads = || Reply::Calls(vec![("read_file", json!({"path": "big.txt"}).to_string())]);
        let provider = MockProvider::start(vec![reads(), too_long(model), Reply::Says("Read.")]);
        let report = agent(&project, &provider, model).expect_code(0).json();
        assert_eq!(report["text"], "Read.", "{model}: {report}");
        let size = |index: usize| provider.sent()[index].body.to_string().len();
        assert!(
            size(2) < size(1) / 2 + 20_000,
            "{model}: {} {}",
            size(1),
            size(2)
        );
    }
}
