//! `attractor mcp`: a program with a language model calls its tools; a human gate is answered by the person at the program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use attractor_tests::{Editor, Project};
use serde_json::{Value, json};

use crate::http::Served;

const GATED: &str = "digraph release {
  start [shape=Mdiamond]
  gate  [shape=hexagon, label=\"Release?\"]
  done  [shape=Msquare]
  stop  [shape=Msquare]
  start -> gate
  gate -> done [label=\"Approve\"]
  gate -> stop [label=\"Reject\"]
}
";

/// A client over standard input and output. A question of the server is answered by the person, if there is one.
struct McpClient {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    person: Option<Value>,
    asked: Vec<Value>,
    next: u64,
}

impl McpClient {
    fn start(project: &Project, person: Option<Value>) -> Self {
        let mut command = project.command(["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("it starts");
        let input = server.stdin.take().expect("its input");
        let output = BufReader::new(server.stdout.take().expect("its output"));
        let capabilities = match &person {
            Some(_) => json!({"elicitation": {}}),
            None => json!({}),
        };
        let mut client = Self {
            server,
            input,
            output,
            person,
            asked: Vec::new(),
            next: 0,
        };
        client.request(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}}),
        );
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the server reads");
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).expect("a line") > 0,
                "the server ended"
            );
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message["method"] == "elicitation/create" {
                self.asked.push(message["params"].clone());
                let result = self.person.clone().expect("a person");
                let id = message["id"].clone();
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
            } else if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Starts the pipeline, which its user has approved in their editor, and waits until its gate is open; gives the id of
    /// the run.
    fn start_gated(&mut self, project: &Project) -> String {
        Editor::approve(project, "release.dot");
        let started = self.call("run", &json!({"path": "release.dot"}));
        let run = started["structuredContent"]["id"]
            .as_str()
            .expect("an id")
            .to_owned();
        project.eventually("the gate is open", || {
            let status = self.call("status", &json!({"run": run}));
            let questions = status["structuredContent"]["questions"].as_array()?.len();
            (questions == 1).then_some(())
        });
        run
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

const COMMAND: &str = "digraph d { start [shape=Mdiamond]; t [shape=parallelogram, command=\"touch ran\"]; done [shape=Msquare]; start -> t -> done }";

#[test]
fn tools_say_what_they_do() {
    let project = Project::new();
    let mut client = McpClient::start(&project, None);
    let listed = client.request("tools/list", &json!({}));
    let tools = listed["tools"].as_array().expect("tools");
    let hints = tools.iter().map(|tool| {
        let annotations = &tool["annotations"];
        let name = tool["name"].as_str().unwrap_or_default();
        format!(
            "{name} {} {}",
            annotations["readOnlyHint"], annotations["destructiveHint"]
        )
    });
    let hints: Vec<String> = hints.collect();
    let expected = [
        "validate true null",
        "run false true",
        "status true null",
        "answer false true",
        "explain true null",
    ];
    assert_eq!(hints, expected);
    assert!(
        tools[1]["description"]
            .as_str()
            .unwrap_or_default()
            .contains("shell")
    );
}

#[test]
fn a_model_cannot_answer_a_gate() {
    let project = Project::with("release.dot", GATED);
    let mut client = McpClient::start(&project, None);
    let run = client.start_gated(&project);
    let refused = client.call("answer", &json!({"run": run, "answer": "Approve"}));
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(
        refused.to_string().contains("attractor answer"),
        "{refused}"
    );
    let status = client.call("status", &json!({"run": run}));
    let open = status["structuredContent"]["questions"]
        .as_array()
        .map(Vec::len);
    assert_eq!(open, Some(1), "{status}");
}

#[test]
fn the_person_at_the_client_answers_a_gate() {
    let project = Project::with("release.dot", GATED);
    let person = json!({"action": "accept", "content": {"answer": "Reject"}});
    let mut client = McpClient::start(&project, Some(person));
    let run = client.start_gated(&project);
    // What the model proposes counts for nothing.
    let answered = client.call("answer", &json!({"run": run, "answer": "Approve"}));
    assert_eq!(
        answered["structuredContent"]["accepted"], true,
        "{answered}"
    );
    let asked = &client.asked[0];
    assert_eq!(asked["message"], "Release?");
    let choices = &asked["requestedSchema"]["properties"]["answer"]["enum"];
    assert_eq!(choices, &json!(["Approve", "Reject"]), "{asked}");
    let events = project.eventually("the run has ended", || {
        let events = project.run(["runs", "events"]).json_lines();
        let is_end = |event: &Value| event["type"] == "pipeline_completed";
        events.iter().any(is_end).then_some(events)
    });
    let answer = events
        .iter()
        .find(|event| event["type"] == "interview_completed");
    let answer = answer.expect("an answer");
    assert_eq!(
        (&answer["answer"], &answer["by"]),
        (&json!("Reject"), &json!("mcp"))
    );
}

#[test]
fn a_person_who_dismisses_the_question_leaves_it_open() {
    let project = Project::with("release.dot", GATED);
    let mut client = McpClient::start(&project, Some(json!({"action": "decline"})));
    let run = client.start_gated(&project);
    let declined = client.call("answer", &json!({"run": run}));
    assert_eq!(declined["isError"], true, "{declined}");
    assert!(declined.to_string().contains("stays open"), "{declined}");
}

#[test]
fn a_model_cannot_approve_what_a_file_runs() {
    let project = Project::with("release.dot", COMMAND);
    let mut client = McpClient::start(&project, None);
    let refused = client.call("run", &json!({"path": "release.dot"}));
    assert_eq!(refused["isError"], true, "{refused}");
    for way in [
        "Always for this version",
        "attractor run release.dot",
        "page",
    ] {
        assert!(refused.to_string().contains(way), "{refused}");
    }
    let served = Served::start(&project);
    let ask = "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{\"path\": \"release.dot\"}' $URL/pipelines";
    let shown: Value = serde_json::from_str(&served.script(&project, ask)).expect("JSON");
    let approve = json!({"path": "release.dot", "approve": shown["digest"]});
    let refused = client.call("run", &approve);
    assert!(
        refused.to_string().contains("a person approves"),
        "{refused}"
    );
    assert!(!project.file("ran").exists());
    Editor::approve(&project, "release.dot");
    let started = client.call("run", &json!({"path": "release.dot"}));
    assert!(started["structuredContent"]["id"].is_string(), "{started}");
    project.eventually("it has run", || project.file("ran").exists().then_some(()));
}

#[test]
fn the_person_at_the_client_approves_what_a_file_runs() {
    let project = Project::with("release.dot", COMMAND);
    for person in [
        json!({"action": "decline"}),
        json!({"action": "accept", "content": {"decision": "Do not run"}}),
    ] {
        let mut client = McpClient::start(&project, Some(person));
        let refused = client.call("run", &json!({"path": "release.dot"}));
        assert!(refused.to_string().contains("did not approve"), "{refused}");
    }
    assert!(!project.file("ran").exists());
    let person = json!({"action": "accept", "content": {"decision": "Run once"}});
    let mut client = McpClient::start(&project, Some(person));
    for _ in 0..2 {
        let started = client.call("run", &json!({"path": "release.dot"}));
        assert!(started["structuredContent"]["id"].is_string(), "{started}");
    }
    // An approval is of one run, so the person was asked twice.
    assert_eq!(client.asked.len(), 2);
    let asked = &client.asked[0];
    assert!(
        asked["message"].to_string().contains("touch ran"),
        "{asked}"
    );
    let decision = &asked["requestedSchema"]["properties"]["decision"];
    assert_eq!(decision["default"], "Do not run", "{asked}");
    project.eventually("it has run", || project.file("ran").exists().then_some(()));
}

#[test]
fn the_configuration_refuses_commands_of_texts_and_files() {
    let dot = COMMAND;
    let project = Project::with("release.dot", dot);
    project.write(
        ".config/attractor/config.toml",
        "[serve]\nallow = [\"prompt\"]\n",
    );
    let mut client = McpClient::start(&project, None);
    for arguments in [json!({"dot": dot}), json!({"path": "release.dot"})] {
        let refused = client.call("run", &arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(refused.to_string().contains("serve.allow"), "{refused}");
    }
    assert!(!project.file("ran").exists());
}
