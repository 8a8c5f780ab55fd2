//! Streams of the Messages API.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::PROVIDER;
use super::decode::{api_error, cut_off, finish, metadata, part, unreadable, usage};
use super::wire::{Answer, Event, MessageDelta, Usage};
use crate::content::{ContentPart, ToolCallContent};
use crate::error::{Error, ErrorKind};
use crate::event::StreamEvent;
use crate::http::{Progress, StreamDecoder};
use crate::response::{Finish, FinishReason};
use crate::sse::ServerSentEvent;

/// Reads one stream.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    model: String,
    blocks: BTreeMap<usize, OpenBlock>,
    /// A complete tool call, held back until it is clear that it was not cut off.
    held: Option<(usize, ContentPart)>,
    usage: Usage,
    finish: Option<Finish>,
    is_done: bool,
}

/// A block in progress: as it began, and the text of its deltas.
#[derive(Debug)]
struct OpenBlock {
    block: Map<String, Value>,
    json: String,
}

impl Decoder {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            ..Self::default()
        }
    }

    /// A second `message_start` begins the answer again: the first one was given up.
    fn start(&mut self, message: Answer, out: &mut Vec<StreamEvent>) {
        let model = if message.model.is_empty() {
            self.model.clone()
        } else {
            message.model
        };
        *self = Self {
            model,
            usage: message.usage,
            ..Self::default()
        };
        out.push(StreamEvent::StreamStart {
            provider: PROVIDER.to_owned(),
            model: self.model.clone(),
            id: message.id,
            usage: Some(usage(&self.usage)),
            warnings: Vec::new(),
            rate_limit: None,
        });
        for (index, block) in message.content.into_iter().enumerate() {
            self.block_start(index, block, out);
            self.block_stop(index, out);
        }
        if message.stop_reason.is_some() {
            self.finish = Some(finish(
                message.stop_reason.as_deref(),
                message.stop_sequence,
                message.stop_details,
            ));
        }
    }

    fn block_start(&mut self, index: usize, block: Value, out: &mut Vec<StreamEvent>) {
        self.release(out);
        let Value::Object(block) = block else { return };
        let text = |key: &str| {
            block
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        match text("type").as_str() {
            "text" => push_delta(out, index, text("text"), false),
            "thinking" => push_delta(out, index, text("thinking"), true),
            "tool_use" => {
                let tool_call = ToolCallContent::parse(text("id"), text("name"), "");
                out.push(StreamEvent::ToolCallStart {
                    part: index,
                    tool_call,
                });
            }
            _ => {}
        }
        self.blocks.insert(
            index,
            OpenBlock {
                block,
                json: String::new(),
            },
        );
    }

    fn block_delta(&mut self, index: usize, delta: &Value, out: &mut Vec<StreamEvent>) {
        let Some(open) = self.blocks.get_mut(&index) else {
            return;
        };
        let text = |key: &str| delta.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "text_delta" => {
                append(&mut open.block, "text", text("text"));
                push_delta(out, index, text("text").to_owned(), false);
            }
            "thinking_delta" => {
                append(&mut open.block, "thinking", text("thinking"));
                push_delta(out, index, text("thinking").to_owned(), true);
            }
            "signature_delta" => append(&mut open.block, "signature", text("signature")),
            "input_json_delta" => {
                open.json.push_str(text("partial_json"));
                let is_own = open
                    .block
                    .get("type")
                    .is_some_and(|kind| kind == "tool_use");
                if is_own && !text("partial_json").is_empty() {
                    out.push(StreamEvent::ToolCallDelta {
                        part: index,
                        text: text("partial_json").to_owned(),
                    });
                }
            }
            "citations_delta" => {
                let citations = open
                    .block
                    .entry("citations")
                    .or_insert_with(|| Value::Array(Vec::new()));
                if !citations.is_array() {
                    *citations = Value::Array(Vec::new());
                }
                if let (Value::Array(all), Some(one)) = (citations, delta.get("citation")) {
                    all.push(one.clone());
                }
            }
            // Deltas of blocks this version does not know, such as a compaction: their fields replace those of the block.
            _ => {
                let fields = delta
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(key, _)| *key != "type");
                open.block
                    .extend(fields.map(|(key, value)| (key.clone(), value.clone())));
            }
        }
    }

    fn block_stop(&mut self, index: usize, out: &mut Vec<StreamEvent>) {
        let Some(open) = self.blocks.remove(&index) else {
            return;
        };
        let content = open.into_part(&self.model);
        if matches!(content, ContentPart::ToolCall(_)) {
            // Blocks may be open at the same time: the one before is complete.
            self.release(out);
            self.held = Some((index, content));
        } else {
            out.push(StreamEvent::PartEnd {
                part: index,
                content,
            });
        }
    }

    fn message_delta(
        &mut self,
        delta: MessageDelta,
        more: Option<Usage>,
        out: &mut Vec<StreamEvent>,
    ) {
        if let Some(more) = more {
            self.usage.update(more);
        }
        if delta.stop_reason.is_some() {
            let finish = finish(
                delta.stop_reason.as_deref(),
                delta.stop_sequence,
                delta.stop_details,
            );
            if finish.reason == FinishReason::Length
                && let Some((_, content)) = &mut self.held
            {
                cut_off(content);
            }
            self.finish = Some(finish);
        }
        self.release(out);
    }

    fn release(&mut self, out: &mut Vec<StreamEvent>) {
        if let Some((part, ContentPart::ToolCall(tool_call))) = self.held.take() {
            out.push(StreamEvent::ToolCallEnd { part, tool_call });
        }
    }

    fn stop(&mut self, out: &mut Vec<StreamEvent>) {
        self.release(out);
        self.is_done = true;
        out.push(StreamEvent::Finish {
            finish: self.finish.take().unwrap_or_default(),
            usage: usage(&self.usage),
            latency_ms: 0.0,
            metadata: metadata(&self.usage),
        });
    }
}

