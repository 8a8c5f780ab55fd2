//! The server in the test's own process, with a client at the other end of a pipe.
//!
//! [`TestClient`] speaks the wire format, so that what is tested is what an editor sees. It answers the
//! server's own requests with configured replies, stores every notification, and asserts when it is dropped that
//! the server answered everything it was asked.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf,
    WriteHalf,
};
use tokio::task::JoinHandle;

use crate::{ServerExit, Settings, serve};

/// No test waits longer for one message.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The document of most tests.
pub(crate) const URI: &str = "file:///project/test.dot";

/// A client of a server of its own.
pub(crate) struct TestClient {
    input: BufReader<ReadHalf<DuplexStream>>,
    output: WriteHalf<DuplexStream>,
    server: Option<JoinHandle<ServerExit>>,
    next_id: i64,
    unanswered: Vec<i64>,
    seen: VecDeque<Value>,
    /// Answers to requests of the server, by method; others get `null`.
    replies: Vec<(&'static str, Value)>,
}

impl TestClient {
    /// A server that was initialised by a client with these capabilities.
    pub(crate) async fn with(capabilities: Value) -> Self {
        let mut client = Self::raw(Settings::default());
        client.initialize(capabilities).await;
        client
    }

    /// A server whose client announced nothing.
    pub(crate) async fn new() -> Self {
        Self::with(json!({ "general": { "positionEncodings": ["utf-8"] } })).await
    }

    /// A server that has received no message yet.
    pub(crate) fn raw(settings: Settings) -> Self {
        let (near, far) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(far);
        let server = tokio::spawn(serve(input, output, settings, None));
        let (input, output) = tokio::io::split(near);
        Self {
            input: BufReader::new(input),
            output,
            server: Some(server),
            next_id: 0,
            unanswered: Vec::new(),
            seen: VecDeque::new(),
            replies: Vec::new(),
        }
    }

    /// Initialises the server; gives its capabilities.
    pub(crate) async fn initialize(&mut self, capabilities: Value) -> Value {
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        let result = self
            .request("initialize", params)
            .await
            .expect("it initialises");
        self.notify("initialized", json!({})).await;
        result
    }

    /// From now on the server's requests of this method get this answer.
    pub(crate) fn reply(&mut self, method: &'static str, answer: Value) {
        self.replies.retain(|(known, _)| *known != method);
        self.replies.push((method, answer));
    }

    /// Opens [`URI`] with a text.
    pub(crate) async fn open(&mut self, text: &str) {
        self.open_as(URI, text).await;
    }

