//! Tools over servers that play a part, and over those that are installed.

mod installed;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use expect_test::expect;
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use super::connection::Streams;
use super::*;
use crate::tools::add_language_tools;
use crate::tools::tests::Fixture;

/// How the server in a test behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Behaviour {
    /// Reports an error for each line with `BAD`, and answers.
    Works,
    /// Never answers a question.
    Hangs,
    /// Does not answer the handshake.
    HangsAtStart,
    /// Ends at the first question.
    Dies,
    /// Publishes without end at the first question.
    Floods,
    /// Writes no messages.
    Chats,
    /// Finds nothing until its work has ended.
    Indexes,
}

struct Stub {
    behaviour: Behaviour,
    input: BufReader<ReadHalf<DuplexStream>>,
    output: WriteHalf<DuplexStream>,
    questions: u32,
}

impl Stub {
    async fn run(mut self) {
        if self.behaviour == Behaviour::Chats {
            self.output.write_all(b"Welcome!\n").await.unwrap();
        }
        while let Ok(Some((message, _))) = framing::read(&mut self.input).await {
            if self.take(&message).await.is_none() {
                return;
            }
        }
    }

    /// Nothing when it ends.
    async fn take(&mut self, message: &Value) -> Option<()> {
        let method = message["method"].as_str().unwrap_or_default();
        let document = &message["params"]["textDocument"];
        match method {
            "initialize" if self.behaviour == Behaviour::HangsAtStart => Some(()),
            "initialize" => self.answer(message, json!({"capabilities": {}})).await,
            "textDocument/didOpen" => self.publish(document, &document["text"]).await,
            "textDocument/didChange" => {
                let text = &message["params"]["contentChanges"][0]["text"];
                self.publish(document, text).await
            }
            _ if message["id"].is_null() => Some(()),
            _ => self.question(method, message).await,
        }
    }

    async fn question(&mut self, method: &str, message: &Value) -> Option<()> {
        self.questions += 1;
        match self.behaviour {
            Behaviour::Hangs => return Some(()),
            Behaviour::Dies => return None,
            Behaviour::Floods => {
                let notification = json!({"method": "window/logMessage", "params": {}});
                loop {
                    self.send(&notification).await?;
                }
            }
            Behaviour::Indexes if self.questions == 1 => {
                let progress = |kind| json!({"method": "$/progress", "params": {"token": 1, "value": {"kind": kind}}});
                self.send(&progress("begin")).await?;
                self.answer(message, json!([])).await?;
                tokio::time::sleep(std::time::Duration::from_secs(20)).await;
                return self.send(&progress("end")).await;
            }
            _ => {}
        }
        let uri = &message["params"]["textDocument"]["uri"];
        let start = json!({"line": 0, "character": 3});
        let place = json!({"uri": uri, "range": {"start": start, "end": start}});
        let outside = json!({"uri": "file:///etc/passwd", "range": {"start": start, "end": start}});
        let answer = match method {
            "textDocument/definition" => place,
            "textDocument/references" => json!([place, outside]),
            "textDocument/hover" => {
                json!({"contents": {"kind": "plaintext", "value": message["params"]["position"].to_string()}})
            }
            _ => json!({"items": [{"label": "run", "detail": "fn()"}]}),
        };
        self.answer(message, answer).await
    }

    async fn publish(&mut self, document: &Value, text: &Value) -> Option<()> {
        let lines = text.as_str().unwrap_or_default().lines().enumerate();
        let problem = |line: usize, text: &str| {
            json!({
                "range": {"start": {"line": line, "character": 0}},
                "severity": 1, "code": "E1", "message": format!("bad: {text}"),
            })
        };
        let list: Vec<Value> = lines
            .filter(|(_, text)| text.contains("BAD"))
            .map(|(line, text)| problem(line, text))
            .collect();
        let params =
            json!({"uri": document["uri"], "version": document["version"], "diagnostics": list});
        self.send(&json!({"method": "textDocument/publishDiagnostics", "params": params}))
            .await
    }

    async fn answer(&mut self, message: &Value, result: Value) -> Option<()> {
        self.send(&json!({"id": message["id"], "result": result}))
            .await
    }

