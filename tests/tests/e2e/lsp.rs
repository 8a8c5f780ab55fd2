//! The language server as an editor meets it: the real process, real pipes, and everything that can be
//! wrong with what comes through them.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use attractor_tests::{Editor, Project};
use serde_json::{Value, json};

const TOOL: &str = r#"digraph it {
  start [shape=Mdiamond]
  work [type=tool, command="COMMAND"]
  done [shape=Msquare]
  start -> work -> done
}
"#;

fn uri(project: &Project, name: &str) -> String {
    format!("file://{}", project.file(name).display())
}

fn drawing() -> Value {
    json!({ "experimental": { "attractor": { "events": true, "humanGate": true, "runState": true } } })
}

/// A project with a pipeline that runs one command, open and trusted.
fn running(command: &str) -> (Project, Editor, String) {
    let text = TOOL.replace("COMMAND", command);
    let project = Project::with("it.dot", &text);
    let mut editor = Editor::open(&project, &drawing());
    let uri = uri(&project, "it.dot");
    editor.did_open(&uri, &text);
    let trust = json!({ "uri": uri, "decision": "version" });
    editor.command("attractor.trust", &trust).expect("trusted");
    editor
        .command("attractor.run", &json!({ "uri": uri }))
        .expect("it starts");
    let at_work = |params: &Value| params["nodes"]["work"]["state"] == "running";
    editor.notification("attractor/runState", at_work);
    (project, editor, uri)
}

/// Whether the process that wrote its id into a file still lives.
fn lives(pid_file: &Path) -> bool {
    let id = std::fs::read_to_string(pid_file).unwrap_or_default();
    let alive = Command::new("kill").args(["-0", id.trim()]).output();
    !id.trim().is_empty() && alive.is_ok_and(|output| output.status.success())
}

fn eventually(what: &str, condition: impl Fn() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "{what} never happened"
        );
        std::thread::yield_now();
    }
}

#[test]
fn open_publishes_and_close_clears_diagnostics() {
    let project = Project::with("it.dot", "digraph { a -> }");
    let mut editor = Editor::open(&project, &json!({}));
    let uri = uri(&project, "it.dot");
    editor.did_open(&uri, "digraph { a -> }");
    assert!(
        editor
            .diagnostics(&uri, 1)
            .iter()
            .any(|item| item["code"] == "syntax")
    );
    editor.types(&uri, 2, 0, 14, " b");
    assert!(
        !editor
            .diagnostics(&uri, 2)
            .iter()
            .any(|item| item["code"] == "syntax")
    );
    assert!(editor.leave().success());
}

#[test]
fn garbage_on_the_wire_is_survived() {
    let project = Project::new();
    let mut editor = Editor::open(&project, &json!({}));
    let noise: Vec<u8> = (0..=255_u8).cycle().take(100_000).collect();
    editor.write(&noise);
    editor.write(b"\r\n\r\nContent-Length: -5\r\n\r\nContent-Length: 7\r\n\r\n{\"a\":[}");
    editor.write(b"Content-Length: 6\r\n\r\n[1, 2]");
    editor.did_open("untitled:one", "digraph { a -> b }");
    assert_eq!(editor.diagnostics("untitled:one", 1).len(), 0);
    assert!(editor.leave().success());
}

#[test]
fn server_answers_while_parsing_ten_megabytes() {
    let project = Project::new();
    let mut editor = Editor::open(&project, &json!({}));
    let line = "  some_node_name [label=\"a label of some length\", shape=box]\n";
    let text = format!("graph g {{\n{}}}\n", line.repeat(10_000_000 / line.len()));
    editor.did_open("untitled:large", &text);
    editor.did_open("untitled:small", "digraph { a -> }");
    assert_eq!(editor.diagnostics("untitled:small", 1)[0]["code"], "syntax");
    editor.diagnostics("untitled:large", 1);
    assert!(editor.leave().success());
}

