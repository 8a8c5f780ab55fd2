//! Codergen nodes that are worked on by the agent: real tools in a real folder, a model on this machine.

use attractor_tests::{KEY, MockProvider, ProcessOutput, Project, Reply};
use serde_json::{Value, json};

const FIX: &str = "digraph fix {
  start [shape=Mdiamond]
  fix   [shape=box, prompt=\"Greet the world.\", model=\"MODEL\"]
  done  [shape=Msquare]
  start -> fix -> done
}
";

/// The API of each provider by a model it serves.
const MODELS: [&str; 4] = ["sonnet", "gpt-6-luna", "gemini-flash", "gpt-oss:20b"];

fn project(model: &str) -> Project {
    let project = Project::with("fix.dot", FIX.replace("MODEL", model));
    project.write("greeting.txt", "Hello.\n");
    project
}

fn run<const N: usize>(
    project: &Project,
    provider: &MockProvider,
    arguments: [&str; N],
) -> ProcessOutput {
    let mut command = project.command(arguments);
    command.envs(provider.variables());
    ProcessOutput::new(&command.output().expect("the program starts"))
}

fn call(name: &'static str, arguments: &Value) -> (&'static str, String) {
    (name, arguments.to_string())
}

fn events(output: &ProcessOutput, kind: &str) -> Vec<Value> {
    let events = output.json_lines().into_iter();
    events.filter(|event| event["type"] == kind).collect()
}

/// The first model call reads, the second one edits, the third one ends.
fn edits() -> Vec<Reply> {
    let content = json!({"path": "greeting.txt", "content": "Hello, world.\n"});
    vec![
        Reply::Calls(vec![
            call("read_file", &json!({"path": "greeting.txt"})),
            call("grep", &json!({"pattern": "Hel+o"})),
        ]),
        Reply::Calls(vec![call("write_file", &content)]),
        Reply::Says("It greets the world."),
    ]
}

#[test]
fn a_codergen_node_edits_a_file_with_the_models_of_every_provider() {
    for model in MODELS {
        let project = project(model);
        let provider = MockProvider::start(edits());
        let output = run(
            &project,
            &provider,
            ["run", "fix.dot", "--format", "events"],
        );
        assert_eq!(output.code, Some(0), "{model}: {output}");
        assert_eq!(project.read("greeting.txt"), "Hello, world.\n", "{model}");
        let sent = provider.sent();
        assert_eq!(sent.len(), 3, "{model}");
        let last = sent[2].body.to_string();
        assert!(last.contains("greeting.txt:1: Hello."), "{model}: {last}");
        assert!(
            last.contains("Successfully wrote to greeting.txt"),
            "{model}: {last}"
        );
        assert!(
            sent[0].body.to_string().contains("You are a coding agent."),
            "{model}"
        );

        let started = events(&output, "agent.tool_call_start");
        let tools: Vec<&Value> = started.iter().map(|event| &event["tool_name"]).collect();
        assert_eq!(tools, ["read_file", "grep", "write_file"], "{model}");
        assert_eq!(started[1]["arguments"]["pattern"], "Hel+o", "{model}");
        let ended = events(&output, "agent.tool_call_end");
        assert_eq!(ended[0]["output"], "     1\tHello.", "{model}");
        assert_eq!(ended[2]["is_error"], false, "{model}");

        let completed = events(&output, "stage_completed");
        let fix = completed.iter().find(|event| event["node"] == "fix");
        let fix = fix.expect("an end");
        assert_eq!(fix["usage"]["input_tokens"], 60, "{model}: {fix}");
        assert_eq!(fix["usage"]["output_tokens"], 21, "{model}");
        assert_eq!(
            fix["model"]["verification"],
            "changed `greeting.txt`, ran nothing"
        );
        assert!(!output.stdout.contains(KEY), "{model}");
    }
}
