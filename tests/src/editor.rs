//! An editor without a screen: the real language server on standard input and output.
//!
//! A thread reads the server's messages; every wait is bounded. The server's own requests are answered with
//! `null` or as configured. When it is dropped, the server is killed.

use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::project::Project;

/// No test waits longer for one message.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A client of a server of its own.
pub struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<(Value, Instant)>,
    seen: Vec<(Value, Instant)>,
    arrived: Instant,
    heard: String,
    replies: Vec<(&'static str, Value)>,
    next_id: i64,
}

#[expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "a test that lost its server cannot continue; calls read best with json!(…) in place"
)]
impl Editor {
    /// Starts the server in the folder of a project. It is not initialised.
    pub fn start(project: &Project) -> Self {
        Self::start_with(project, Vec::new())
    }

    /// Chooses "Always for this version" about the pipelines of a file, in an editor of its own.
    pub fn approve(project: &Project, path: &str) {
        let mut editor = Self::open(project, &json!({}));
        let uri = format!("file://{}", project.file(path).display());
        editor.did_open(&uri, &project.read(path));
        let decision = json!({ "uri": uri, "decision": "version" });
        editor
            .command("attractor.trust", &decision)
            .expect("the decision is stored");
    }

    /// Starts the server with these variables in its environment.
    fn start_with(project: &Project, variables: Vec<(&'static str, String)>) -> Self {
        let mut server = project
            .command(["lsp"])
            .envs(variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take();
        let mut output = BufReader::new(server.stdout.take().expect("it was piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            server,
            input,
            messages,
            seen: Vec::new(),
            arrived: Instant::now(),
            heard: String::new(),
            replies: Vec::new(),
            next_id: 0,
        }
    }

    /// Starts the server and initialises it with the project as its workspace.
    pub fn open(project: &Project, capabilities: &Value) -> Self {
        Self::open_with(project, capabilities, Vec::new())
    }

    /// The same, with these variables in the server's environment.
    pub fn open_with(
        project: &Project,
        capabilities: &Value,
        variables: Vec<(&'static str, String)>,
    ) -> Self {
        let mut editor = Self::start_with(project, variables);
        let root = format!("file://{}", project.path().display());
        let params = json!({
            "processId": std::process::id(),
            "workspaceFolders": [{ "uri": root, "name": "project" }],
            "capabilities": capabilities,
        });
        editor
            .request("initialize", params)
            .expect("it initialises");
        editor.notify("initialized", json!({}));
        editor
    }

    /// When the last byte of the message that was waited for last came, before it was parsed.
    pub fn arrived(&self) -> Instant {
        self.arrived
    }

    /// The server's process id.
    pub fn id(&self) -> u32 {
        self.server.id()
    }

    /// From now on the server's requests of this method get this answer.
    pub fn reply(&mut self, method: &'static str, answer: Value) {
        self.replies.retain(|(known, _)| *known != method);
        self.replies.push((method, answer));
    }

    /// Opens a document.
    pub fn did_open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "dot", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Types at a place of a document.
    pub fn types(&mut self, uri: &str, version: i32, line: u32, character: u32, text: &str) {
        let place = json!({ "line": line, "character": character });
        let change = json!({ "range": { "start": place, "end": place }, "text": text });
        let params = json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] });
        self.notify("textDocument/didChange", params);
    }

    /// The diagnostics of a version of a document.
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let wanted = |params: &Value| params["uri"] == uri && params["version"] == version;
        let mut published = self.notification("textDocument/publishDiagnostics", wanted);
        match published["diagnostics"].take() {
            Value::Array(items) => items,
            other => unreachable!("no list of diagnostics: {other}"),
        }
    }

    /// Calls a command of the server.
    pub fn command(&mut self, command: &str, argument: &Value) -> Result<Value, Value> {
        self.request(
            "workspace/executeCommand",
            json!({ "command": command, "arguments": [argument] }),
        )
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and waits for its response.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send_request(method, params);
        self.response(method, id)
    }

    /// Sends a request without waiting for its response; returns its id.
    pub fn send_request(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Waits for the response to the request with this id.
    pub fn response(&mut self, method: &str, id: i64) -> Result<Value, Value> {
        let mut answer = self.wait_for(method, |message| {
            message["id"] == id && message.get("method").is_none()
        });
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].take()),
        }
    }

    /// Waits for a notification, or a request of the server, whose parameters are wanted.
    pub fn notification(&mut self, method: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let is_it = |message: &Value| message["method"] == method && wanted(&message["params"]);
        self.wait_for(method, is_it)["params"].take()
    }

    /// Writes bytes as they are. A server that is gone reads nothing, which is for the test to notice.
    pub fn write(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Closes the pipe without a word, as an editor that crashes does.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Says goodbye and waits for the end.
    pub fn leave(mut self) -> ExitStatus {
        self.request("shutdown", Value::Null)
            .expect("it shuts down");
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
        self.wait()
    }

    /// Everything the server has sent so far, one message per line: replies, requests, notifications.
    pub fn heard(&mut self) -> &str {
        // The reply to this follows everything sent before.
        self.request("attractor/nothing", Value::Null).ok();
        &self.heard
    }

    /// Waits for the server's end.
    pub fn wait(&mut self) -> ExitStatus {
        let begin = Instant::now();
        while begin.elapsed() < TIMEOUT {
            if let Some(status) = self.server.try_wait().expect("its state is known") {
                return status;
            }
            // The pipe closes when the process ends, so this waits no longer than it has to.
            let _ = self.messages.recv_timeout(Duration::from_millis(20));
        }
        unreachable!("the server did not end within {TIMEOUT:?}")
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn wait_for(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(found) = self.seen.iter().position(|(message, _)| wanted(message)) {
            let (message, arrived) = self.seen.remove(found);
            self.arrived = arrived;
            return message;
        }
        loop {
            let (message, arrived) = match self.messages.recv_timeout(TIMEOUT) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => {
                    unreachable!("{what} did not come; seen: {:#?}", self.seen)
                }
                Err(RecvTimeoutError::Disconnected) => {
                    unreachable!("the server is gone; waited for {what}")
                }
            };
            self.heard.push_str(&message.to_string());
            self.heard.push('\n');
            if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
                let known = self.replies.iter().find(|(known, _)| *known == method);
                let result = known.map_or(Value::Null, |(_, answer)| answer.clone());
                let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                self.send(&answer);
            }
            if wanted(&message) {
                self.arrived = arrived;
                return message;
            }
            self.seen.push((message, arrived));
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

/// One message and when it came; `None` at the end of the stream.
fn read(output: &mut impl std::io::BufRead) -> Option<(Value, Instant)> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    let arrived = Instant::now();
    Some((serde_json::from_slice(&body).ok()?, arrived))
}
