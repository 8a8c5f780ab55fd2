//! What the tests of all adapters share: encode a request, decode a stream however it is cut, draw events as lines.

use std::fmt::Write as _;
use std::path::PathBuf;

use attractor_models::Catalogue;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::collector::StreamCollector;
use crate::content::ContentPart;
use crate::error::Error;
use crate::event::StreamEvent;
use crate::http::{Call, Headers, HttpRequest, Progress, Protocol};
use crate::request::Request;
use crate::response::Response;
use crate::sse::SseDecoder;

pub(crate) fn with_call<T>(
    provider: &str,
    request: &Request,
    streaming: bool,
    run: impl FnOnce(&Call<'_>) -> T,
) -> T {
    let model = Catalogue::shipped()
        .resolve(&request.model, Some(provider))
        .expect("a provider");
    run(&Call {
        request,
        model: &model,
        streaming,
    })
}

/// The HTTP request of a request that streams.
pub(crate) fn encode(
    protocol: &impl Protocol,
    provider: &str,
    request: &Request,
) -> Result<HttpRequest, Error> {
    with_call(provider, request, true, |call| protocol.encode(call))
}

/// Its body.
pub(crate) fn body(protocol: &impl Protocol, provider: &str, request: &Request) -> Value {
    encode(protocol, provider, request).expect("a request").body
}

/// The codes of its warnings.
pub(crate) fn warnings(protocol: &impl Protocol, provider: &str, request: &Request) -> Vec<String> {
    let encoded = encode(protocol, provider, request).expect("a request");
    encoded
        .warnings
        .into_iter()
        .map(|warning| warning.code)
        .collect()
}

pub(crate) fn decode(
    protocol: &impl Protocol,
    provider: &str,
    model: &str,
    body: &Value,
) -> Response {
    let request = Request::prompt(model, "x");
    with_call(provider, &request, false, |call| {
        protocol.decode(call, body)
    })
    .expect("a response")
}

/// Events and the error after them, from a stream in chunks.
pub(crate) fn decode_chunks<'a>(
    protocol: &dyn Protocol,
    provider: &str,
    model: &str,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<StreamEvent>, Option<Error>) {
    let request = Request::prompt(model, "x");
    let mut decoder = with_call(provider, &request, true, |call| protocol.decoder(call));
    let mut sse = SseDecoder::default();
    let mut out = Vec::new();
    for chunk in chunks {
        let mut events = Vec::new();
        if let Err(error) = sse.push(chunk, &mut events) {
            return (out, Some(error));
        }
        for event in &events {
            match decoder.event(event, &mut out) {
                Ok(Progress::More) => {}
                Ok(Progress::Done) => return (out, None),
                Err(error) => return (out, Some(error)),
            }
        }
    }
    let error = decoder.end(&mut out).err();
    (out, error)
}

/// The events of a whole stream.
pub(crate) fn decode_stream(
    protocol: &dyn Protocol,
    provider: &str,
    model: &str,
    sse: &str,
) -> (Vec<StreamEvent>, Option<Error>) {
    decode_chunks(protocol, provider, model, [sse.as_bytes()])
}

/// The response of a whole stream without error.
pub(crate) fn collect(protocol: &dyn Protocol, provider: &str, model: &str, sse: &str) -> Response {
    let (events, error) = decode_stream(protocol, provider, model, sse);
    assert!(error.is_none(), "{error:?}");
    let mut collector = StreamCollector::default();
    for event in &events {
        collector.process_event(event);
    }
    collector.to_response()
}

/// An event stream of JSON values, one a line.
pub(crate) fn sse(lines: &str) -> String {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.fold(String::new(), |text, line| text + "data: " + line + "\n\n")
}