    /// Opens a document.
    pub(crate) async fn open_as(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "dot", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }))
            .await;
    }

    /// Replaces the text of [`URI`].
    pub(crate) async fn change(&mut self, version: i32, text: &str) {
        let changes = json!({
            "textDocument": { "uri": URI, "version": version },
            "contentChanges": [{ "text": text }],
        });
        self.notify("textDocument/didChange", changes).await;
    }

    /// Sends a notification.
    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    /// Sends a request and gives its id; [`TestClient::answer_to`] waits for the answer.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        self.unanswered.push(self.next_id);
        self.send(
            &json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params }),
        )
        .await;
        self.next_id
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params).await;
        self.answer_to(id).await
    }

    /// A request about a place of [`URI`].
    pub(crate) async fn at(&mut self, method: &str, line: u32, character: u32) -> Value {
        let params = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
        self.request(method, params).await.expect("it answers")
    }

    /// Waits for the answer to a request.
    pub(crate) async fn answer_to(&mut self, id: i64) -> Result<Value, Value> {
        let is_mine =
            |message: &Value| message["id"] == json!(id) && message.get("method").is_none();
        let mut message = self.wait_for(is_mine).await;
        self.unanswered.retain(|open| *open != id);
        match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].take()),
        }
    }

    /// Waits for a notification.
    pub(crate) async fn notification(&mut self, method: &str) -> Value {
        self.notification_where(method, |_| true).await
    }

    /// Waits for a notification whose parameters are wanted.
    pub(crate) async fn notification_where(
        &mut self,
        method: &str,
        wanted: impl Fn(&Value) -> bool,
    ) -> Value {
        let is_mine = |message: &Value| message["method"] == method && wanted(&message["params"]);
        self.wait_for(is_mine).await["params"].take()
    }

    /// Waits for the diagnostics of a version of [`URI`], as `LINE:COLUMN rule message`.
    pub(crate) async fn diagnostics(&mut self, version: i32) -> Vec<String> {
        let wanted = move |params: &Value| params["uri"] == URI && params["version"] == version;
        let mut published = self
            .notification_where("textDocument/publishDiagnostics", wanted)
            .await;
        let items = published["diagnostics"].take();
        items
            .as_array()
            .expect("a list")
            .iter()
            .map(render)
            .collect()
    }

    /// What came and was not waited for, by method.
    pub(crate) fn methods_seen(&self) -> Vec<&str> {
        self.seen
            .iter()
            .filter_map(|message| message["method"].as_str())
            .collect()
    }

    /// Writes bytes as they are.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.output
            .write_all(bytes)
            .await
            .expect("the server reads");
    }

    /// Leaves as the protocol wants it.
    pub(crate) async fn leave(mut self) -> ServerExit {
        self.request("shutdown", Value::Null)
            .await
            .expect("it shuts down");
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }))
            .await;
        self.ended().await
    }

    /// Waits for the server's end.
    pub(crate) async fn ended(&mut self) -> ServerExit {
        let server = self.server.take().expect("it runs");
        let ended = tokio::time::timeout(TIMEOUT, server)
            .await
            .expect("it ends");
        ended.expect("it does not panic")
    }

    /// Closes the pipe without a word.
    pub(crate) async fn die(mut self) -> ServerExit {
        self.unanswered.clear();
        self.output.shutdown().await.expect("closed");
        self.ended().await
    }

    async fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
            .await;
    }

    async fn wait_for(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(found) = self.seen.iter().position(&wanted) {
            return self.seen.remove(found).expect("it was found");
        }
        loop {
            let next = tokio::time::timeout(TIMEOUT, self.receive()).await;
            let message = next.unwrap_or_else(|_| panic!("nothing came; seen: {:#?}", self.seen));
            if wanted(&message) {
                return message;
            }
            self.seen.push_back(message);
        }
    }

    /// The next message; requests of the server are answered on the way.
    async fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self
                .input
                .read_line(&mut line)
                .await
                .expect("the server writes");
            assert_ne!(read, 0, "the server closed the pipe");
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.input
            .read_exact(&mut body)
            .await
            .expect("a whole body");
        let message: Value = serde_json::from_slice(&body).expect("JSON");
        speaks_of_the_editor(&message);
        if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
            let known = self.replies.iter().find(|(known, _)| *known == method);
            let result = known.map_or(Value::Null, |(_, answer)| answer.clone());
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            self.send(&answer).await;
        }
        message
    }
}

impl Drop for TestClient {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(
                self.unanswered.is_empty(),
                "the server left requests unanswered: {:?}",
                self.unanswered
            );
        }
        if let Some(server) = self.server.take() {
            server.abort();
        }
    }
}

/// What a user reads asks for a button, a form or a command of the editor, never for an option of the command line.
fn speaks_of_the_editor(message: &Value) {
    match message {
        Value::Object(fields) => {
            for (name, value) in fields {
                // Commands of pipelines and the differences of their files have options of their own.
                let is_read = matches!(&**name, "message" | "reason" | "title" | "hint" | "why");
                if let Some(text) = value.as_str().filter(|_| is_read) {
                    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
                    let is_option = |word: &str| {
                        let name = word.strip_prefix("--");
                        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
                    };
                    assert!(
                        !words.any(is_option),
                        "an option of the command line: {text}"
                    );
                }
                speaks_of_the_editor(value);
            }
        }
        Value::Array(items) => items.iter().for_each(speaks_of_the_editor),
        _ => {}
    }
}

fn render(item: &Value) -> String {
    let (start, text) = (&item["range"]["start"], |value: &Value| {
        value.as_str().unwrap_or_default().to_owned()
    });
    format!(
        "{}:{} {} {}",
        start["line"],
        start["character"],
        text(&item["code"]),
        text(&item["message"])
    )
}
