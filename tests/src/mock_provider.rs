//! A provider of models on this machine: a real HTTP server that answers with prepared bytes and takes down what it
//! was sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};

/// The key that tests use; it must not appear in any file or message.
pub const KEY: &str = "sk-test-0123456789abcdef0123456789abcdef";

/// What a request is answered with.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A stream that says this text, in the form of the API that was called.
    Says(&'static str),
    /// A stream that says this text and ends at the output limit.
    CutShort(&'static str),
    /// A stream that says this text and ends for this reason, in the form of the API that was called.
    Stops(&'static str, &'static str),
    /// The beginning of a stream that says this text, then the error of an overloaded provider.
    Overloads(&'static str),
    /// A stream that calls tools, each with its arguments as JSON, in the form of the API that was called.
    Calls(Vec<(&'static str, String)>),
    /// A status with headers, content type and body.
    Answer(u16, Vec<(&'static str, &'static str)>, &'static str, String),
    /// The beginning of a stream that says this text; then the connection is cut.
    CutsOff(&'static str),
    /// The beginning of a stream that says this text; then nothing until the client closes the connection.
    Hangs(&'static str),
    /// The beginning of a stream that says this text; the rest once the test releases it.
    Holds(&'static str),
    /// These bytes as they are, head included; then the connection is closed.
    Bytes(Vec<u8>),
    /// A stream, or with this content type any body, of one line of that many megabytes that is begun so.
    LongLine(&'static str, &'static str, usize),
    /// A stream of which one byte arrives from time to time, and no line ever ends.
    Drips,
}

/// What was sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The path with its query.
    pub path: String,
    /// The header lines, names in lower case.
    pub headers: String,
    /// The body.
    pub body: Value,
}

/// The server. Each request gets the next reply; the last one repeats.
pub struct MockProvider {
    address: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    seen: Mutex<Traffic>,
    changed: Condvar,
}

#[derive(Default)]
struct Traffic {
    sent: Vec<Sent>,
    hang_ups: usize,
    is_released: bool,
}

#[expect(
    clippy::expect_used,
    reason = "a test without its server cannot continue"
)]
impl MockProvider {
    /// Starts the server.
    pub fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let (shared, replies) = (Arc::clone(&shared), replies.clone());
                std::thread::spawn(move || serve(socket, &shared, &replies));
            }
        });
        Self { address, state }
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        let port = self.address.rsplit(':').next();
        port.and_then(|port| port.parse().ok()).expect("a port")
    }

    /// The variables that give a program the keys of all providers, with this server as their address.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let root = format!("http://{}", self.address);
        vec![
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
            ("ANTHROPIC_BASE_URL", root.clone()),
            ("OPENAI_API_KEY", KEY.to_owned()),
            ("OPENAI_BASE_URL", format!("{root}/v1")),
            ("GOOGLE_API_KEY", KEY.to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", root.clone()),
            ("OPENAI_COMPATIBLE_API_KEY", KEY.to_owned()),
            ("OPENAI_COMPATIBLE_BASE_URL", format!("{root}/v1")),
        ]
    }

    /// What was sent so far.
    pub fn sent(&self) -> Vec<Sent> {
        self.state
            .seen
            .lock()
            .expect("no panic before")
            .sent
            .clone()
    }

    /// Lets streams that are held go to their end.
    pub fn release(&self) {
        let mut seen = self.state.seen.lock().expect("no panic before");
        seen.is_released = true;
        self.state.changed.notify_all();
    }

    /// Waits until a client has closed a connection that hung.
    pub fn hang_up(&self) {
        let seen = self.state.seen.lock().expect("no panic before");
        let limit = std::time::Duration::from_secs(30);
        let (seen, _) = self
            .state
            .changed
            .wait_timeout_while(seen, limit, |seen| seen.hang_ups == 0)
            .expect("no panic before");
        assert!(seen.hang_ups > 0, "the client did not close its connection");
    }
}

impl State {
    /// Waits until the test releases what is held.
    fn wait_for_release(&self) {
        if let Ok(seen) = self.seen.lock() {
            let limit = std::time::Duration::from_mins(1);
            let waiting = |seen: &mut Traffic| !seen.is_released;
            let _ = self.changed.wait_timeout_while(seen, limit, waiting);
        }
    }
}

fn serve(mut socket: TcpStream, state: &State, replies: &[Reply]) {
    let Some(sent) = read_request(&socket) else {
        return;
    };
    let path = sent.path.clone();
    let number = {
        let Ok(mut seen) = state.seen.lock() else {
            return;
        };
        seen.sent.push(sent);
        seen.sent.len() - 1
    };
    let Some(reply) = replies.get(number).or(replies.last()) else {
        return;
    };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    let written = match reply {
        Reply::Says(text) => {
            let body = stream(&path, text).concat();
            socket.write_all(format!("{head}{}0\r\n\r\n", chunk(&body)).as_bytes())
        }
        Reply::CutShort(text) => {
            let body: String = stream(&path, text)
                .iter()
                .map(|event| cut_short(event))
                .collect();
            socket.write_all(format!("{head}{}0\r\n\r\n", chunk(&body)).as_bytes())
        }
        Reply::Stops(text, reason) => {
            let events = stream(&path, text);
            let body: String = events.iter().map(|event| stopped(event, reason)).collect();
            socket.write_all(format!("{head}{}0\r\n\r\n", chunk(&body)).as_bytes())
        }
        Reply::Overloads(text) => {
            let mut events = unfinished(&path, text);
            events.push(overload(&path));
            let body = chunk(&events.concat());
            socket.write_all(format!("{head}{body}0\r\n\r\n").as_bytes())
        }
        Reply::Calls(calls) => {
            let body = call_stream(&path, number, calls).concat();
            socket.write_all(format!("{head}{}0\r\n\r\n", chunk(&body)).as_bytes())
        }
        Reply::Answer(status, headers, content_type, body) => {
            let lines = headers
                .iter()
                .flat_map(|(name, value)| [*name, ": ", *value, "\r\n"]);
            let headers: String = lines.collect();
            let length = body.len();
            let text = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
            );
            socket.write_all(text.as_bytes())
        }
        Reply::CutsOff(text) | Reply::Hangs(text) => {
            let body = chunk(&unfinished(&path, text).concat());
            let written = socket.write_all(format!("{head}{body}").as_bytes());
            if matches!(reply, Reply::Hangs(_)) {
                let _ = socket.read(&mut [0; 1]);
                if let Ok(mut seen) = state.seen.lock() {
                    seen.hang_ups += 1;
                }
                state.changed.notify_all();
            }
            written
        }
        Reply::Holds(text) => {
            let events = stream(&path, text);
            let (first, rest) = events.split_at(events.len() - 1);
            let written = socket.write_all(format!("{head}{}", chunk(&first.concat())).as_bytes());
            state.wait_for_release();
            let rest = format!("{}0\r\n\r\n", chunk(&rest.concat()));
            written.and_then(|()| socket.write_all(rest.as_bytes()))
        }
        Reply::Bytes(bytes) => socket.write_all(bytes),
        Reply::LongLine(content_type, begin, megabytes) => {
            let head = head.replace("text/event-stream", content_type);
            let mut written = socket.write_all(format!("{head}{}", chunk(begin)).as_bytes());
            let piece = chunk(&"x".repeat(1024 * 1024));
            for _ in 0..*megabytes {
                written = written.and_then(|()| socket.write_all(piece.as_bytes()));
            }
            written.and_then(|()| socket.write_all(chunk("\"}\n\n").as_bytes()))
        }
        Reply::Drips => {
            let mut written = socket.write_all(head.as_bytes());
            // Ends when the client has closed the connection.
            while written.is_ok() {
                std::thread::sleep(std::time::Duration::from_millis(20));
                written = socket.write_all(chunk(":").as_bytes());
            }
            written
        }
    };
    let _ = written.and_then(|()| socket.shutdown(Shutdown::Both));
}