    async fn send(&mut self, message: &Value) -> Option<()> {
        self.output.write_all(&framing::encode(message)).await.ok()
    }
}

/// A project with a server, and how often the server was started.
struct Project {
    fixture: Fixture,
    servers: Arc<LanguageServers>,
    starts: Arc<AtomicU32>,
}

fn project(behaviour: Behaviour, trust: FolderTrust) -> Project {
    let mut fixture = Fixture::new(&[
        ("a.rs", "fn run() {}\nBAD one\nrun();\n"),
        ("Cargo.toml", ""),
    ]);
    let starts = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&starts);
    let launch = move |_: &ServerDefinition, _: &std::path::Path| {
        counted.fetch_add(1, Ordering::Relaxed);
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(far);
        let stub = Stub {
            behaviour,
            input: BufReader::new(input),
            output,
            questions: 0,
        };
        tokio::spawn(stub.run());
        let (output, input) = tokio::io::split(near);
        let streams = Streams {
            input: Box::new(input),
            output: Box::new(output),
        };
        Ok((streams, None))
    };
    let workspace = fixture.context.workspace.clone();
    let servers =
        LanguageServers::with_launcher(workspace, trust, built_in_servers(), Box::new(launch));
    let servers = Arc::new(servers);
    add_language_tools(&mut fixture.tools, &servers);
    Project {
        fixture,
        servers,
        starts,
    }
}

impl Project {
    async fn call(&self, tool: &str, arguments: Value) -> String {
        self.fixture.call(tool, arguments).await
    }

    async fn hover(&self) -> String {
        self.call("get_hover", json!({"path": "a.rs", "line": 1}))
            .await
    }
}

