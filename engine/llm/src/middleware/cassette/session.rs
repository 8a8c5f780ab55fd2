//! The recorded calls of a conversation with tools, without running the tools.
//!
//! A call continues another one when its messages begin with those of the other. So a session is followed from its first
//! request to the answer that ends it; instructions and tools, which depend on the machine, are not compared.

use serde_json::{Value, json};

use super::file::{Call, Outcome, read_value};
use super::missing::missing;
use super::tape::Tape;
use crate::collector::StreamCollector;
use crate::error::{Error, ErrorKind};
use crate::event::StreamEvent;
use crate::request::Request;
use crate::response::{FinishReason, Response};

/// The answers of the session that begins with a request, up to the first one that `is_last`.
pub(super) fn take(
    tape: &Tape,
    request: &Request,
    is_last: impl Fn(&Response) -> bool,
) -> Result<Vec<Response>, Error> {
    let first = compared(&tape.request(request)?);
    let mut call = tape.take_call(
        |call| compared(&call.request) == first,
        |path, calls| {
            missing(
                path,
                &first,
                calls.iter().map(|call| compared(&call.request)),
            )
        },
    )?;
    let mut answers = Vec::new();
    loop {
        let answer = answer(call.outcome)?;
        let is_cut_off = answer.finish.reason == FinishReason::Length;
        let ends = is_last(&answer);
        answers.push(answer);
        if ends {
            return Ok(answers);
        }
        let before = messages(&call.request).to_vec();
        let continues = |next: &Call| {
            let messages = messages(&next.request);
            messages.starts_with(&before) && (is_cut_off || messages.len() > before.len())
        };
        call = tape.take_call(continues, |path, _| {
            let number = answers.len();
            let message = format!(
                "the cassette `{}` has no call that continues the conversation after answer {number}; record it again",
                path.display()
            );
            Error::new(ErrorKind::NotRecorded, message)
        })?;
    }
}

/// What is compared of the first request.
fn compared(request: &Value) -> Value {
    json!({
        "model": request.get("model"),
        "provider": request.get("provider"),
        "messages": request.get("messages"),
    })
}

fn messages(request: &Value) -> &[Value] {
    let messages = request.get("messages").and_then(Value::as_array);
    messages.map_or(&[], Vec::as_slice)
}

/// A recorded answer as a whole, also one that was streamed.
fn answer(outcome: Outcome) -> Result<Response, Error> {
    match outcome {
        Outcome::Response(value) => read_value(value),
        Outcome::Error(error) | Outcome::Broken { error, .. } => Err(error.into()),
        Outcome::Events(events) => {
            let mut collector = StreamCollector::default();
            for event in events {
                collector.process_event(&read_value::<StreamEvent>(event)?);
            }
            Ok(collector.to_response())
        }
    }
}
