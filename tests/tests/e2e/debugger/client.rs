//! A small client of the Debug Adapter Protocol.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use attractor_tests::{Project, repository};
use jsonschema::Validator;
use serde_json::{Value, json};

/// How long the adapter has for a message.
const PATIENCE: Duration = Duration::from_mins(1);

/// A client with its adapter.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    seq: i64,
    /// Events that were not waited for yet.
    events: Vec<Value>,
    schema: Schema,
}

impl Client {
    /// Starts an adapter in a project, and initializes it.
    pub(super) fn start(project: &Project) -> Self {
        Self::start_with(project.command(["dap"]))
    }

    /// Starts an adapter by a command, and initializes it.
    pub(super) fn start_with(mut command: Command) -> Self {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().expect("the program starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Self {
            child,
            input,
            messages,
            seq: 0,
            events: Vec::new(),
            schema: Schema::load(),
        };
        let capabilities = client.request("initialize", &json!({ "adapterID": "attractor" }));
        assert_eq!(capabilities["supportsStepBack"], true);
        client
    }

    /// Sends a request; gives its number.
    pub(super) fn send(&mut self, command: &str, arguments: &Value) -> i64 {
        self.seq += 1;
        let message = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        self.seq
    }

    /// Sends bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).expect("the adapter reads");
        input.flush().expect("the adapter reads");
    }

    /// The answer to a request of this number.
    pub(super) fn answer(&mut self, seq: i64) -> Result<Value, String> {
        loop {
            let message = self.receive();
            if message["type"] == "event" {
                self.events.push(message);
                continue;
            }
            assert_eq!(message["request_seq"], seq, "{message}");
            return match message["success"].as_bool() {
                Some(true) => Ok(message["body"].clone()),
                _ => Err(message["message"].as_str().unwrap_or_default().to_owned()),
            };
        }
    }

    /// Sends a request that is answered well.
    pub(super) fn request(&mut self, command: &str, arguments: &Value) -> Value {
        let seq = self.send(command, arguments);
        let answer = self.answer(seq);
        answer.unwrap_or_else(|error| unreachable!("`{command}` was refused: {error}"))
    }

    /// Sends a request that is refused; gives the reason.
    pub(super) fn refused(&mut self, command: &str, arguments: &Value) -> String {
        let seq = self.send(command, arguments);
        let answer = self.answer(seq);
        answer.expect_err("it is refused")
    }

    /// Waits for an event of this name.
    pub(super) fn event(&mut self, name: &str) -> Value {
        loop {
            let known = self.events.iter().position(|event| event["event"] == name);
            if let Some(index) = known {
                return self.events.remove(index)["body"].clone();
            }
            let message = self.receive();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Launches or attaches, with breakpoints on lines of a file.
    pub(super) fn begin(
        &mut self,
        command: &str,
        arguments: &Value,
        file: &str,
        breakpoints: &Value,
    ) -> Value {
        let seq = self.send(command, arguments);
        self.event("initialized");
        let set = json!({ "source": { "path": file }, "breakpoints": breakpoints });
        let set = self.request("setBreakpoints", &set);
        self.request(
            "setExceptionBreakpoints",
            &json!({ "filters": ["unhandled"] }),
        );
        self.request("configurationDone", &json!({}));
        self.answer(seq).expect("the run is there");
        set
    }

    /// Where the run has stopped: the reason, and the name of the innermost frame.
    pub(super) fn stopped(&mut self) -> (String, String) {
        let stopped = self.event("stopped");
        let thread = stopped["threadId"].clone();
        let frames = self.frames(&thread);
        let name = frames.first().map(|frame| frame["name"].clone());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&stopped["reason"]), text(&name.unwrap_or_default()))
    }

    pub(super) fn frames(&mut self, thread: &Value) -> Vec<Value> {
        let stack = self.request("stackTrace", &json!({ "threadId": thread }));
        stack["stackFrames"].as_array().expect("frames").clone()
    }

    /// The number of a scope of a frame.
    pub(super) fn scope(&mut self, frame: &Value, name: &str) -> Value {
        let scopes = self.request("scopes", &json!({ "frameId": frame }));
        let scopes = scopes["scopes"].as_array().expect("scopes");
        let own = scopes.iter().find(|scope| scope["name"] == name);
        own.expect("the scope")["variablesReference"].clone()
    }

    /// A variable of a scope of the main line's innermost frame.
    pub(super) fn variable(&mut self, scope: &str, name: &str) -> Value {
        let frame = self.frames(&json!(1))[0]["id"].clone();
        let reference = self.scope(&frame, scope);
        let variables = self.request("variables", &json!({ "variablesReference": reference }));
        let variables = variables["variables"].as_array().expect("variables");
        let own = variables.iter().find(|variable| variable["name"] == name);
        own.cloned().unwrap_or_default()
    }

    /// Evaluates in the console.
    pub(super) fn console(&mut self, expression: &str) -> Result<String, String> {
        let arguments = json!({ "expression": expression, "context": "repl" });
        let seq = self.send("evaluate", &arguments);
        let answer = self.answer(seq)?;
        Ok(answer["result"].as_str().unwrap_or_default().to_owned())
    }

    /// Leaves; gives how the adapter ended.
    pub(super) fn disconnect(mut self, arguments: &Value) -> ExitStatus {
        self.request("disconnect", arguments);
        self.wait()
    }

    /// Closes the end of the client.
    pub(super) fn hang_up(mut self) -> ExitStatus {
        self.input = None;
        self.wait()
    }

    pub(super) fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a process") {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the adapter does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn receive(&mut self) -> Value {
        let message = match self.messages.recv_timeout(PATIENCE) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => unreachable!("no message; known: {:?}", self.events),
            Err(RecvTimeoutError::Disconnected) => unreachable!("the adapter has ended"),
        };
        self.schema.check(&message);
        message
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has usually ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(':') {
            Some((_, value)) => length = value.trim().parse().expect("a length"),
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}

/// The schema of the protocol.
struct Schema {
    document: Value,
    known: HashMap<String, Validator>,
}

impl Schema {
    fn load() -> Self {
        let path = "tests/fixtures/debug-adapter-protocol/debugAdapterProtocol.json";
        let text = std::fs::read_to_string(repository().join(path)).expect("the schema");
        Self {
            document: serde_json::from_str(&text).expect("JSON"),
            known: HashMap::new(),
        }
    }

    fn check(&mut self, message: &Value) {
        let text = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
        let kind = match (text("type").as_str(), message["success"].as_bool()) {
            ("event", _) => format!("{}Event", capital(&text("event"))),
            ("response", Some(false)) => "ErrorResponse".to_owned(),
            ("response", _) => format!("{}Response", capital(&text("command"))),
            (other, _) => unreachable!("a message of type `{other}`"),
        };
        let document = &self.document;
        let validator = self.known.entry(kind.clone()).or_insert_with(|| {
            assert!(
                document["definitions"][&kind].is_object(),
                "`{kind}` is unknown"
            );
            let mut schema = document.clone();
            schema["allOf"] = json!([{ "$ref": format!("#/definitions/{kind}") }]);
            jsonschema::validator_for(&schema).expect("a schema")
        });
        if let Err(error) = validator.validate(message) {
            unreachable!("not a `{kind}`: {error}\n{message}");
        }
    }
}

fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}