#[test]
fn hostile_text_gives_diagnostics() {
    let project = Project::new();
    let mut editor = Editor::open(&project, &json!({}));
    let texts = [
        "{".repeat(100_000),
        "digraph {".to_owned() + &"subgraph {".repeat(20_000),
        "\u{0}\u{1}\u{7f}\u{feff}".repeat(1_000),
        "digraph { a [label=\"".repeat(500),
        String::new(),
        "🦀".repeat(10_000),
    ];
    for (number, text) in texts.iter().enumerate() {
        let uri = format!("untitled:bad-{number}");
        editor.did_open(&uri, text);
        editor.diagnostics(&uri, 1);
        let about =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 3 } });
        for method in [
            "hover",
            "completion",
            "documentSymbol",
            "foldingRange",
            "semanticTokens/full",
            "codeLens",
        ] {
            editor
                .request(&format!("textDocument/{method}"), about.clone())
                .expect(method);
        }
    }
    assert!(editor.leave().success());
}

#[test]
fn file_deleted_while_open_stays_usable() {
    let text = TOOL.replace("COMMAND", "echo ran > ran.txt");
    let project = Project::with("folder/it.dot", &text);
    let mut editor = Editor::open(&project, &drawing());
    let uri = uri(&project, "folder/it.dot");
    editor.did_open(&uri, &text);
    std::fs::remove_dir_all(project.file("folder")).expect("deleted");
    let about = json!({ "textDocument": { "uri": uri } });
    assert!(
        editor
            .request("textDocument/documentSymbol", about)
            .expect("an outline")
            .is_array()
    );
    editor
        .command(
            "attractor.trust",
            &json!({ "uri": uri, "decision": "version" }),
        )
        .expect("trusted");
    editor
        .command("attractor.run", &json!({ "uri": uri }))
        .expect("what the editor holds runs");
    editor.notification("attractor/runState", |params| params["state"] == "success");
    editor.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    let refused = editor
        .command("attractor.run", &json!({ "uri": uri }))
        .expect_err("it is nowhere now");
    assert_eq!(refused["data"]["code"], "unreadable");
    assert!(editor.leave().success());
}

#[test]
fn dead_client_leaves_no_process() {
    let (project, mut editor, uri) = running("echo $$ > pid; exec sleep 300");
    eventually("the command starts", || lives(&project.file("pid")));
    editor.hang_up();
    assert_eq!(editor.wait().code(), Some(1));
    assert!(
        !lives(&project.file("pid")),
        "the command outlived the server"
    );

    let mut editor = Editor::open(&project, &drawing());
    let listed = editor
        .command("attractor.runs", &json!({ "uri": uri }))
        .expect("runs");
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(1));
    assert_ne!(listed["runs"][0]["state"], "running");
    assert!(editor.leave().success());
}

#[test]
fn signal_ends_server_and_runs() {
    let (project, mut editor, _) = running("echo $$ > pid; exec sleep 300");
    eventually("the command starts", || lives(&project.file("pid")));
    let id = editor.id().to_string();
    Command::new("kill")
        .args(["-TERM", &id])
        .status()
        .expect("kill starts");
    editor.wait();
    assert!(
        !lives(&project.file("pid")),
        "the command outlived the server"
    );
}

#[test]
fn editing_during_a_chatty_run() {
    let (_project, mut editor, uri) =
        running("for i in $(seq 1 200); do echo line $i; done; sleep 300");
    for version in 2..50 {
        editor.types(&uri, version, 0, 0, "\n");
    }
    editor.diagnostics(&uri, 49);
    assert!(editor.leave().success());
}

const GATED: &str = r#"digraph gated {
  start [shape=Mdiamond]
  review [type=human_gate, prompt="Go?"]
  mark [type=tool, command="touch approved"]
  done [shape=Msquare]
  start -> review
  review -> mark [label="[A] Approve"]
  review -> done [label="[R] Reject"]
  mark -> done
}
"#;

