//! Reads an event stream from a connection, only as fast as its consumer asks for events.

use std::collections::VecDeque;
use std::time::Duration;

use futures::StreamExt;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::protocol::{Progress, StreamDecoder};
use super::read::{cancellable, milliseconds, network_error};
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::redact::{Redactor, redact_error};
use crate::response::{RateLimit, Warning};
use crate::sse::{ServerSentEvent, SseDecoder};

/// Bytes that count as progress although they end no line: a long line of a fast connection.
const PROGRESS_BYTES: usize = 16 * 1024;

/// What a stream needs besides its connection.
pub(super) struct Context {
    pub(super) idle: Duration,
    pub(super) cancel: CancellationToken,
    pub(super) provider: String,
    pub(super) model: String,
    pub(super) warnings: Vec<Warning>,
    pub(super) rate_limit: Option<RateLimit>,
    pub(super) redactor: Redactor,
    pub(super) now: Timestamp,
    pub(super) started: Instant,
}

struct EventReader {
    // `None` once the answer is complete or broken: dropping it closes the connection.
    response: Option<reqwest::Response>,
    sse: SseDecoder,
    decoder: Box<dyn StreamDecoder>,
    context: Context,
    ready: VecDeque<StreamEvent>,
    failed: Option<Error>,
    has_started: bool,
    idle_since: Instant,
    unfinished_bytes: usize,
}

/// The events of an answer.
pub(super) fn events(
    response: reqwest::Response,
    decoder: Box<dyn StreamDecoder>,
    context: Context,
) -> EventStream {
    let reader = EventReader {
        response: Some(response),
        sse: SseDecoder::default(),
        decoder,
        context,
        ready: VecDeque::new(),
        failed: None,
        has_started: false,
        idle_since: Instant::now(),
        unfinished_bytes: 0,
    };
    futures::stream::unfold(reader, |mut reader| async move {
        let item = reader.next().await?;
        Some((item, reader))
    })
    .boxed()
}

impl EventReader {
    async fn next(&mut self) -> Option<Result<StreamEvent, Error>> {
        // The time the consumer took is not the provider's.
        self.idle_since = Instant::now();
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if let Some(error) = self.failed.take() {
                return Some(Err(self.explain(error)));
            }
            self.response.as_ref()?;
            if let Err(error) = self.read().await {
                self.response = None;
                self.failed = Some(error);
            }
        }
    }

    /// Reads one chunk; its events are ready afterwards, also those before an error.
    async fn read(&mut self) -> Result<(), Error> {
        let Some(response) = &mut self.response else {
            return Ok(());
        };
        let idle = self.context.idle;
        let next = async {
            match tokio::time::timeout_at(self.idle_since + idle, response.chunk()).await {
                Ok(chunk) => chunk.map_err(network_error),
                Err(_) => Err(Error::new(
                    ErrorKind::Timeout,
                    format!("the stream stalled: no event for {idle:?}"),
                )),
            }
        };
        let chunk = cancellable(&self.context.cancel, next).await;
        let mut out = Vec::new();
        let result = match chunk {
            Ok(Some(chunk)) => self.take(&chunk, &mut out),
            Ok(None) => {
                self.response = None;
                self.decoder.end(&mut out)
            }
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            // What lacks may be no more than the end of the connection: an answer that is complete is one.
            Err(error) => match self.decoder.end(&mut out) {
                Ok(()) => {
                    self.response = None;
                    Ok(())
                }
                Err(_) => Err(error),
            },
        };
        for event in out {
            self.deliver(event);
        }
        result
    }

    fn take(&mut self, chunk: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), Error> {
        self.unfinished_bytes += chunk.len();
        if chunk.contains(&b'\n')
            || chunk.contains(&b'\r')
            || self.unfinished_bytes >= PROGRESS_BYTES
        {
            self.idle_since = Instant::now();
            self.unfinished_bytes = 0;
        }
        let mut events: Vec<ServerSentEvent> = Vec::new();
        let decoded = self.sse.push(chunk, &mut events);
        for event in &events {
            if self.decoder.event(event, out)? == Progress::Done {
                self.response = None;
                return Ok(());
            }
        }
        decoded
    }

    /// Completes an event with what only the connection knows. A stream always begins with `StreamStart`.
    fn deliver(&mut self, mut event: StreamEvent) {
        match &mut event {
            StreamEvent::StreamStart {
                warnings,
                rate_limit,
                provider,
                model,
                ..
            } => {
                self.has_started = true;
                warnings.extend(self.context.warnings.iter().cloned());
                rate_limit.clone_from(&self.context.rate_limit);
                provider.clone_from(&self.context.provider);
                if model.is_empty() {
                    model.clone_from(&self.context.model);
                }
            }
            StreamEvent::Finish { latency_ms, .. } => {
                *latency_ms = milliseconds(self.context.started);
            }
            _ => {}
        }
        if !self.has_started {
            self.deliver(StreamEvent::StreamStart {
                provider: String::new(),
                model: String::new(),
                id: String::new(),
                usage: None,
                warnings: Vec::new(),
                rate_limit: None,
            });
        }
        self.ready.push_back(event);
    }

    fn explain(&self, error: Error) -> Error {
        let mut error = error.of(&self.context.provider, &self.context.model);
        let data = error.data_mut();
        if let (Some(wait), None) = (data.retry_after, data.available_at) {
            let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
            data.available_at = self.context.now.checked_add(wait).ok();
        }
        redact_error(&self.context.redactor, error)
    }
}
