//! One call of the model: its text and reasoning become events, its cost is booked.

use std::time::{Duration, Instant};

use attractor_llm::{Client, Error, ErrorKind, Request, Response, StreamCollector, StreamEvent};
use futures::StreamExt;

use crate::budget::Budget;
use crate::event::{AgentEventKind, EventEmitter};

/// What a call needs besides the request.
pub(super) struct ModelCall<'c> {
    pub(super) client: &'c Client,
    pub(super) events: &'c EventEmitter,
    pub(super) budget: &'c Budget,
}

impl ModelCall<'_> {
    /// Calls the model. Ends early when the request is cancelled.
    pub(super) async fn run(&self, request: Request) -> Result<Response, Error> {
        let begun = Instant::now();
        let cancel = request.cancel.clone();
        let requested = requested(&request);
        let mut collector = StreamCollector::default();
        let mut text = OpenText::default();
        let result = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Error::new(ErrorKind::Cancelled, "the call was cancelled")),
            result = self.read(request, &mut collector, &mut text) => result,
        };
        text.close(self.events);
        let response = collector.to_response();
        if !response.model.is_empty() {
            self.book(&requested, &response, begun.elapsed());
        }
        result.map(|()| response)
    }

    async fn read(
        &self,
        request: Request,
        collector: &mut StreamCollector,
        text: &mut OpenText,
    ) -> Result<(), Error> {
        let mut events = self.client.stream(request).await?;
        while let Some(event) = events.next().await {
            let event = event?;
            match &event {
                StreamEvent::TextDelta { text: piece, .. } => text.add(piece, self.events),
                StreamEvent::ReasoningDelta { text: piece, .. } => {
                    self.events.emit(AgentEventKind::ThinkingDelta {
                        text: piece.clone(),
                    });
                }
                // After a start that is not the first one the answer begins again, by another model for example.
                StreamEvent::StreamStart { .. } | StreamEvent::ToolCallStart { .. } => {
                    text.close(self.events);
                }
                _ => {}
            }
            collector.process_event(&event);
            self.events.flow().await;
        }
        Ok(())
    }

    fn book(&self, requested: &[String], response: &Response, took: Duration) {
        let cost = self.client.cost(requested, response);
        self.budget
            .add_usage(&response.usage, cost.unwrap_or_default());
        self.events.emit(AgentEventKind::ModelUsage {
            provider: response.provider.clone(),
            model: response.model.clone(),
            usage: response.usage,
            cost,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            finish_reason: response.finish.reason.as_str().to_owned(),
        });
    }
}

/// The models that may answer.
fn requested(request: &Request) -> Vec<String> {
    let fallback = request.fallback_models.iter().cloned();
    std::iter::once(request.model.clone())
        .chain(fallback)
        .collect()
}

/// The text the model writes at the moment.
#[derive(Default)]
struct OpenText(Option<String>);

impl OpenText {
    fn add(&mut self, piece: &str, events: &EventEmitter) {
        if piece.is_empty() {
            return;
        }
        if self.0.is_none() {
            events.emit(AgentEventKind::AssistantTextStart {});
        }
        self.0.get_or_insert_default().push_str(piece);
        events.emit(AgentEventKind::AssistantTextDelta {
            text: piece.to_owned(),
        });
    }

    fn close(&mut self, events: &EventEmitter) {
        if let Some(text) = self.0.take() {
            events.emit(AgentEventKind::AssistantTextEnd { text });
        }
    }
}
