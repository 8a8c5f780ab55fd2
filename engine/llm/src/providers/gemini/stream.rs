//! Answers of the Gemini API. A whole answer is read as a stream of one chunk.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::PROVIDER;
use super::decode::{blocked, error, finish, unreadable, usage};
use super::open_call::OpenCall;
use super::wire::{Candidate, Chunk, Usage};
use crate::collector::StreamCollector;
use crate::content::{ContentPart, NativeContent, ProviderState, TextContent, ThinkingContent};
use crate::error::{Error, ErrorKind};
use crate::event::StreamEvent;
use crate::http::{Call, Progress, StreamDecoder};
use crate::response::{Finish, Response};
use crate::sse::ServerSentEvent;

/// A whole answer.
pub(super) fn response(call: &Call<'_>, body: &Value) -> Result<Response, Error> {
    let mut decoder = Decoder::new(call);
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
    model: String,
    has_started: bool,
    /// The text part in progress: pieces of text without signature are one part.
    open: Option<OpenText>,
    /// The call in progress, while its arguments arrive in pieces.
    call: Option<OpenCall>,
    next_part: usize,
    calls: usize,
    seed: String,
    finish: Option<Finish>,
    usage: Usage,
}

struct OpenText {
    part: usize,
    is_thought: bool,
    text: String,
}

impl Decoder {
    pub(super) fn new(call: &Call<'_>) -> Self {
        Self {
            model: call.model.id.clone(),
            has_started: false,
            open: None,
            call: None,
            next_part: 0,
            calls: 0,
            seed: String::new(),
            finish: None,
            usage: Usage::default(),
        }
    }

    fn chunk(&mut self, value: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Error> {
        if value.get("error").is_some() || value.get(0).is_some() {
            let mut error = error(None, value);
            error.data_mut().raw = Some(value.clone());
            return Err(error);
        }
        let chunk = Chunk::deserialize(value).map_err(|error| unreadable(&error))?;
        if let Some(usage) = chunk.usage_metadata {
            self.usage = usage;
        }
        if !self.has_started {
            self.has_started = true;
            self.model = chunk.model_version.unwrap_or_else(|| self.model.clone());
            self.seed = chunk.response_id.unwrap_or_default();
            out.push(StreamEvent::StreamStart {
                provider: PROVIDER.to_owned(),
                model: self.model.clone(),
                id: self.seed.clone(),
                usage: self.usage.prompt_token_count.map(|_| usage(&self.usage)),
                warnings: Vec::new(),
                rate_limit: None,
            });
        }
        if let Some(finish) = chunk.prompt_feedback.as_ref().and_then(blocked) {
            self.finish = Some(finish);
        }
        if let Some(candidate) = chunk.candidates.into_iter().next() {
            self.candidate(&candidate, out)?;
        }
        Ok(())
    }

    fn candidate(
        &mut self,
        candidate: &Candidate,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), Error> {
        for part in candidate.content.iter().flat_map(|content| &content.parts) {
            self.part(part, out);
        }
        if let Some(raw) = &candidate.finish_reason {
            self.finish = Some(finish(candidate, raw, self.calls > 0)?);
        }
        Ok(())
    }

    fn part(&mut self, part: &Value, out: &mut Vec<StreamEvent>) {
        let signature = part.get("thoughtSignature").and_then(Value::as_str);
        let is_thought = part
            .get("thought")
            .and_then(Value::as_bool)
            .unwrap_or_default();
        if let Some(call) = part.get("functionCall") {
            self.function_call(part, call, out);
        } else if let Some(text) = part.get("text").and_then(Value::as_str) {
            match signature {
                None => self.text(text, is_thought, out),
                // A signature belongs to its own part, even an empty one: neither is merged with anything.
                Some(signature) => self.signed_text(part, text, is_thought, signature, out),
            }
        } else if part.as_object().is_some_and(|fields| !fields.is_empty()) {
            self.close(out);
            let block = part
                .as_object()
                .and_then(|fields| fields.keys().next().cloned())
                .unwrap_or_default();
            let content = ContentPart::Native(NativeContent {
                block,
                state: self.state(part),
            });
            let number = self.number();
            out.push(StreamEvent::PartEnd {
                part: number,
                content,
            });
        }
    }

    fn text(&mut self, text: &str, is_thought: bool, out: &mut Vec<StreamEvent>) {
        if text.is_empty() {
            return;
        }
        self.close_call(false, out);
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.is_thought != is_thought)
        {
            self.close(out);
        }
        if self.open.is_none() {
            let part = self.number();
            self.open = Some(OpenText {
                part,
                is_thought,
                text: String::new(),
            });
        }
        if let Some(open) = &mut self.open {
            open.text.push_str(text);
            out.push(delta(open.part, text, is_thought));
        }
    }

