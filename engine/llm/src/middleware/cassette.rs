//! Records calls to a file, and replays them without a provider.
//!
//! A cassette is a text file with one JSON object a line: a header, then a call a line with its normalised request,
//! its outcome and a checksum. Calls are replayed in the order in which they were recorded, by request.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use similar::TextDiff;

use super::normalise::{Normaliser, fingerprint, to_value};
use super::{Middleware, Next};
use crate::error::{Error, ErrorData, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::request::Request;
use crate::response::Response;

const HEADER: &str = r#"{"attractor_cassette":1}"#;

/// A layer that records or replays. Put it innermost, so that other layers work alike in both modes.
#[derive(Debug)]
pub struct Cassette {
    path: PathBuf,
    normaliser: Normaliser,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Recording(File),
    Replaying(Vec<Call>),
}

/// One recorded call.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Call {
    key: String,
    request: Value,
    outcome: Outcome,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
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

impl Cassette {
    /// Records to a new file.
    pub fn record(path: impl Into<PathBuf>, normaliser: Normaliser) -> Result<Self, Error> {
        let path = path.into();
        let created = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path);
        let mut file = created.map_err(|error| unwritable(&path, &error))?;
        writeln!(file, "{HEADER}").map_err(|error| unwritable(&path, &error))?;
        Ok(Self {
            path,
            normaliser,
            state: Mutex::new(State::Recording(file)),
        })
    }

    /// Replays a recorded file. A file that is not complete is an error.
    pub fn replay(path: impl Into<PathBuf>, normaliser: Normaliser) -> Result<Self, Error> {
        let path = path.into();
        let text = std::fs::read_to_string(&path).map_err(|error| {
            Error::new(
                ErrorKind::Configuration,
                format!("cannot read the cassette `{}`: {error}", path.display()),
            )
        })?;
        let calls = read(&path, &text)?;
        Ok(Self {
            path,
            normaliser,
            state: Mutex::new(State::Replaying(calls)),
        })
    }

    /// The calls that were recorded and not replayed yet.
    pub fn remaining(&self) -> usize {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Recording(_) => 0,
            State::Replaying(calls) => calls.len(),
        }
    }

    fn is_replaying(&self) -> bool {
        matches!(
            &*self.state.lock().unwrap_or_else(PoisonError::into_inner),
            State::Replaying(_)
        )
    }

    /// Takes the next outcome recorded for a request.
    fn take(&self, request: &Request) -> Result<Outcome, Error> {
        let wanted = self.normaliser.request(request)?;
        let key = fingerprint(&wanted);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State::Replaying(calls) = &mut *state else {
            return Err(Error::new(
                ErrorKind::NotRecorded,
                "the cassette is being recorded",
            ));
        };
        match calls.iter().position(|call| call.key == key) {
            Some(found) => {
                let mut call = calls.remove(found);
                call.outcome.each(|value| self.normaliser.restore(value));
                Ok(call.outcome)
            }
            None => Err(missing(&self.path, &wanted, calls)),
        }
    }

    fn write(&self, request: Value, outcome: Outcome) -> Result<(), Error> {
        let call = Call {
            key: fingerprint(&request),
            request,
            outcome,
        };
        let value = to_value(&call)?;
        let line = to_value(&serde_json::json!({"sum": fingerprint(&value), "call": value}))?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State::Recording(file) = &mut *state else {
            return Ok(());
        };
        writeln!(file, "{line}").map_err(|error| unwritable(&self.path, &error))
    }

    fn answer(&self, value: &impl Serialize) -> Result<Value, Error> {
        Ok(self.normaliser.answer(to_value(value)?))
    }
}

impl Outcome {
    fn each(&mut self, change: impl Fn(&mut Value)) {
        match self {
            Self::Response(value) => change(value),
            Self::Events(events) | Self::Broken { events, .. } => {
                events.iter_mut().for_each(change);
            }
            Self::Error(_) => {}
        }
    }
}

#[async_trait]
impl Middleware for Cassette {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        if self.is_replaying() {
            return match self.take(&request)? {
                Outcome::Response(value) => read_value(value),
                Outcome::Error(error) => Err(error.into()),
                Outcome::Events(_) | Outcome::Broken { .. } => Err(Error::new(
                    ErrorKind::NotRecorded,
                    "the cassette holds a stream for this request, not a whole answer",
                )),
            };
        }
        let key = self.normaliser.request(&request)?;
        let result = next.complete(request).await;
        let outcome = match &result {
            Ok(response) => Outcome::Response(self.answer(response)?),
            Err(error) => Outcome::Error(error.data().clone()),
        };
        self.write(key, outcome)?;
        result
    }

    /// A recorded stream is read to its end before it is passed on, so that it is recorded whole.
    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        if self.is_replaying() {
            let (events, error) = match self.take(&request)? {
                Outcome::Events(events) => (events, None),
                Outcome::Broken { events, error } => (events, Some(error)),
                Outcome::Error(error) => return Err(error.into()),
                Outcome::Response(_) => {
                    return Err(Error::new(
                        ErrorKind::NotRecorded,
                        "the cassette holds a whole answer for this request, not a stream",
                    ));
                }
            };
            let events = events.into_iter().map(read_value::<StreamEvent>);
            let items: Vec<Result<StreamEvent, Error>> =
                events.chain(error.map(|error| Err(error.into()))).collect();
            return Ok(futures::stream::iter(items).boxed());
        }
        let key = self.normaliser.request(&request)?;
        let stream = match next.stream(request).await {
            Ok(stream) => stream,
            Err(error) => {
                self.write(key, Outcome::Error(error.data().clone()))?;
                return Err(error);
            }
        };
        let items: Vec<Result<StreamEvent, Error>> = stream.collect().await;
        let events = items.iter().filter_map(|item| item.as_ref().ok());
        let events = events
            .map(|event| self.answer(event))
            .collect::<Result<Vec<_>, _>>()?;
        let error = items
            .iter()
            .find_map(|item| item.as_ref().err())
            .map(|error| error.data().clone());
        let outcome = match error {
            Some(error) => Outcome::Broken { events, error },
            None => Outcome::Events(events),
        };
        self.write(key, outcome)?;
        Ok(futures::stream::iter(items).boxed())
    }
}

fn read_value<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|error| {
        Error::new(
            ErrorKind::NotRecorded,
            format!("cannot read a recorded answer: {error}"),
        )
    })
}

fn read(path: &Path, text: &str) -> Result<Vec<Call>, Error> {
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

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(
        ErrorKind::Configuration,
        format!("cannot write the cassette `{}`: {error}", path.display()),
    )
}

/// The nearest recorded request as a diff.
fn missing(path: &Path, wanted: &Value, calls: &[Call]) -> Error {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let wanted = pretty(wanted);
    let recorded = calls.iter().map(|call| pretty(&call.request));
    let near = recorded.max_by(|one, other| {
        let ratio = |text: &str| TextDiff::from_words(text, &wanted).ratio();
        ratio(one).total_cmp(&ratio(other))
    });
    let path = path.display();
    let message = match near {
        None => format!("the cassette `{path}` has no more recorded calls; record it again"),
        Some(near) => {
            let diff = TextDiff::from_lines(&near, &wanted);
            let diff = diff
                .unified_diff()
                .context_radius(2)
                .header("recorded", "requested")
                .to_string();
            format!(
                "the cassette `{path}` has no answer to this request; record it again. Nearest request:\n{diff}"
            )
        }
    };
    Error::new(ErrorKind::NotRecorded, message)
}

#[cfg(test)]
mod tests;
