//! A streaming call over all of its attempts: retries, then the models to fall back to.

use std::time::Duration;

use futures::StreamExt;

use super::{Client, fallback};
use crate::error::{Error, ErrorKind};
use crate::event::{EventStream, StreamEvent};
use crate::request::Request;
use crate::response::{Response, Warning};
use crate::retry::RetryPolicy;

impl Client {
    /// The events of a call over all of its attempts. An error before the first content is the call's, unless the policy
    /// has [`after_content`](RetryPolicy::after_content).
    pub(super) async fn stream_attempts(&self, request: Request) -> Result<EventStream, Error> {
        let delivers_errors = self.policy(&request).after_content;
        let stream = Attempts::stream(self.clone(), request);
        if delivers_errors {
            Ok(stream)
        } else {
            first_content(stream).await
        }
    }

    /// Waits for a whole answer, over all attempts with one model.
    pub(super) async fn complete_with_retries(&self, request: &Request) -> Result<Response, Error> {
        let adapter = self.detect_provider(&request.model, request.provider.as_deref())?;
        let policy = self.policy(request);
        let mut attempt = 0;
        loop {
            match adapter.complete(request).await {
                Ok(response) if attempt == 0 => return Ok(response),
                Ok(mut response) => {
                    response
                        .metadata
                        .insert("retries".to_owned(), attempt.into());
                    return Ok(response);
                }
                Err(error) => {
                    let Some(wait) = policy.wait(attempt, &error) else {
                        return Err(error);
                    };
                    attempt += 1;
                    tracing::info!(model = %request.model, kind = %error.kind(), attempt, ?wait, "retrying a failed call");
                    pause(wait, request).await?;
                }
            }
        }
    }
}

/// The state of a call between two events.
struct Attempts {
    client: Client,
    request: Request,
    policy: RetryPolicy,
    /// Retries with the present model.
    retries: u32,
    /// What to say at the start of the answer: which models were given up.
    warnings: Vec<Warning>,
    next: NextAttempt,
    has_content: bool,
}

/// What to do for the next event.
enum NextAttempt {
    Open,
    Read(EventStream),
    Wait(Duration),
    End,
}

impl Attempts {
    /// The events of a call. An error is the last one.
    fn stream(client: Client, request: Request) -> EventStream {
        let attempts = Self {
            policy: client.policy(&request),
            client,
            request,
            retries: 0,
            warnings: Vec::new(),
            next: NextAttempt::Open,
            has_content: false,
        };
        futures::stream::unfold(attempts, |mut attempts| async move {
            let item = attempts.next().await?;
            Some((item, attempts))
        })
        .boxed()
    }

    async fn next(&mut self) -> Option<Result<StreamEvent, Error>> {
        loop {
            let failed = match std::mem::replace(&mut self.next, NextAttempt::End) {
                NextAttempt::End => return None,
                NextAttempt::Wait(time) => {
                    if let Err(cancelled) = pause(time, &self.request).await {
                        return Some(Err(cancelled));
                    }
                    self.next = NextAttempt::Open;
                    continue;
                }
                NextAttempt::Open => match self.client.open(&self.request).await {
                    Ok(stream) => {
                        self.next = NextAttempt::Read(stream);
                        continue;
                    }
                    Err(error) => error,
                },
                NextAttempt::Read(mut stream) => match stream.next().await? {
                    Ok(event) => {
                        self.next = NextAttempt::Read(stream);
                        return Some(Ok(self.deliver(event)));
                    }
                    Err(error) => error,
                },
            };
            match self.again(failed) {
                Ok(Some(retry)) => return Some(Ok(retry)),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Prepares another attempt; the error if there is none.
    fn again(&mut self, error: Error) -> Result<Option<StreamEvent>, Error> {
        if self.has_content && !self.policy.after_content {
            return Err(error);
        }
        let Some(wait) = self.policy.wait(self.retries, &error) else {
            let message = error.to_string();
            fallback::next(&mut self.request, error, &mut self.warnings)?;
            self.policy = self.client.policy(&self.request);
            self.retries = 0;
            self.next = NextAttempt::Open;
            return Ok(self.announce(message, Duration::ZERO));
        };
        self.retries += 1;
        tracing::info!(model = %self.request.model, kind = %error.kind(), attempt = self.retries, ?wait, "retrying a failed call");
        self.next = NextAttempt::Wait(wait);
        Ok(self.announce(error.to_string(), wait))
    }

    /// The event of another attempt, for callers that expect it.
    fn announce(&self, error: String, wait: Duration) -> Option<StreamEvent> {
        self.policy.after_content.then(|| StreamEvent::Retry {
            error,
            attempt: self.retries,
            max_retries: self.policy.max_retries,
            delay_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
        })
    }

    fn deliver(&mut self, mut event: StreamEvent) -> StreamEvent {
        match &mut event {
            StreamEvent::StreamStart { warnings, .. } => {
                warnings.splice(0..0, std::mem::take(&mut self.warnings));
            }
            StreamEvent::Finish { metadata, .. } => {
                self.has_content = true;
                if self.retries > 0 {
                    metadata.insert("retries".to_owned(), self.retries.into());
                }
            }
            _ => self.has_content = true,
        }
        event
    }
}

/// Waits before another attempt; a cancellation ends the call.
async fn pause(time: Duration, request: &Request) -> Result<(), Error> {
    tokio::select! {
        () = tokio::time::sleep(time) => Ok(()),
        () = request.cancel.cancelled() => Err(Error::new(ErrorKind::Cancelled, "the call was cancelled")),
    }
}

/// Reads a stream until something of the answer arrives, and puts it back in front: an error before that is the call's.
async fn first_content(mut stream: EventStream) -> Result<EventStream, Error> {
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await {
        let event = event?;
        let is_start = matches!(event, StreamEvent::StreamStart { .. });
        seen.push(Ok(event));
        if !is_start {
            break;
        }
    }
    Ok(futures::stream::iter(seen).chain(stream).boxed())
}
