//! One call of the model: its text and reasoning become events, its cost is booked.

use std::time::{Duration, Instant};

use attractor_llm::{
    Client, Error, ErrorKind, MoreText, Request, Response, ShownText, StreamCollector, StreamEvent,
};
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
        let mut text = OpenText::new(self.events);
        let result = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Error::new(ErrorKind::Cancelled, "the call was cancelled")),
            result = self.read(request, &mut collector, &mut text) => result,
        };
        text.close();
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
        text: &mut OpenText<'_>,
    ) -> Result<(), Error> {
        let requested = requested(&request);
        let mut events = self.client.stream(request).await?;
        while let Some(event) = events.next().await {
            let event = event?;
            match &event {
                StreamEvent::TextDelta { text: piece, .. } => text.add(piece),
                StreamEvent::ReasoningDelta { text: piece, .. } => text.think(piece),
                StreamEvent::Retry { .. } => {
                    text.begin_again();
                    if let Some(message) = event.retry_notice() {
                        self.events.emit(AgentEventKind::Warning { message });
                    }
                }
                StreamEvent::ToolCallStart { .. } => text.close(),
                _ => {}
            }
            collector.process_event(&event);
            if let StreamEvent::Retry { error, .. } = &event {
                self.check_budget(&requested, collector, error)?;
            }
            self.events.flow().await;
        }
        Ok(())
    }

    /// Whether the rest of the budget is for another answer, after one that failed.
    fn check_budget(
        &self,
        requested: &[String],
        collector: &StreamCollector,
        failure: &str,
    ) -> Result<(), Error> {
        let failed = collector.to_response();
        let cost = self.client.cost(requested, &failed).unwrap_or_default();
        let tokens = self.budget.tokens_left();
        let is_used_up = tokens.is_some_and(|left| failed.usage.total_tokens() >= left)
            || self.budget.cost_left().is_some_and(|left| cost >= left);
        if is_used_up {
            let message = format!("{failure}; the budget is used up");
            return Err(Error::new(ErrorKind::BudgetExceeded, message));
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

/// The text and the reasoning that the model writes at the moment. What an answer repeats that failed and begins again is
/// not reported twice.
struct OpenText<'e> {
    events: &'e EventEmitter,
    open: Option<String>,
    text: ShownText,
    reasoning: ShownText,
}

impl<'e> OpenText<'e> {
    fn new(events: &'e EventEmitter) -> Self {
        Self {
            events,
            open: None,
            text: ShownText::default(),
            reasoning: ShownText::default(),
        }
    }

    fn begin_again(&mut self) {
        self.text.begin_again();
        self.reasoning.begin_again();
    }

    fn think(&mut self, piece: &str) {
        match self.reasoning.add(piece) {
            MoreText::Nothing => {}
            MoreText::Continues(text) | MoreText::Differs(text) => {
                self.events.emit(AgentEventKind::ThinkingDelta { text });
            }
        }
    }

    fn add(&mut self, piece: &str) {
        match self.text.add(piece) {
            MoreText::Nothing => {}
            MoreText::Continues(text) => self.emit(text),
            MoreText::Differs(text) => {
                self.close();
                self.emit(text);
            }
        }
    }

    fn emit(&mut self, text: String) {
        if self.open.is_none() {
            self.events.emit(AgentEventKind::AssistantTextStart {});
        }
        self.open.get_or_insert_default().push_str(&text);
        self.events
            .emit(AgentEventKind::AssistantTextDelta { text });
    }

    fn close(&mut self) {
        if let Some(text) = self.open.take() {
            self.events.emit(AgentEventKind::AssistantTextEnd { text });
        }
    }
}

impl Drop for OpenText<'_> {
    /// A call that is cancelled is dropped: what the model has written until then is complete.
    fn drop(&mut self) {
        self.close();
    }
}
