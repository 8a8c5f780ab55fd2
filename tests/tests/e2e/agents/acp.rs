//! `attractor acp` against a client that speaks lines of JSON, and against the official client.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use attractor_tests::{
    KEY, MockProvider, ProcessOutput, Project, Reply, program, repository, skip,
};
use serde_json::{Value, json};

use super::call;

const PERMISSIONS: &str = "[agent.permissions]\n\"write(*.lock)\" = \"ask\"\n";

fn project() -> Project {
    let project = Project::with(".config/attractor/config.toml", PERMISSIONS);
    project.write("greeting.txt", "Hello.\n");
    project
}

/// A client of the program: requests and what comes back before their answers.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
    /// What the program sent besides answers.
    seen: Vec<Value>,
}

impl Client {
    fn start(project: &Project, provider: &MockProvider) -> Self {
        let mut command = project.command(["acp", "--model", "sonnet"]);
        command.envs(provider.variables());
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = Self {
            child,
            input,
            output,
            next: 1,
            seen: Vec::new(),
        };
        let answer = client.request(
            "initialize",
            &json!({"protocolVersion": 1, "clientCapabilities": {"elicitation": {"form": {}}}}),
        );
        assert_eq!(answer["protocolVersion"], 1, "{answer}");
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the program reads");
    }

    /// Sends a request; gives its id.
    fn begin(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The next message.
    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .expect("the program writes");
        assert!(!line.contains(KEY), "{line}");
        serde_json::from_str(&line).unwrap_or_else(|_| unreachable!("not JSON: {line}"))
    }

    /// Waits for the answer to a request; questions of the program are answered on the way.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            let reply = match message["method"].as_str() {
                Some("session/request_permission") => {
                    let options = message["params"]["options"].as_array().expect("options");
                    let mut options = options.iter();
                    let once = options.find(|option| option["kind"] == "allow_once");
                    let id = &once.expect("an option")["optionId"];
                    Some(json!({"outcome": {"outcome": "selected", "optionId": id}}))
                }
                Some("elicitation/create") => {
                    Some(json!({"action": "accept", "content": {"answer": "blue"}}))
                }
                _ => None,
            };
            if let Some(result) = reply {
                let id = &message["id"];
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
            }
            self.seen.push(message);
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The updates so far, of this kind.
    fn updates(&self, kind: &str) -> Vec<&Value> {
        let updates = self.seen.iter().map(|message| &message["params"]["update"]);
        updates
            .filter(|update| update["sessionUpdate"] == kind)
            .collect()
    }

    /// Closes the input, and waits for the end.
    fn end(self) {
        let Self {
            mut child, input, ..
        } = self;
        drop(input);
        assert!(child.wait().expect("an end").success());
    }
}

fn prompt(session: &str, text: &str) -> Value {
    json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
}

/// Calls tools, one of which needs a permission, and asks a question.
fn works() -> Vec<Reply> {
    let lock = json!({"path": "Cargo.lock", "content": "x"});
    let edit = json!({"path": "greeting.txt", "old_string": "Hello", "new_string": "Salve"});
    let question = json!({"question": "Which colour?", "options": ["red", "blue"]});
    vec![
        Reply::Calls(vec![call("edit_file", &edit)]),
        Reply::Calls(vec![call("write_file", &lock)]),
        Reply::Calls(vec![call("ask_user", &question)]),
        Reply::Says("It is done."),
        Reply::Hangs("I think about"),
        Reply::Says("Hello again."),
    ]
}

