//! Assembles the events of a stream into a response, also of a stream that broke off.

use std::collections::BTreeMap;

use futures::StreamExt;

use crate::content::{ContentPart, TextContent, ThinkingContent, ToolCallContent};
use crate::error::Error;
use crate::event::{EventStream, StreamEvent};
use crate::message::Role;
use crate::response::{Finish, FinishReason, Response, Warning};
use crate::usage::{TokenUsage, estimate_tokens};

/// Another name for [`StreamCollector`].
pub type StreamAccumulator = StreamCollector;

/// Assembles events into a response.
///
/// ```
/// use attractor_llm::{StreamCollector, StreamEvent};
///
/// let mut collector = StreamCollector::default();
/// for text in ["Hel", "lo"] {
///     collector.process_event(&StreamEvent::TextDelta { part: 0, text: text.to_owned() });
/// }
/// assert_eq!(collector.to_response().text(), "Hello");
/// ```
#[derive(Debug, Clone, Default)]
pub struct StreamCollector {
    parts: BTreeMap<usize, ContentPart>,
    start: Option<StreamEvent>,
    finish: Option<StreamEvent>,
    input_estimate: u64,
    /// What answers used that failed before this one, and who gave them.
    failed: Option<Box<Response>>,
    warnings: Vec<Warning>,
}

impl StreamCollector {
    /// A collector that counts `tokens` as the input of a stream which ends before its provider reports any.
    pub fn with_input_estimate(tokens: u64) -> Self {
        Self {
            input_estimate: tokens,
            ..Self::default()
        }
    }

    /// Takes one event.
    pub fn process_event(&mut self, event: &StreamEvent) {
        match event {
            // A second start begins the answer again: the first one was given up.
            StreamEvent::StreamStart { .. } => {
                self.parts.clear();
                self.start = Some(event.clone());
            }
            StreamEvent::TextDelta { part, text } => {
                let empty = || ContentPart::Text(TextContent::default());
                if let ContentPart::Text(open) = self.parts.entry(*part).or_insert_with(empty) {
                    open.text.push_str(text);
                }
            }
            StreamEvent::ReasoningDelta { part, text } => {
                let empty = || ContentPart::Thinking(ThinkingContent::default());
                if let ContentPart::Thinking(open) = self.parts.entry(*part).or_insert_with(empty) {
                    open.text.push_str(text);
                }
            }
            StreamEvent::ToolCallStart { part, tool_call } => {
                self.parts
                    .insert(*part, ContentPart::ToolCall(unfinished(tool_call)));
            }
            StreamEvent::ToolCallDelta { part, text } => {
                if let Some(ContentPart::ToolCall(open)) = self.parts.get_mut(part) {
                    open.arguments_json.push_str(text);
                }
            }
            StreamEvent::ToolCallEnd { part, tool_call } => {
                self.parts
                    .insert(*part, ContentPart::ToolCall(tool_call.clone()));
            }
            StreamEvent::PartEnd { part, content } => {
                self.parts.insert(*part, content.clone());
            }
            StreamEvent::Retry { .. } => self.begin_again(),
            StreamEvent::Warning { warning } => self.warnings.push(warning.clone()),
            StreamEvent::Finish { .. } => self.finish = Some(event.clone()),
        }
    }

    /// The answer failed; what it used remains, if the provider had begun it.
    fn begin_again(&mut self) {
        if self.start.is_some() {
            let mut failed = self.to_response();
            failed.message.content.clear();
            self.failed = Some(Box::new(failed));
        }
        self.parts.clear();
        self.start = None;
        self.finish = None;
    }