/// Two windows of one folder: what runs in one can be answered and cancelled in the other.
#[test]
fn a_second_window_answers_the_gate_of_the_first_and_cancels_its_run() {
    let project = Project::with("it.dot", GATED);
    let uri = uri(&project, "it.dot");
    let mut first = Editor::open(&project, &drawing());
    first.did_open(&uri, GATED);
    let trust = json!({ "uri": uri, "decision": "version" });
    first.command("attractor.trust", &trust).expect("trusted");
    let mut second = Editor::open(&project, &drawing());
    second.did_open(&uri, GATED);
    let start = |editor: &mut Editor| {
        let started = editor.command("attractor.run", &json!({ "uri": uri }));
        started.expect("it starts")["run"].take()
    };

    let run = start(&mut first);
    let open = second.notification("attractor/question", |params| params["run"] == run);
    assert_eq!(open["uri"], uri);
    let lenses = second.request(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri } }),
    );
    let lenses = lenses.expect("lenses").to_string();
    assert!(lenses.contains("■ Cancel"), "{lenses}");
    assert!(!lenses.contains("▶ Run pipeline"), "{lenses}");
    let answer = json!({ "run": run, "question": open["question"]["id"], "answer": "A" });
    let answered = second.command("attractor.answer", &answer);
    assert_eq!(answered.expect("answered")["accepted"], true);
    let ended = |params: &Value| params["run"] == run && !params["endedAt"].is_null();
    second.notification("attractor/runState", ended);
    first.notification("attractor/runState", ended);
    assert!(project.file("approved").exists());

    let run = start(&mut first);
    second.notification("attractor/question", |params| params["run"] == run);
    second
        .command("attractor.cancel", &json!({ "run": run }))
        .expect("requested");
    let cancelled = |params: &Value| params["run"] == run && params["state"] == "cancelled";
    first.notification("attractor/runState", cancelled);
    second.notification("attractor/runState", cancelled);
    assert!(first.leave().success() && second.leave().success());
}

/// `lsp --port`: only a client with the token is served, and nothing else ends the server.
#[test]
fn a_port_serves_the_first_client_with_the_token() {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpStream;
    use std::process::Stdio;

    let project = Project::with("it.dot", GATED);
    let mut server = project
        .command(["lsp", "--port", "0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(server.stdout.take().expect("piped")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    let (address, token) = (line(), line());
    let token = token.strip_prefix("token: ").expect("a token").to_owned();
    let send = |bytes: &[u8]| {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .expect("set");
        stream.write_all(bytes).expect("sent");
        stream
    };
    let frame = |message: &Value| {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let initialize = |token: &str| {
        let params = json!({ "processId": null, "capabilities": {}, "initializationOptions": { "token": token } });
        frame(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
    };
    let all = |mut stream: TcpStream| {
        let mut text = String::new();
        // A connection that is closed with unread bytes may be reset.
        let _ = stream.read_to_string(&mut text);
        text
    };

    let message = initialize(&token);
    let post = format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\nOrigin: http://elsewhere\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    assert_eq!(all(send(post.as_bytes())), "");
    let refused = all(send(initialize("guess").as_bytes()));
    assert!(
        refused.contains("the token is missing or wrong"),
        "{refused}"
    );
    drop(send(b"Content-Length: 99\r\n\r\n{"));
    assert_eq!(all(send(b"\r\n\r\n")), "");

    let mut client = send(message.as_bytes());
    let mut answer = [0; 20];
    client.read_exact(&mut answer).expect("an answer");
    assert!(answer.starts_with(b"Content-Length: "));
    for message in [
        json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }),
        json!({ "jsonrpc": "2.0", "method": "exit" }),
    ] {
        client.write_all(frame(&message).as_bytes()).expect("sent");
    }
    let rest = all(client);
    assert!(rest.contains("\"id\":2"), "{rest}");
    assert!(server.wait().expect("it ends").success());
}
