//! The lines of a cassette's file: what a call is recorded as, and how it is read back.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::normalise::{fingerprint, to_value};
use crate::error::{Error, ErrorData, ErrorKind};

/// The first line.
pub(super) const HEADER: &str = r#"{"attractor_cassette":1}"#;

/// One recorded call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) key: String,
    pub(super) request: Value,
    pub(super) outcome: Outcome,
}

/// How a call ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Response(Value),
    Events(Vec<Value>),
    Error(ErrorData),
    /// Events before an error.
    Broken {
        events: Vec<Value>,
        error: ErrorData,
    },
}

#[derive(Serialize, Deserialize)]
struct Line {
    sum: String,
    call: Call,
}

impl Outcome {
    /// Changes every recorded value.
    pub(super) fn each(&mut self, change: impl Fn(&mut Value)) {
        match self {
            Self::Response(value) => change(value),
            Self::Events(events) | Self::Broken { events, .. } => {
                events.iter_mut().for_each(change);
            }
            Self::Error(_) => {}
        }
    }
}

/// The line of a call.
pub(super) fn line(request: Value, outcome: Outcome) -> Result<String, Error> {
    let call = Call {
        key: fingerprint(&request),
        request,
        outcome,
    };
    let value = to_value(&call)?;
    let line = to_value(&serde_json::json!({"sum": fingerprint(&value), "call": value}))?;
    Ok(line.to_string())
}

/// The calls of a file. One that is not complete is an error.
pub(super) fn read(path: &Path, text: &str) -> Result<Vec<Call>, Error> {
    let torn = |number: usize, problem: &str| {
        let message = format!(
            "the cassette `{}` is damaged at line {number}: {problem}; record it again",
            path.display()
        );
        Err(Error::new(ErrorKind::Configuration, message))
    };
    let mut lines = text.split_inclusive('\n').enumerate();
    match lines.next() {
        Some((_, line)) if line.trim_end() == HEADER && line.ends_with('\n') => {}
        _ => return torn(1, "expected the header of a cassette"),
    }
    let mut calls = Vec::new();
    for (index, line) in lines {
        let number = index + 1;
        if !line.ends_with('\n') {
            return torn(number, "the line is cut off");
        }
        let Ok(Line { sum, call }) = serde_json::from_str::<Line>(line) else {
            return torn(number, "the line is not a recorded call");
        };
        let is_intact = serde_json::from_str::<Value>(line).is_ok_and(|value| {
            value
                .get("call")
                .is_some_and(|call| fingerprint(call) == sum)
        });
        if !is_intact {
            return torn(number, "the checksum does not fit");
        }
        calls.push(call);
    }
    Ok(calls)
}

/// A recorded value as what it was.
pub(super) fn read_value<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|error| {
        Error::new(
            ErrorKind::NotRecorded,
            format!("cannot read a recorded answer: {error}"),
        )
    })
}
