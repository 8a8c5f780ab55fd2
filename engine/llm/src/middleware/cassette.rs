//! Records calls to a file, and replays them without a provider.
//!
//! A cassette is a text file with one JSON object a line: a header, then a call a line with its normalised request,
//! its outcome and a checksum. Calls are replayed in the order in which they were recorded, by request.

mod file;
mod missing;
mod recording;
mod session;
mod tape;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt;

use self::file::{Outcome, read_value};
use self::tape::Tape;
use super::normalise::Normaliser;
use super::{Middleware, Next};
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::request::Request;
use crate::response::Response;

/// A layer that records or replays. Put it innermost, so that other layers work alike in both modes.
#[derive(Debug)]
pub struct Cassette(Arc<Tape>);

impl Cassette {
    /// Records to a new file.
    pub fn record(path: impl Into<PathBuf>, normaliser: Normaliser) -> Result<Self, Error> {
        Ok(Self(Arc::new(Tape::record(path.into(), normaliser)?)))
    }

    /// Replays a recorded file. A file that is not complete is an error.
    pub fn replay(path: impl Into<PathBuf>, normaliser: Normaliser) -> Result<Self, Error> {
        Ok(Self(Arc::new(Tape::replay(path.into(), normaliser)?)))
    }

    /// Takes the recorded answers of a conversation with tools that begins with `request`, up to the first one that
    /// `is_last`. The tools are not run: the next call is the recorded one that continues the messages. Instructions and
    /// tools of the request are not compared.
    ///
    /// # Errors
    /// The request or its continuation is not recorded, or the recorded conversation ended with an error.
    pub fn conversation(
        &self,
        request: &Request,
        is_last: impl Fn(&Response) -> bool,
    ) -> Result<Vec<Response>, Error> {
        session::take(&self.0, request, is_last)
    }

    /// The calls that were recorded and not replayed yet.
    pub fn remaining(&self) -> usize {
        self.0.remaining()
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
        let key = tape.request(&request)?;
        let caller = request.redactor.clone();
        let result = next.complete(request).await;
        let outcome = match &result {
            Ok(response) => Outcome::Response(tape.answer(response, &caller)?),
            Err(error) => Outcome::Error(tape.error(error.data(), &caller)?),
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
        let key = tape.request(&request)?;
        let caller = request.redactor.clone();
        match next.stream(request).await {
            Ok(stream) => Ok(recording::record(Arc::clone(tape), key, caller, stream)),
            Err(error) => {
                tape.write(key, Outcome::Error(tape.error(error.data(), &caller)?))?;
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
