//! Answers of Chat Completions. A whole answer is read as a stream of one chunk.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::finish::{reason, usage};
use super::open_calls::{OpenCalls, Place};
use super::reasoning_details::ReasoningDetails;
use super::think_tags::{Piece, ThinkTags};
use super::wire::{Chunk, Delta, ToolCallDelta, Usage};
use crate::collector::StreamCollector;
use crate::content::{ContentPart, ProviderState, RefusalContent, TextContent, ThinkingContent};
use crate::error::{Error, ErrorKind};
use crate::event::StreamEvent;
use crate::http::{Call, Progress, StreamDecoder};
use crate::providers::openai;
use crate::response::{Finish, Response};
use crate::sse::ServerSentEvent;
use crate::usage::{TokenUsage, estimate_tokens};

/// A whole answer.
pub(super) fn response(call: &Call<'_>, provider: &str, body: &Value) -> Result<Response, Error> {
    let mut decoder = Decoder::new(call, provider);
    let mut events = Vec::new();
    decoder.chunk(body, &mut events)?;
    decoder.end(&mut events)?;
    let mut collector = StreamCollector::default();
    for event in &events {
        collector.process_event(event);
    }
    Ok(collector.to_response())
}

/// Reads one stream.
pub(super) struct Decoder {
    provider: String,
    model: String,
    id: String,
    prompt_estimate: u64,
    has_started: bool,
    tags: ThinkTags,
    open: Option<OpenText>,
    refusal: String,
    details: ReasoningDetails,
    calls: OpenCalls,
    next_part: usize,
    output_estimate: u64,
    finish: Option<String>,
    usage: Option<Usage>,
    is_done: bool,
}

struct OpenText {
    part: usize,
    is_thinking: bool,
    text: String,
}

impl Decoder {
    pub(super) fn new(call: &Call<'_>, provider: &str) -> Self {
        let prompt: u64 = call
            .request
            .messages
            .iter()
            .map(|message| estimate_tokens(&message.text()))
            .sum();
        Self {
            provider: provider.to_owned(),
            model: call.model.id.clone(),
            id: String::new(),
            prompt_estimate: prompt + estimate_tokens(&call.request.system_prompt),
            has_started: false,
            tags: ThinkTags::default(),
            open: None,
            refusal: String::new(),
            details: ReasoningDetails::default(),
            calls: OpenCalls::default(),
            next_part: 0,
            output_estimate: 0,
            finish: None,
            usage: None,
            is_done: false,
        }
    }