#[tokio::test(start_paused = true)]
async fn questions_about_a_place_are_answered() {
    let one = project(Behaviour::Works, FolderTrust::Trusted);
    let mut results = Vec::new();
    for (tool, arguments) in [
        (
            "get_definition",
            json!({"file": "a.rs", "line": 3, "symbol": "run"}),
        ),
        (
            "get_references",
            json!({"path": "a.rs", "line": 1, "column": 4}),
        ),
        (
            "get_hover",
            json!({"path": "a.rs", "line": 1, "symbol": "run"}),
        ),
        ("get_completions", json!({"path": "a.rs", "line": 3})),
        ("get_diagnostics", json!({"path": "a.rs"})),
        ("get_hover", json!({"path": "a.rs", "line": 9})),
        ("get_hover", json!({"path": "nowhere.rs", "line": 1})),
        ("get_hover", json!({"path": "../a.rs", "line": 1})),
        ("get_hover", json!({"path": "a.txt", "line": 1})),
        ("get_hover", json!({"path": "a.go", "line": 1})),
    ] {
        results.push(one.call(tool, arguments).await);
    }
    expect![[r#"
        a.rs:1:4: fn run() {}
        a.rs:1:4: fn run() {}
        /etc/passwd:1:4
        {"line":0,"character":3}
        run: fn()
        2:1: error[E1]: bad: BAD one
        error: there is no line 9: the file has 3
        error: file not found: `nowhere.rs`
        error: `../a.rs` is outside the working folder ROOT; use a path inside it
        error: no language server is known for `a.txt`
        error: gopls needs go.mod in a folder of the project, which does not exist"#]]
    .assert_eq(&results.join("\n"));
    assert_eq!(one.starts.load(Ordering::Relaxed), 1);
    assert_eq!(one.servers.status()[0].state, "running");
}

#[tokio::test(start_paused = true)]
async fn an_edit_reports_new_problems_only() {
    let one = project(Behaviour::Works, FolderTrust::Trusted);
    let edit =
        json!({"path": "a.rs", "old_string": "fn run() {}\n", "new_string": "// x\nBAD two\n"});
    expect![[r#"
        Successfully edited a.rs
        New problems in a.rs since this change:
        2:1: error[E1]: bad: BAD two"#]]
    .assert_eq(&one.call("edit_file", edit).await);
    let edit = json!({"path": "a.rs", "old_string": "// x\n", "new_string": "// y\n\n"});
    assert_eq!(
        one.call("edit_file", edit).await,
        "Successfully edited a.rs"
    );
    let create = json!({"path": "new.rs", "content": "BAD\n"});
    let created = one.call("write_file", create).await;
    assert!(
        created.ends_with("New problems in new.rs since this change:\n1:1: error[E1]: bad: BAD"),
        "{created}"
    );
    let text = json!({"path": "a.txt", "content": "BAD\n"});
    assert_eq!(
        one.call("write_file", text).await,
        "Successfully wrote to a.txt"
    );
}

#[tokio::test(start_paused = true)]
async fn servers_that_do_not_work_are_clear_results() {
    for (behaviour, expected) in [
        (
            Behaviour::Hangs,
            "error: rust-analyzer did not answer within 20 seconds",
        ),
        (
            Behaviour::HangsAtStart,
            "error: rust-analyzer did not answer within 30 seconds",
        ),
        (Behaviour::Dies, "error: rust-analyzer failed: it ended"),
        (
            Behaviour::Floods,
            "error: rust-analyzer failed: it sends more messages than can be read",
        ),
        (
            Behaviour::Chats,
            "error: rust-analyzer failed: it wrote `Welcome!` instead of a header",
        ),
    ] {
        let one = project(behaviour, FolderTrust::Trusted);
        assert_eq!(one.hover().await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_is_started_again_a_few_times() {
    let one = project(Behaviour::Dies, FolderTrust::Trusted);
    for _ in 0..10 {
        assert_eq!(one.hover().await, "error: rust-analyzer failed: it ended");
    }
    assert_eq!(one.starts.load(Ordering::Relaxed), 3);
    assert_eq!(
        one.servers.status()[0].state,
        "rust-analyzer failed: it ended"
    );
}

#[tokio::test(start_paused = true)]
async fn an_edit_waits_five_seconds_at_most_for_a_server() {
    for behaviour in [Behaviour::HangsAtStart, Behaviour::Chats, Behaviour::Dies] {
        let one = project(behaviour, FolderTrust::Trusted);
        let begun = tokio::time::Instant::now();
        let edit = json!({"path": "a.rs", "old_string": "fn run", "new_string": "BAD"});
        let result = one.call("edit_file", edit).await;
        assert!(result.starts_with("Successfully edited a.rs"), "{result}");
        assert!(begun.elapsed().as_secs_f64() <= 5.0);
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_answer_is_asked_again_when_the_project_has_been_read() {
    let one = project(Behaviour::Indexes, FolderTrust::Trusted);
    let found = one
        .call("get_definition", json!({"path": "a.rs", "line": 3}))
        .await;
    assert_eq!(found, "a.rs:1:4: fn run() {}");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_started_in_a_folder_that_is_not_trusted() {
    let one = project(Behaviour::Works, FolderTrust::Untrusted);
    assert_eq!(
        one.hover().await,
        "error: language servers are not started in a folder that is not trusted"
    );
    let edit = json!({"path": "a.rs", "old_string": "fn run", "new_string": "BAD"});
    assert_eq!(
        one.call("edit_file", edit).await,
        "Successfully edited a.rs"
    );
    assert_eq!(one.starts.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_server_that_is_not_installed_is_named() {
    let fixture = Fixture::new(&[("main.go", "package main\n"), ("go.mod", "module x\n")]);
    let mut server = built_in_servers().remove(3);
    server.command = vec!["no-such-language-server".to_owned()];
    let launch = |server: &ServerDefinition, folder: &std::path::Path| {
        let job = attractor_exec::Job {
            argv: server.command.clone(),
            directory: folder.to_owned(),
            ..attractor_exec::Job::default()
        };
        attractor_exec::Service::start(job).map(|(service, pipes)| {
            let streams = Streams {
                input: Box::new(pipes.stdin),
                output: Box::new(pipes.stdout),
            };
            (streams, Some(service))
        })
    };
    let workspace = fixture.context.workspace.clone();
    let servers = LanguageServers::with_launcher(
        workspace,
        FolderTrust::Trusted,
        vec![server],
        Box::new(launch),
    );
    let error = servers
        .diagnostics(std::path::Path::new("main.go"))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "gopls cannot be started: `no-such-language-server` is not installed"
    );
}