impl OpenBlock {
    fn into_part(mut self, model: &str) -> ContentPart {
        if self.json.is_empty() {
            return part(model, &Value::Object(self.block));
        }
        let input = serde_json::from_str::<Value>(&self.json);
        let is_call = self
            .block
            .get("type")
            .is_some_and(|kind| kind == "tool_use");
        self.block.insert(
            "input".to_owned(),
            input.unwrap_or_else(|_| Value::Object(Map::new())),
        );
        let mut part = part(model, &Value::Object(self.block));
        if let (true, ContentPart::ToolCall(call)) = (is_call, &mut part) {
            let parsed = ToolCallContent::parse(
                call.tool_call_id.as_str(),
                call.tool_name.as_str(),
                self.json,
            );
            *call = ToolCallContent {
                state: call.state.take(),
                ..parsed
            };
        }
        part
    }
}

impl Usage {
    /// Figures of `message_delta` are cumulative: each one replaces the earlier one.
    fn update(&mut self, more: Self) {
        self.input_tokens = more.input_tokens.or(self.input_tokens);
        self.output_tokens = more.output_tokens.or(self.output_tokens);
        self.cache_creation_input_tokens = more
            .cache_creation_input_tokens
            .or(self.cache_creation_input_tokens);
        self.cache_read_input_tokens = more
            .cache_read_input_tokens
            .or(self.cache_read_input_tokens);
        self.cache_creation = more.cache_creation.or(self.cache_creation.take());
        self.output_tokens_details = more
            .output_tokens_details
            .or(self.output_tokens_details.take());
        self.server_tool_use = more.server_tool_use.or(self.server_tool_use.take());
        self.service_tier = more.service_tier.or(self.service_tier.take());
        self.speed = more.speed.or(self.speed.take());
    }
}

fn append(block: &mut Map<String, Value>, key: &str, more: &str) {
    match block.get_mut(key) {
        Some(Value::String(text)) => text.push_str(more),
        _ => {
            block.insert(key.to_owned(), Value::from(more));
        }
    }
}

fn push_delta(out: &mut Vec<StreamEvent>, part: usize, text: String, is_reasoning: bool) {
    match (text.is_empty(), is_reasoning) {
        (true, _) => {}
        (false, false) => out.push(StreamEvent::TextDelta { part, text }),
        (false, true) => out.push(StreamEvent::ReasoningDelta { part, text }),
    }
}

impl StreamDecoder for Decoder {
    fn event(
        &mut self,
        event: &ServerSentEvent,
        out: &mut Vec<StreamEvent>,
    ) -> Result<Progress, Error> {
        let value: Value = serde_json::from_str(&event.data).map_err(|error| unreadable(&error))?;
        // A type this version does not know is skipped; a known one with a wrong form is an error.
        match Event::deserialize(&value).map_err(|error| unreadable(&error))? {
            Event::MessageStart { message } => self.start(message, out),
            Event::ContentBlockStart {
                index,
                content_block,
            } => self.block_start(index, content_block, out),
            Event::ContentBlockDelta { index, delta } => self.block_delta(index, &delta, out),
            Event::ContentBlockStop { index } => self.block_stop(index, out),
            Event::MessageDelta { delta, usage } => self.message_delta(delta, usage, out),
            Event::MessageStop => {
                self.stop(out);
                return Ok(Progress::Done);
            }
            Event::Error { error } => {
                let mut error = api_error(None, error);
                error.data_mut().raw = Some(value);
                return Err(error);
            }
            Event::Other => {}
        }
        Ok(Progress::More)
    }

    fn end(&mut self, out: &mut Vec<StreamEvent>) -> Result<(), Error> {
        if self.is_done {
            return Ok(());
        }
        if self.finish.is_some() {
            // Some proxies drop `message_stop`; the answer is complete without it.
            self.stop(out);
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Stream,
            "the stream ended before the answer was complete",
        ))
    }
}