    fn chunk(&mut self, value: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Error> {
        let chunk = Chunk::deserialize(value).map_err(|error| {
            Error::new(
                ErrorKind::InvalidResponse,
                format!("cannot read the answer: {error}"),
            )
        })?;
        if chunk.error.as_ref().is_some_and(|error| !error.is_null()) {
            let mut error = openai::decode_error(None, value);
            error.data_mut().raw = Some(value.clone());
            return Err(error);
        }
        if !self.has_started {
            self.has_started = true;
            self.model = chunk
                .model
                .filter(|model| !model.is_empty())
                .unwrap_or_else(|| self.model.clone());
            self.id = chunk.id.unwrap_or_default();
            out.push(StreamEvent::StreamStart {
                provider: self.provider.clone(),
                model: self.model.clone(),
                id: self.id.clone(),
                usage: None,
                warnings: Vec::new(),
                rate_limit: None,
            });
        }
        if chunk.usage.is_some() {
            self.usage = chunk.usage;
        }
        if let Some(choice) = chunk.choices.into_iter().next() {
            self.delta(choice.delta, out);
            if choice.finish_reason.is_some() {
                self.finish = choice.finish_reason;
            }
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta, out: &mut Vec<StreamEvent>) {
        self.details.push(delta.reasoning_details);
        // Some servers fill both fields with the same text.
        if let Some(thinking) = delta.reasoning_content.or(delta.reasoning) {
            self.text(&thinking, true, out);
        }
        let content = match delta.content {
            Some(Value::String(text)) => text,
            Some(Value::Array(parts)) => {
                let texts = parts
                    .iter()
                    .filter_map(|part| part.get("text").and_then(Value::as_str));
                texts.collect()
            }
            _ => String::new(),
        };
        for piece in self.tags.push(&content) {
            self.piece(&piece, out);
        }
        if let Some(refusal) = delta.refusal {
            self.refusal.push_str(&refusal);
        }
        let count = delta.tool_calls.len();
        for (position, call) in delta.tool_calls.into_iter().enumerate() {
            self.call(call, Place { position, count }, out);
        }
    }

    fn piece(&mut self, piece: &Piece, out: &mut Vec<StreamEvent>) {
        match piece {
            Piece::Thinking(text) => self.text(text, true, out),
            Piece::Text(text) => self.text(text, false, out),
        }
    }

    fn text(&mut self, text: &str, is_thinking: bool, out: &mut Vec<StreamEvent>) {
        if text.is_empty() {
            return;
        }
        self.output_estimate += estimate_tokens(text);
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.is_thinking != is_thinking)
        {
            self.close_text(out);
        }
        if self.open.is_none() {
            let part = self.number();
            self.open = Some(OpenText {
                part,
                is_thinking,
                text: String::new(),
            });
        }
        let Some(open) = &mut self.open else { return };
        open.text.push_str(text);
        let (part, text) = (open.part, text.to_owned());
        out.push(if is_thinking {
            StreamEvent::ReasoningDelta { part, text }
        } else {
            StreamEvent::TextDelta { part, text }
        });
    }

    fn call(&mut self, delta: ToolCallDelta, place: Place, out: &mut Vec<StreamEvent>) {
        let found = self.calls.find(&delta, place).unwrap_or_else(|| {
            self.close_text(out);
            let part = self.number();
            let tool_call = self.calls.begin(&delta, part, &self.id);
            out.push(StreamEvent::ToolCallStart { part, tool_call });
            self.calls.len() - 1
        });
        let text = match &delta.function.arguments {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            Some(object) => object.to_string(),
        };
        self.output_estimate += estimate_tokens(&text);
        let Some(open) = self.calls.get_mut(found) else {
            return;
        };
        open.add(&text, delta.extra_content);
        if !text.is_empty() {
            let part = open.part;
            out.push(StreamEvent::ToolCallDelta { part, text });
        }
    }

    fn close_text(&mut self, out: &mut Vec<StreamEvent>) {
        let Some(open) = self.open.take() else { return };
        let content = if open.is_thinking {
            ContentPart::Thinking(ThinkingContent {
                text: open.text,
                signature: None,
                state: Some(self.state(Value::Null)),
            })
        } else {
            ContentPart::Text(TextContent {
                text: open.text,
                state: None,
            })
        };
        out.push(StreamEvent::PartEnd {
            part: open.part,
            content,
        });
    }

    fn state(&self, data: Value) -> ProviderState {
        ProviderState {
            provider: self.provider.clone(),
            model: self.model.clone(),
            data,
        }
    }

    fn number(&mut self) -> usize {
        self.next_part += 1;
        self.next_part - 1
    }

    fn complete(&mut self, raw: &str, out: &mut Vec<StreamEvent>) {
        self.is_done = true;
        if let Some(piece) = self.tags.finish() {
            self.piece(&piece, out);
        }
        self.close_text(out);
        // A part of its own, since they may come after text and calls.
        if let Some(data) = self.details.take() {
            let part = self.number();
            let thinking = ThinkingContent {
                state: Some(self.state(data)),
                ..ThinkingContent::default()
            };
            let content = ContentPart::Thinking(thinking);
            out.push(StreamEvent::PartEnd { part, content });
        }
        let refusal = std::mem::take(&mut self.refusal);
        if !refusal.is_empty() {
            let part = self.number();
            let content = ContentPart::Refusal(RefusalContent {
                text: refusal.clone(),
                state: None,
            });
            out.push(StreamEvent::PartEnd { part, content });
        }
        let mut calls = std::mem::take(&mut self.calls).into_iter().peekable();
        let has_calls = calls.peek().is_some();
        while let Some(call) = calls.next() {
            let part = call.part;
            let mut tool_call = call.complete(|data| self.state(data));
            if raw == "length" && calls.peek().is_none() {
                tool_call
                    .invalid
                    .get_or_insert_with(|| "the answer was cut off at the output limit".to_owned());
            }
            out.push(StreamEvent::ToolCallEnd { part, tool_call });
        }
        let reason = reason(raw, has_calls, !refusal.is_empty());
        let usage = self.usage.as_ref().map_or_else(|| self.estimate(), usage);
        out.push(StreamEvent::Finish {
            finish: Finish::new(reason, raw),
            usage,
            latency_ms: 0.0,
            metadata: Map::new(),
        });
    }

    /// For servers that report no usage.
    fn estimate(&self) -> TokenUsage {
        TokenUsage {
            input_tokens: self.prompt_estimate,
            output_tokens: self.output_estimate,
            estimated: true,
            ..TokenUsage::default()
        }
    }
}

impl StreamDecoder for Decoder {
    fn event(
        &mut self,
        event: &ServerSentEvent,
        out: &mut Vec<StreamEvent>,
    ) -> Result<Progress, Error> {
        if event.data.trim() == "[DONE]" {
            self.end(out)?;
            return Ok(Progress::Done);
        }
        let value: Value = serde_json::from_str(&event.data).map_err(|error| {
            Error::new(
                ErrorKind::InvalidResponse,
                format!("cannot read the answer: {error}"),
            )
        })?;
        self.chunk(&value, out)?;
        Ok(Progress::More)
    }

    fn end(&mut self, out: &mut Vec<StreamEvent>) -> Result<(), Error> {
        if self.is_done {
            return Ok(());
        }
        match self.finish.take() {
            Some(raw) => {
                self.complete(&raw, out);
                Ok(())
            }
            None => Err(Error::new(
                ErrorKind::Stream,
                "the stream ended before the answer was complete",
            )),
        }
    }
}