fn read_request(socket: &TcpStream) -> Option<Sent> {
    let mut reader = BufReader::new(socket);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line == "\r\n" {
            break;
        }
        let (name, value) = line.split_once(':')?;
        let name = name.to_lowercase();
        if name == "content-length" {
            length = value.trim().parse().ok()?;
        }
        headers.extend([&name, ":", value]);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    // A request for a list has none.
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Sent {
        path,
        headers,
        body,
    })
}

/// The events of a stream that says `text`, as the API of that path sends them: 20 tokens in, 5 of them cached where
/// the API reports it, 7 out.
fn stream(path: &str, text: &str) -> Vec<String> {
    let named = |event: &Value| {
        let name = event["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    };
    let data = |event: &Value| format!("data: {event}\n\n");
    if path.ends_with("/messages") {
        let events = [
            json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [], "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 15, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 0, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 7}}),
            json!({"type": "message_stop"}),
        ];
        return events.iter().map(named).collect();
    }
    if path.ends_with("/responses") {
        let message = json!({"type": "message", "id": "item_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]});
        let response = json!({"id": "resp_1", "object": "response", "model": "gpt-6-luna", "status": "completed", "output": [message], "usage": {"input_tokens": 20, "input_tokens_details": {"cached_tokens": 5}, "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 27}});
        let events = [
            json!({"type": "response.created", "sequence_number": 0, "response": {"id": "resp_1", "object": "response", "model": "gpt-6-luna", "status": "in_progress", "output": []}}),
            json!({"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": {"type": "message", "id": "item_1", "role": "assistant", "status": "in_progress", "content": []}}),
            json!({"type": "response.output_text.delta", "sequence_number": 2, "item_id": "item_1", "output_index": 0, "content_index": 0, "delta": text}),
            json!({"type": "response.output_item.done", "sequence_number": 3, "output_index": 0, "item": message}),
            json!({"type": "response.completed", "sequence_number": 4, "response": response}),
        ];
        return events.iter().map(named).collect();
    }
    if path.contains("generateContent") || path.contains("GenerateContent") {
        let events = [
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}], "modelVersion": "gemini-3.8-flash", "responseId": "gen_1"}),
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 20, "cachedContentTokenCount": 5, "candidatesTokenCount": 5, "thoughtsTokenCount": 2, "totalTokenCount": 27}, "modelVersion": "gemini-3.8-flash", "responseId": "gen_1"}),
        ];
        return events.iter().map(data).collect();
    }
    let events = [
        json!({"id": "chat_1", "object": "chat.completion.chunk", "model": "qwen3", "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": null}]}),
        json!({"id": "chat_1", "object": "chat.completion.chunk", "model": "qwen3", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
        json!({"id": "chat_1", "object": "chat.completion.chunk", "model": "qwen3", "choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 7, "total_tokens": 27}}),
    ];
    let done = std::iter::once("data: [DONE]\n\n".to_owned());
    events.iter().map(data).chain(done).collect()
}

/// The beginning of such a stream: the text has arrived, its end has not.
fn unfinished(path: &str, text: &str) -> Vec<String> {
    let mut events = stream(path, text);
    events.truncate(events.len() - 1 - usize::from(events.len() > 3));
    events.retain(|event| !event.contains("\"finish_reason\":\"stop\""));
    events
}

/// The same event of a stream that ends at the output limit.
fn cut_short(event: &str) -> String {
    let data = event.split_once("data: ").map(|(_, data)| data.trim());
    let value = data.and_then(|data| serde_json::from_str::<Value>(data).ok());
    if let Some(mut value) = value.filter(|value| value["type"] == "response.completed") {
        for (at, changed) in [
            ("/type", json!("response.incomplete")),
            ("/response/status", json!("incomplete")),
        ] {
            if let Some(field) = value.pointer_mut(at) {
                *field = changed;
            }
        }
        if let Some(response) = value.get_mut("response").and_then(Value::as_object_mut) {
            let details = json!({"reason": "max_output_tokens"});
            response.insert("incomplete_details".to_owned(), details);
        }
        return format!("event: response.incomplete\ndata: {value}\n\n");
    }
    event
        .replace("\"end_turn\"", "\"max_tokens\"")
        .replace(
            "\"finishReason\":\"STOP\"",
            "\"finishReason\":\"MAX_TOKENS\"",
        )
        .replace("\"finish_reason\":\"stop\"", "\"finish_reason\":\"length\"")
}

/// The same event of a stream that ends for a reason.
fn stopped(event: &str, reason: &str) -> String {
    let mut event = event.replace("\"end_turn\"", &format!("\"{reason}\""));
    for (name, word) in [("finishReason", "STOP"), ("finish_reason", "stop")] {
        let (before, after) = (
            format!("\"{name}\":\"{word}\""),
            format!("\"{name}\":\"{reason}\""),
        );
        event = event.replace(&before, &after);
    }
    event
}

/// The event of a stream that an overloaded provider gives up.
fn overload(path: &str) -> String {
    let event = if path.ends_with("/messages") {
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    } else if path.ends_with("/responses") {
        json!({"type": "error", "code": "server_is_overloaded", "message": "Overloaded"})
    } else {
        json!({"error": {"code": 503, "status": "UNAVAILABLE", "type": "overloaded_error", "message": "Overloaded"}})
    };
    format!("data: {event}\n\n")
}

/// The events of a stream that calls tools. The ids of the calls differ from request to request.
fn call_stream(path: &str, number: usize, calls: &[(&str, String)]) -> Vec<String> {
    let named = |event: &Value| {
        let name = event["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    };
    let data = |event: &Value| format!("data: {event}\n\n");
    let calls = calls.iter().enumerate();
    let calls = calls.map(|(index, (name, arguments))| {
        (
            index,
            format!("call_{number}_{index}"),
            *name,
            arguments.as_str(),
        )
    });
    if path.ends_with("/messages") {
        let mut events = vec![
            json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [], "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 15, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 0, "output_tokens": 1}}}),
        ];
        for (index, id, name, arguments) in calls {
            events.extend([
                json!({"type": "content_block_start", "index": index, "content_block": {"type": "tool_use", "id": id, "name": name, "input": {}}}),
                json!({"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": arguments}}),
                json!({"type": "content_block_stop", "index": index}),
            ]);
        }
        events.extend([
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 7}}),
            json!({"type": "message_stop"}),
        ]);
        return events.iter().map(named).collect();
    }
    if path.ends_with("/responses") {
        let items: Vec<Value> = calls
            .map(|(_, id, name, arguments)| {
                // `apply_patch` is a tool whose input is text.
                match serde_json::from_str::<Value>(arguments) {
                    Ok(Value::String(input)) => json!({"type": "custom_tool_call", "id": format!("item_{id}"), "call_id": id, "name": name, "input": input}),
                    _ => json!({"type": "function_call", "id": format!("item_{id}"), "call_id": id, "name": name, "arguments": arguments, "status": "completed"}),
                }
            })
            .collect();
        let mut events = vec![
            json!({"type": "response.created", "response": {"id": "resp_1", "object": "response", "model": "gpt-6-luna", "status": "in_progress", "output": []}}),
        ];
        for (index, item) in items.iter().enumerate() {
            events.extend([
                json!({"type": "response.output_item.added", "output_index": index, "item": item}),
                json!({"type": "response.output_item.done", "output_index": index, "item": item}),
            ]);
        }
        let response = json!({"id": "resp_1", "object": "response", "model": "gpt-6-luna", "status": "completed", "output": items, "usage": {"input_tokens": 20, "input_tokens_details": {"cached_tokens": 5}, "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 27}});
        events.push(json!({"type": "response.completed", "response": response}));
        return events.iter().map(named).collect();
    }
    if path.contains("generateContent") || path.contains("GenerateContent") {
        let parts: Vec<Value> = calls
            .map(|(_, id, name, arguments)| {
                let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
                json!({"functionCall": {"id": id, "name": name, "args": arguments}, "thoughtSignature": "c2lnbmF0dXJl"})
            })
            .collect();
        let event = json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 20, "cachedContentTokenCount": 5, "candidatesTokenCount": 5, "thoughtsTokenCount": 2, "totalTokenCount": 27}, "modelVersion": "gemini-3.8-flash", "responseId": "gen_1"});
        return vec![data(&event)];
    }
    let calls: Vec<Value> = calls
        .map(|(index, id, name, arguments)| json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
        .collect();
    let events = [
        json!({"id": "chat_1", "object": "chat.completion.chunk", "model": "qwen3", "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": calls}, "finish_reason": null}]}),
        json!({"id": "chat_1", "object": "chat.completion.chunk", "model": "qwen3", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
        json!({"id": "chat_1", "object": "chat.completion.chunk", "model": "qwen3", "choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 7, "total_tokens": 27}}),
    ];
    let done = std::iter::once("data: [DONE]\n\n".to_owned());
    events.iter().map(data).chain(done).collect()
}