#[test]
fn a_client_works_with_a_session_cancels_it_and_opens_it_again() {
    let project = project();
    let provider = MockProvider::start(works());
    let folder = project.path().display().to_string();
    let mut client = Client::start(&project, &provider);
    let new = json!({"cwd": folder, "mcpServers": []});
    let created = client.request("session/new", &new);
    let session = created["sessionId"].as_str().expect("an id").to_owned();
    let done = client.request("session/prompt", &prompt(&session, "Greet in Latin."));
    assert_eq!(done["stopReason"], "end_turn");
    assert_eq!(project.read("greeting.txt"), "Salve.\n");
    assert_eq!(project.read("Cargo.lock"), "x");
    let calls = client.updates("tool_call");
    let titles: Vec<&str> = calls
        .iter()
        .filter_map(|call| call["title"].as_str())
        .collect();
    let expected = [
        "edit_file greeting.txt",
        "write_file Cargo.lock",
        "ask_user Which colour?",
    ];
    assert_eq!(titles, expected);
    let updates = client.updates("tool_call_update");
    let diff = updates
        .iter()
        .find(|update| update["content"][0]["type"] == "diff");
    let diff = &diff.expect("a diff")["content"][0];
    assert_eq!(
        (&diff["oldText"], &diff["newText"]),
        (&json!("Hello.\n"), &json!("Salve.\n"))
    );
    let text: String = client
        .updates("agent_message_chunk")
        .iter()
        .filter_map(|update| update["content"]["text"].as_str())
        .collect();
    assert_eq!(text, "It is done.");
    let answered = provider.sent()[3].body.to_string();
    assert!(answered.contains("\"text\":\"blue\""), "{answered}");

    // Slash commands do without the model.
    let commands = client.updates("available_commands_update");
    assert_eq!(
        commands[0]["availableCommands"][1]["name"], "undo",
        "{commands:?}"
    );
    for (command, expected) in [
        ("/diff", "-Hello.\n+Salve.\n"),
        ("/undo file greeting.txt", "reverted greeting.txt"),
        ("/undo file greeting.txt", "Not undone: nothing to undo."),
    ] {
        client.request("session/prompt", &prompt(&session, command));
        let said = client.updates("agent_message_chunk");
        let last = said.last().expect("an answer")["content"]["text"].to_string();
        assert!(
            last.contains(&expected.replace('\n', "\\n")),
            "{command}: {last}"
        );
    }
    assert_eq!(project.read("greeting.txt"), "Hello.\n");
    assert_eq!(provider.sent().len(), 4);

    let id = client.begin("session/prompt", &prompt(&session, "Think."));
    let busy = client.begin("session/prompt", &prompt(&session, "And this."));
    let refused = client.answer(busy);
    let reason = refused["error"]["message"].as_str().expect("a reason");
    assert!(reason.contains("works on another prompt"), "{refused}");
    project.eventually("the model is called", || {
        (provider.sent().len() == 5).then_some(())
    });
    client.send(
        &json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}),
    );
    assert_eq!(client.answer(id)["result"]["stopReason"], "cancelled");
    provider.hang_up();
    client.end();

    let mut client = Client::start(&project, &provider);
    let listed = client.request("session/list", &json!({"cwd": folder}));
    assert_eq!(
        listed["sessions"][0]["sessionId"],
        session.as_str(),
        "{listed}"
    );
    let load = json!({"sessionId": session, "cwd": folder, "mcpServers": []});
    client.request("session/load", &load);
    let said = client.updates("user_message_chunk");
    assert_eq!(said[0]["content"]["text"], "Greet in Latin.", "{said:?}");
    assert_eq!(client.updates("tool_call").len(), 3);
    let done = client.request("session/prompt", &prompt(&session, "Hello?"));
    assert_eq!(done["stopReason"], "end_turn");
    client.end();
}