    /// The response so far. Without a finish event its reason is `error`, and its usage is estimated.
    pub fn to_response(&self) -> Response {
        let mut response = Response::empty("", "");
        let mut known = TokenUsage::default();
        if let Some(StreamEvent::StreamStart {
            provider,
            model,
            id,
            usage,
            warnings,
            rate_limit,
        }) = &self.start
        {
            response.provider.clone_from(provider);
            response.model.clone_from(model);
            response.provider_response_id.clone_from(id);
            response.warnings.clone_from(warnings);
            response.rate_limit.clone_from(rate_limit);
            known = usage.unwrap_or_default();
        }
        response.warnings.extend(self.warnings.iter().cloned());
        response.message.role = Role::Assistant;
        response.message.content = self.parts.values().cloned().collect();
        if let Some(StreamEvent::Finish {
            finish,
            usage,
            latency_ms,
            metadata,
        }) = &self.finish
        {
            response.finish = finish.clone();
            response.usage = *usage;
            response.latency_ms = *latency_ms;
            response.metadata.clone_from(metadata);
        } else {
            response.finish = Finish {
                reason: FinishReason::Error,
                ..Finish::default()
            };
            response.usage = self.estimate(known);
        }
        if let Some(failed) = &self.failed {
            response.usage += failed.usage;
            if self.start.is_none() {
                response.provider.clone_from(&failed.provider);
                response.model.clone_from(&failed.model);
            }
        }
        response
    }

    /// Whether the stream delivered its last event.
    pub const fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether anything of the answer was delivered.
    pub fn has_content(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Reads a stream to its end.
    pub async fn collect(mut stream: EventStream) -> Result<Response, Error> {
        let mut collector = Self::default();
        while let Some(event) = stream.next().await {
            collector.process_event(&event?);
        }
        Ok(collector.to_response())
    }

    /// What a stream that broke off has used: the provider's figures so far, and the text received.
    fn estimate(&self, known: TokenUsage) -> TokenUsage {
        let (mut output, mut reasoning) = (0_u64, 0_u64);
        for part in self.parts.values() {
            match part {
                ContentPart::Text(text) => output += estimate_tokens(&text.text),
                ContentPart::ToolCall(call) => output += estimate_tokens(&call.arguments_json),
                ContentPart::Thinking(thinking) => reasoning += estimate_tokens(&thinking.text),
                _ => {}
            }
        }
        let has_begun = self.start.is_some() || !self.parts.is_empty() || self.failed.is_none();
        let input = match known.input_tokens {
            0 if !has_begun => 0,
            0 => self.input_estimate,
            reported => reported,
        };
        TokenUsage {
            input_tokens: input,
            output_tokens: known.output_tokens.max(output + reasoning),
            reasoning_tokens: known
                .reasoning_tokens
                .or((reasoning > 0).then_some(reasoning)),
            estimated: true,
            ..known
        }
    }
}

/// A call whose arguments are not complete must not be executed.
fn unfinished(call: &ToolCallContent) -> ToolCallContent {
    let invalid = Some("the stream ended before the arguments were complete".to_owned());
    ToolCallContent {
        invalid,
        ..call.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> StreamEvent {
        StreamEvent::StreamStart {
            provider: "anthropic".into(),
            model: "m".into(),
            id: "msg_1".into(),
            usage: Some(TokenUsage {
                input_tokens: 7,
                ..TokenUsage::default()
            }),
            warnings: Vec::new(),
            rate_limit: None,
        }
    }

    #[test]
    fn a_stream_that_broke_off_has_estimated_usage_and_no_executable_call() {
        let mut collector = StreamCollector::default();
        collector.process_event(&start());
        collector.process_event(&StreamEvent::TextDelta {
            part: 0,
            text: "12345678".into(),
        });
        let call = ToolCallContent::parse("c", "f", "");
        collector.process_event(&StreamEvent::ToolCallStart {
            part: 1,
            tool_call: call,
        });
        collector.process_event(&StreamEvent::ToolCallDelta {
            part: 1,
            text: "{\"a\":".into(),
        });
        let response = collector.to_response();
        assert_eq!(response.finish.reason, FinishReason::Error);
        assert_eq!(
            (response.usage.input_tokens, response.usage.output_tokens),
            (7, 4)
        );
        assert!(response.usage.estimated);
        let unreported = StreamCollector::with_input_estimate(12).to_response().usage;
        assert_eq!((unreported.input_tokens, unreported.estimated), (12, true));
        assert!(response.message.tool_calls()[0].invalid.is_some());
    }
}