/// Events as lines.
pub(crate) fn render(events: &[StreamEvent], error: Option<&Error>) -> String {
    let mut out = String::new();
    for event in events {
        let text = match event {
            StreamEvent::StreamStart { model, id, .. } => format!("{model} {id}"),
            StreamEvent::TextDelta { part, text }
            | StreamEvent::ReasoningDelta { part, text }
            | StreamEvent::ToolCallDelta { part, text } => format!("{part} {text:?}"),
            StreamEvent::ToolCallStart { part, tool_call } => {
                format!("{part} {} {}", tool_call.tool_call_id, tool_call.tool_name)
            }
            StreamEvent::ToolCallEnd { part, tool_call } => format!(
                "{part} {} {} {}{}",
                tool_call.tool_call_id,
                tool_call.tool_name,
                tool_call.arguments_json,
                if tool_call.invalid.is_some() {
                    " invalid"
                } else {
                    ""
                }
            ),
            StreamEvent::Retry { error, attempt, .. } => format!("{attempt} {error}"),
            StreamEvent::Warning { warning } => warning.message.clone(),
            StreamEvent::PartEnd { part, content } => format!("{part} {}", render_part(content)),
            StreamEvent::Finish { finish, usage, .. } => {
                let raw = finish.raw.as_deref().unwrap_or("-");
                format!(
                    "{} ({raw}) in {} out {}",
                    finish.reason, usage.input_tokens, usage.output_tokens
                )
            }
        };
        writeln!(out, "{}: {text}", event.name()).unwrap();
    }
    if let Some(error) = error {
        writeln!(out, "error: {} {error}", error.kind()).unwrap();
    }
    out
}

pub(crate) fn render_part(part: &ContentPart) -> String {
    match part {
        ContentPart::Text(text) => format!("text {:?}", text.text),
        ContentPart::Thinking(thinking) => {
            let signature = thinking.signature.as_deref().unwrap_or("-");
            let short: String = signature.chars().take(12).collect();
            format!("thinking {:?} signature {short}", thinking.text)
        }
        ContentPart::ToolCall(call) => format!("call {} {}", call.tool_name, call.arguments_json),
        ContentPart::Refusal(refusal) => format!("refusal {:?}", refusal.text),
        ContentPart::Native(native) => format!("native {}", native.block),
        other => other.kind().to_owned(),
    }
}

/// Response headers that arrived at noon.
pub(crate) fn headers(pairs: &[(&'static str, &str)]) -> Headers {
    let pairs = pairs.iter().map(|(name, value)| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_str(value).expect("a header value"),
        )
    });
    Headers::new(
        pairs.collect::<HeaderMap>(),
        "2026-11-22T12:00:00Z".parse().expect("a time"),
    )
}

/// The folder of recorded streams, if `ATTRACTOR_STREAMS` names one.
pub(crate) fn recorded(folder: &str) -> Vec<(String, String)> {
    let Some(root) = std::env::var_os("ATTRACTOR_STREAMS") else {
        panic!("set ATTRACTOR_STREAMS to the folder of recorded provider responses");
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(PathBuf::from(root).join(folder))
        .expect("recorded streams")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let name = |path: &PathBuf| {
        path.file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    files
        .iter()
        .map(|path| (name(path), std::fs::read_to_string(path).expect("text")))
        .collect()
}

/// Checks that a stream gives the same events wherever it is cut in two, and one byte at a time.
pub(crate) fn check_cuts(
    protocol: &dyn Protocol,
    provider: &str,
    model: &str,
    name: &str,
    stream: &str,
) {
    let bytes = stream.as_bytes();
    let decode = |chunks: Vec<&[u8]>| {
        let (events, error) = decode_chunks(protocol, provider, model, chunks);
        (events, error.map(|error| error.to_string()))
    };
    let whole = decode(vec![bytes]);
    assert!(
        !whole.0.is_empty() || whole.1.is_some(),
        "{name} gives nothing"
    );
    assert_eq!(
        decode(bytes.chunks(1).collect()),
        whole,
        "{name} byte by byte"
    );
    // Cutting everywhere costs the square of the length, so long recordings are cut at fewer places.
    let step = (bytes.len() * bytes.len() / 8_000_000).max(1);
    for cut in (0..bytes.len()).step_by(step) {
        let (head, tail) = bytes.split_at(cut);
        assert_eq!(decode(vec![head, tail]), whole, "{name} cut at {cut}");
    }
}