#[test]
fn requests_that_cannot_be_followed_are_refused_with_a_reason() {
    let project = project();
    let provider = MockProvider::start(vec![Reply::Says("Done.")]);
    let mut client = Client::start(&project, &provider);
    let folder = project.path().display().to_string();
    let cases = [
        (
            "session/new",
            json!({"cwd": "relative", "mcpServers": []}),
            "expected the absolute path",
        ),
        (
            "session/load",
            json!({"sessionId": "nope", "cwd": folder, "mcpServers": []}),
            "unknown session `nope`",
        ),
        (
            "session/prompt",
            prompt("nope", "Hello."),
            "unknown session `nope`",
        ),
    ];
    for (method, params, expected) in cases {
        let id = client.begin(method, &params);
        let answer = client.answer(id);
        let reason = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(reason.contains(expected), "{method}: {answer}");
    }
    let id = client.begin("session/unheard_of", &json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    client.end();
}

/// The folder of the official SDK, where it is installed.
pub(super) fn sdk(test: &str) -> Option<PathBuf> {
    let cache = std::env::var_os("ATTRACTOR_TEST_CACHE").map(PathBuf::from);
    let home = || {
        std::env::home_dir()
            .unwrap_or_default()
            .join(".cache/attractor-tests")
    };
    let cache = cache.unwrap_or_else(home);
    let folder = cache.join("agent-parts/node_modules/@agentclientprotocol/sdk");
    let has_node = Command::new("node").arg("--version").output().is_ok();
    if !folder.is_dir() || !has_node {
        skip(test, "Node.js or @agentclientprotocol/sdk is not installed");
        return None;
    }
    Some(folder)
}

#[test]
fn the_official_client_works_with_a_session() {
    let Some(sdk) = sdk("the official client of the Agent Client Protocol") else {
        return;
    };
    let project = project();
    let lock = json!({"path": "Cargo.lock", "content": "x"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("write_file", &lock)]),
        Reply::Says("It is done."),
        Reply::Hangs("I think about"),
    ]);
    let mut command = Command::new("node");
    command.arg(repository().join("tests/acp/client.mjs"));
    command.arg(sdk).arg(project.path()).arg(program());
    command.args(["acp", "--model", "sonnet"]);
    command
        .env("HOME", project.path())
        .envs(provider.variables());
    let output = ProcessOutput::new(&command.output().expect("node starts")).expect_code(0);
    let report = output.json();
    let first = &report["first"];
    assert_eq!(
        first["initialized"]["agentInfo"]["name"], "attractor",
        "{report}"
    );
    assert_eq!(first["done"]["stopReason"], "end_turn");
    assert_eq!(first["cancelled"]["stopReason"], "cancelled");
    assert_eq!(first["sessions"][0]["sessionId"], first["sessionId"]);
    assert_eq!(
        first["permissions"].as_array().map(Vec::len),
        Some(1),
        "{report}"
    );
    assert_eq!(first["code"], 0);
    assert_eq!(project.read("Cargo.lock"), "x");
    let again = &report["again"];
    assert_eq!(
        again["updates"][0]["sessionUpdate"], "user_message_chunk",
        "{report}"
    );
    assert!(
        again["refused"].to_string().contains("unknown session"),
        "{report}"
    );
}

#[test]
fn tools_read_and_write_the_texts_of_the_editor() {
    let Some(sdk) = sdk("the files of a client of the Agent Client Protocol") else {
        return;
    };
    let project = project();
    let edit =
        json!({"path": "greeting.txt", "old_string": "the buffer", "new_string": "the world"});
    let outside = json!({"path": "/etc/hostname"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![
            call("read_file", &json!({"path": "greeting.txt"})),
            call("read_file", &outside),
        ]),
        Reply::Calls(vec![call("edit_file", &edit)]),
        Reply::Says("It is done."),
    ]);
    let mut command = Command::new("node");
    command.arg(repository().join("tests/acp/files.mjs"));
    command.arg(sdk).arg(project.path()).arg(program());
    command.args(["acp", "--model", "sonnet"]);
    command
        .env("HOME", project.path())
        .envs(provider.variables());
    let output = ProcessOutput::new(&command.output().expect("node starts")).expect_code(0);
    let report = output.json();
    assert_eq!(report["done"]["stopReason"], "end_turn", "{report}");
    let sent = provider.sent();
    let after_reading = sent[1].body.to_string();
    assert!(
        after_reading.contains("Hello from the buffer."),
        "{after_reading}"
    );
    // The client is asked about files of the folder only, and writes what it has.
    let requests = report["requests"].as_array().expect("requests");
    let file = project
        .path()
        .canonicalize()
        .expect("the folder")
        .join("greeting.txt");
    let file = file.display().to_string();
    let is_of_file = |request: &Value| request["read"] == *file || request["write"] == *file;
    assert!(requests.iter().all(is_of_file), "{report}");
    let written = requests
        .iter()
        .find(|request| request.get("write").is_some());
    assert_eq!(
        written.expect("a change")["content"],
        "Hello from the world.\n",
        "{report}"
    );
    assert_eq!(report["stored"], "Hello from the world.\n");
    assert_eq!(project.read("greeting.txt"), "Hello from the world.\n");
}

/// A node whose agent is another program.
const DRIVES: &str = "digraph fix {
  start [shape=Mdiamond]
  fix   [shape=box, prompt=\"PROMPT\", backend=acp, acp_agent=other]
  done  [shape=Msquare]
  start -> fix -> done
}
";

