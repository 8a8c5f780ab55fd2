//! A stream that is recorded while it is delivered.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::{Stream, StreamExt};
use serde_json::Value;

use super::super::normalise::to_value;
use super::file::Outcome;
use super::tape::Tape;
use crate::error::{Error, ErrorData, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::redact::Redactor;

struct Recording {
    stream: EventStream,
    tape: Arc<Tape>,
    /// Knows the secrets of who asked.
    caller: Redactor,
    /// The request and the events so far; `None` once they are written.
    open: Option<(Value, Vec<Value>)>,
}

/// The same stream. It is written to the tape when its last event or error arrives, before that is delivered; one that is
/// dropped earlier is written as a cancelled one.
pub(super) fn record(
    tape: Arc<Tape>,
    request: Value,
    caller: Redactor,
    stream: EventStream,
) -> EventStream {
    Recording {
        stream,
        tape,
        caller,
        open: Some((request, Vec::new())),
    }
    .boxed()
}

impl Recording {
    fn keep(&mut self, event: &StreamEvent) -> Result<(), Error> {
        let is_retry = matches!(event, StreamEvent::Retry { .. });
        let value = to_value(event)?;
        if let Some((_, events)) = &mut self.open {
            if is_retry {
                // What arrived before is void: a replay gives the answer that counts.
                events.clear();
            } else {
                events.push(value);
            }
        }
        if matches!(event, StreamEvent::Finish { .. }) {
            self.write(None)?;
        }
        Ok(())
    }

    fn write(&mut self, error: Option<ErrorData>) -> Result<(), Error> {
        let Some((request, events)) = self.open.take() else {
            return Ok(());
        };
        let events = self.tape.events(events, &self.caller);
        let error = error.map(|error| self.tape.error(&error, &self.caller));
        let outcome = match error.transpose()? {
            Some(error) => Outcome::Broken { events, error },
            None => Outcome::Events(events),
        };
        self.tape.write(request, outcome)
    }
}

impl Stream for Recording {
    type Item = Result<StreamEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.stream.as_mut().poll_next(context);
        let recorded = match &polled {
            Poll::Pending => Ok(()),
            Poll::Ready(Some(Ok(event))) => self.keep(event),
            Poll::Ready(Some(Err(error))) => {
                let error = error.data().clone();
                self.write(Some(error))
            }
            Poll::Ready(None) => self.write(None),
        };
        match recorded {
            Ok(()) => polled,
            Err(error) => Poll::Ready(Some(Err(error))),
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let cancelled = Error::new(ErrorKind::Cancelled, "the stream was dropped");
        if let Err(error) = self.write(Some(cancelled.data().clone())) {
            tracing::warn!(%error, "a dropped stream is not recorded");
        }
    }
}