    fn signed_text(
        &mut self,
        part: &Value,
        text: &str,
        is_thought: bool,
        signature: &str,
        out: &mut Vec<StreamEvent>,
    ) {
        self.close(out);
        let number = self.number();
        if !text.is_empty() {
            out.push(delta(number, text, is_thought));
        }
        let state = Some(self.state(part));
        let text = text.to_owned();
        let content = if is_thought {
            ContentPart::Thinking(ThinkingContent {
                text,
                signature: Some(signature.to_owned()),
                state,
            })
        } else {
            ContentPart::Text(TextContent { text, state })
        };
        out.push(StreamEvent::PartEnd {
            part: number,
            content,
        });
    }

    /// A call, whole or in pieces: a piece without a name continues the open call.
    fn function_call(&mut self, part: &Value, call: &Value, out: &mut Vec<StreamEvent>) {
        self.close_text(out);
        let text = |key: &str| {
            call.get(key)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        if let (Some(open), None) = (&mut self.call, text("name")) {
            open.add(call);
        } else {
            self.close_call(false, out);
            let number = self.number();
            // Older models give no ids; these are unique within a conversation by the id of the response.
            let id = text("id").map_or_else(
                || format!("call_{}_{}", self.seed, self.calls),
                str::to_owned,
            );
            self.calls += 1;
            let open = OpenCall::new(number, id, text("name").unwrap_or_default(), part);
            out.push(StreamEvent::ToolCallStart {
                part: number,
                tool_call: open.start(),
            });
            self.call = Some(open);
        }
        if !OpenCall::continues(call) {
            self.close_call(true, out);
        }
    }

    fn close_call(&mut self, is_complete: bool, out: &mut Vec<StreamEvent>) {
        let Some(open) = self.call.take() else { return };
        let number = open.part;
        let (mut tool_call, part) = open.finish(is_complete);
        tool_call.state = Some(self.state(&part));
        out.push(StreamEvent::ToolCallDelta {
            part: number,
            text: tool_call.arguments_json.clone(),
        });
        out.push(StreamEvent::ToolCallEnd {
            part: number,
            tool_call,
        });
    }

    /// The whole part, which is repeated as it is.
    fn state(&self, part: &Value) -> ProviderState {
        ProviderState {
            provider: PROVIDER.to_owned(),
            model: self.model.clone(),
            data: part.clone(),
        }
    }

    fn number(&mut self) -> usize {
        self.next_part += 1;
        self.next_part - 1
    }

    /// Ends what is in progress before a part of another kind. A call that was to continue is cut off.
    fn close(&mut self, out: &mut Vec<StreamEvent>) {
        self.close_call(false, out);
        self.close_text(out);
    }

    fn close_text(&mut self, out: &mut Vec<StreamEvent>) {
        let Some(open) = self.open.take() else { return };
        let content = if open.is_thought {
            ContentPart::Thinking(ThinkingContent {
                text: open.text,
                ..ThinkingContent::default()
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
}

fn delta(part: usize, text: &str, is_thought: bool) -> StreamEvent {
    let text = text.to_owned();
    if is_thought {
        StreamEvent::ReasoningDelta { part, text }
    } else {
        StreamEvent::TextDelta { part, text }
    }
}

impl StreamDecoder for Decoder {
    fn event(
        &mut self,
        event: &ServerSentEvent,
        out: &mut Vec<StreamEvent>,
    ) -> Result<Progress, Error> {
        if event.data.trim() == "[DONE]" {
            return Ok(Progress::More);
        }
        let value: Value = serde_json::from_str(&event.data).map_err(|error| unreadable(&error))?;
        self.chunk(&value, out)?;
        Ok(Progress::More)
    }

    /// The stream has no last event: it is complete when a finish reason came before its end.
    fn end(&mut self, out: &mut Vec<StreamEvent>) -> Result<(), Error> {
        let Some(finish) = self.finish.take() else {
            return Err(Error::new(
                ErrorKind::Stream,
                "the stream ended before the answer was complete",
            ));
        };
        self.close(out);
        let usage = usage(&self.usage);
        out.push(StreamEvent::Finish {
            finish,
            usage,
            latency_ms: 0.0,
            metadata: Map::new(),
        });
        Ok(())
    }
}