/// A project whose node is worked on by this program.
fn driven(prompt: &str, command: &[String]) -> Project {
    let project = Project::with("fix.dot", DRIVES.replace("PROMPT", prompt));
    let agent =
        format!("[acp.other]\ncommand = {command:?}\nenv_variables = [\"ANTHROPIC_API_KEY\"]\n");
    project.write(
        ".config/attractor/config.toml",
        [PERMISSIONS, &agent].concat(),
    );
    project
}

/// Runs the pipeline in a terminal, and answers the question for permission.
fn answered(project: &Project, provider: &MockProvider, answer: &str) -> ProcessOutput {
    let mut command = project.other_command("script");
    let line = format!("{} run fix.dot -v", program().display());
    command.args(["-qec", &line, "/dev/null"]);
    command.envs(provider.variables());
    let running = project.start_other(command);
    let run = project.eventually("a question is open", || {
        let list = project.run(["runs", "--format", "json"]).json();
        let first = &list["runs"][0];
        (first["state"] == "waiting").then(|| first["run"].as_str().unwrap_or_default().to_owned())
    });
    project.run(["answer", &run, answer]).expect_code(0);
    running.end()
}

#[test]
fn a_node_is_worked_on_by_our_own_agent_over_the_protocol() {
    let program = program().display().to_string();
    let command = [&program, "acp", "--model", "sonnet"].map(str::to_owned);
    let project = driven("Greet.", &command);
    let lock = json!({"path": "Cargo.lock", "content": "x"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("write_file", &lock)]),
        Reply::Says("It is done."),
    ]);
    answered(&project, &provider, "Allow once").expect_code(0);
    assert_eq!(project.read("Cargo.lock"), "x");
    let events = project.run(["runs", "events"]).expect_code(0).json_lines();
    let of_type = |kind: &str| events.iter().find(|event| event["type"] == kind);
    let called = of_type("agent.tool_call_start").expect("a call");
    assert_eq!(called["tool_name"], "write_file");
    let ended = of_type("agent.tool_call_end").expect("its end");
    assert_eq!(ended["is_error"], false);
    let completed = events
        .iter()
        .filter(|event| event["type"] == "stage_completed");
    let models: Vec<&Value> = completed.map(|event| &event["model"]["backend"]).collect();
    assert!(models.contains(&&json!("acp")), "{events:?}");
}

#[test]
fn a_node_is_worked_on_by_an_agent_of_the_official_sdk() {
    let Some(sdk) = sdk("an agent of the official SDK of the Agent Client Protocol") else {
        return;
    };
    let script = repository()
        .join("tests/acp/agent.mjs")
        .display()
        .to_string();
    let command = ["node".to_owned(), script, sdk.display().to_string()];
    let provider = MockProvider::start(Vec::new());
    let project = driven("Hello there.", &command);
    let output = answered(&project, &provider, "Allow").expect_code(0);
    assert_eq!(project.read("written.txt"), "Hello there.\n");
    let answer = "/etc/passwd is refused.";
    assert!(output.stdout.contains(answer), "{output}");

    // Nobody can be asked.
    let project = driven("Hello there.", &command);
    let output = project
        .run(["run", "fix.dot", "--format", "json"])
        .expect_code(0);
    assert_eq!(
        output.json()["context"]["response.fix"],
        "It was not allowed."
    );
    assert!(!project.file("written.txt").exists());
}

#[test]
fn an_agent_that_ends_or_is_missing_fails_its_node_with_the_reason() {
    let cases = [
        (
            vec!["sh", "-c", "echo no licence >&2; exit 3"],
            "no licence",
        ),
        (vec!["no-such-agent"], "`no-such-agent` is not in PATH"),
        (
            vec!["sh", "-c", "echo not the protocol"],
            "the agent `other` failed",
        ),
    ];
    for (command, expected) in cases {
        let command: Vec<String> = command.into_iter().map(str::to_owned).collect();
        let project = driven("Greet.", &command);
        let output = project
            .run(["run", "fix.dot", "--format", "json"])
            .expect_code(1);
        let reason = output.json()["failure"]["reason"].to_string();
        assert!(reason.contains(expected), "{command:?}: {reason}");
    }
}
