//! Shows a layer the response of a stream when it ends, however it ends.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures::{Stream, StreamExt};

use crate::collector::StreamCollector;
use crate::error::Error;
use crate::event::{EventStream, StreamEvent};
use crate::response::Response;

/// How a stream ended.
pub(super) enum StreamEnd {
    /// With its last event.
    Complete,
    /// With an error.
    Failed(Error),
    /// It was dropped before its end.
    Dropped,
}

type Observer = Box<dyn FnOnce(Response, StreamEnd) + Send>;

struct Observed {
    stream: EventStream,
    collector: StreamCollector,
    observer: Option<Observer>,
}

/// The same stream; `observer` is given what was received of the answer, once, when the stream ends or is dropped.
/// `input_estimate` counts as the input of a stream that ends before its provider reports any.
pub(super) fn observe(
    stream: EventStream,
    input_estimate: u64,
    observer: impl FnOnce(Response, StreamEnd) + Send + 'static,
) -> EventStream {
    Observed {
        stream,
        collector: StreamCollector::with_input_estimate(input_estimate),
        observer: Some(Box::new(observer)),
    }
    .boxed()
}

impl Observed {
    fn end(&mut self, end: StreamEnd) {
        if let Some(observer) = self.observer.take() {
            observer(self.collector.to_response(), end);
        }
    }
}

impl Stream for Observed {
    type Item = Result<StreamEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.stream.as_mut().poll_next(context);
        match &polled {
            Poll::Ready(Some(Ok(event))) => {
                self.collector.process_event(event);
                if self.collector.is_finished() {
                    self.end(StreamEnd::Complete);
                }
            }
            Poll::Ready(Some(Err(error))) => {
                let error = error.clone();
                self.end(StreamEnd::Failed(error));
            }
            Poll::Ready(None) => self.end(StreamEnd::Dropped),
            Poll::Pending => {}
        }
        polled
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        self.end(StreamEnd::Dropped);
    }
}
