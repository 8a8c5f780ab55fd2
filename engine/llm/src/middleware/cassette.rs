//! Records calls to a file, and replays them without a provider.
//!
//! A cassette is a text file with one JSON object a line: a header, then a call a line with its normalised request,
//! its outcome and a checksum. Calls are replayed in the order in which they were recorded, by request.

mod file;
mod missing;
mod recording;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::file::{Call, HEADER, Outcome};
use super::normalise::{Normaliser, fingerprint, to_value};
use super::{Middleware, Next};
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::request::Request;
use crate::response::Response;

/// A layer that records or replays. Put it innermost, so that other layers work alike in both modes.
#[derive(Debug)]
pub struct Cassette(Arc<Tape>);

/// The file and what is read of it or written to it.
#[derive(Debug)]
struct Tape {
    path: PathBuf,
    normaliser: Normaliser,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Recording(File),
    Replaying(Vec<Call>),
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
        Ok(Self::new(path, normaliser, State::Recording(file)))
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
        let calls = file::read(&path, &text)?;
        Ok(Self::new(path, normaliser, State::Replaying(calls)))
    }

    fn new(path: PathBuf, normaliser: Normaliser, state: State) -> Self {
        Self(Arc::new(Tape {
            path,
            normaliser,
            state: Mutex::new(state),
        }))
    }

    /// The calls that were recorded and not replayed yet.
    pub fn remaining(&self) -> usize {
        match &*self.0.state() {
            State::Recording(_) => 0,
            State::Replaying(calls) => calls.len(),
        }
    }
}

impl Tape {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_replaying(&self) -> bool {
        matches!(&*self.state(), State::Replaying(_))
    }

    /// Takes the next outcome recorded for a request.
    fn take(&self, request: &Request) -> Result<Outcome, Error> {
        let wanted = self.normaliser.request(request)?;
        let key = fingerprint(&wanted);
        let mut state = self.state();
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
            None => Err(missing::missing(&self.path, &wanted, calls)),
        }
    }

    fn write(&self, request: Value, outcome: Outcome) -> Result<(), Error> {
        let line = file::line(request, outcome)?;
        let mut state = self.state();
        let State::Recording(file) = &mut *state else {
            return Ok(());
        };
        writeln!(file, "{line}").map_err(|error| unwritable(&self.path, &error))
    }

    fn answer(&self, value: &impl Serialize) -> Result<Value, Error> {
        Ok(self.normaliser.answer(to_value(value)?))
    }
}

#[async_trait]
impl Middleware for Cassette {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        let tape = &self.0;
        if tape.is_replaying() {
            return match tape.take(&request)? {
                Outcome::Response(value) => read_value(value),
                Outcome::Error(error) => Err(error.into()),
                Outcome::Events(_) | Outcome::Broken { .. } => Err(Error::new(
                    ErrorKind::NotRecorded,
                    "the cassette holds a stream for this request, not a whole answer",
                )),
            };
        }
        let key = tape.normaliser.request(&request)?;
        let result = next.complete(request).await;
        let outcome = match &result {
            Ok(response) => Outcome::Response(tape.answer(response)?),
            Err(error) => Outcome::Error(error.data().clone()),
        };
        tape.write(key, outcome)?;
        result
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        let tape = &self.0;
        if tape.is_replaying() {
            return replay(tape.take(&request)?);
        }
        let key = tape.normaliser.request(&request)?;
        match next.stream(request).await {
            Ok(stream) => Ok(recording::record(Arc::clone(tape), key, stream)),
            Err(error) => {
                tape.write(key, Outcome::Error(error.data().clone()))?;
                Err(error)
            }
        }
    }
}

/// A recorded stream.
fn replay(outcome: Outcome) -> Result<EventStream, Error> {
    let (events, error) = match outcome {
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
    Ok(futures::stream::iter(items).boxed())
}

fn read_value<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|error| {
        Error::new(
            ErrorKind::NotRecorded,
            format!("cannot read a recorded answer: {error}"),
        )
    })
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(
        ErrorKind::Configuration,
        format!("cannot write the cassette `{}`: {error}", path.display()),
    )
}
