//! Streams of the Responses API.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;
use serde_json::Value;

use super::PROVIDER;
use super::decode::{error, finish, is_wrapper, metadata, parts, unreadable, usage};
use super::items::Items;
use super::wire::{Answer, Event};
use crate::content::{ContentPart, ToolCallContent};
use crate::error::{Error, ErrorKind};
use crate::event::StreamEvent;
use crate::http::{Call, Progress, StreamDecoder};
use crate::request::Request;
use crate::sse::ServerSentEvent;

/// Reads one stream.
pub(super) struct Decoder {
    request: Request,
    model: String,
    /// The numbers given to parts, by item and place in it.
    numbers: HashMap<(usize, usize), usize>,
    next_number: usize,
    /// The text of each part that was delivered in deltas.
    texts: HashMap<usize, String>,
    /// Calls whose start was delivered.
    open_calls: BTreeSet<usize>,
    items: Items,
    content: Vec<ContentPart>,
    is_done: bool,
}

impl Decoder {
    pub(super) fn new(call: &Call<'_>) -> Self {
        let request = Request {
            tools: call.request.tools.clone(),
            ..Request::default()
        };
        Self {
            request,
            model: call.model.id.clone(),
            numbers: HashMap::new(),
            next_number: 0,
            texts: HashMap::new(),
            open_calls: BTreeSet::new(),
            items: Items::default(),
            content: Vec::new(),
            is_done: false,
        }
    }

    fn number(&mut self, item: usize, place: usize) -> usize {
        let next = &mut self.next_number;
        *self.numbers.entry((item, place)).or_insert_with(|| {
            let number = *next;
            *next += 1;
            number
        })
    }

    fn start(&mut self, answer: Answer, out: &mut Vec<StreamEvent>) {
        if !answer.model.is_empty() {
            self.model = answer.model;
        }
        out.push(StreamEvent::StreamStart {
            provider: PROVIDER.to_owned(),
            model: self.model.clone(),
            id: answer.id,
            usage: None,
            warnings: Vec::new(),
            rate_limit: None,
        });
    }

    /// Delivers more text of a part.
    fn text(&mut self, part: usize, text: &str, out: &mut Vec<StreamEvent>) {
        if !text.is_empty() {
            self.texts.entry(part).or_default().push_str(text);
            let text = text.to_owned();
            out.push(StreamEvent::TextDelta { part, text });
        }
    }

    /// Delivers what the deltas of a text lack: some servers send fewer of them than the text has, or none.
    fn rest_of_text(&mut self, part: usize, whole: &str, out: &mut Vec<StreamEvent>) {
        let delivered = self.texts.get(&part).map_or("", String::as_str);
        if let Some(rest) = whole.strip_prefix(delivered).map(str::to_owned) {
            self.text(part, &rest, out);
        }
    }

    fn item_added(&mut self, index: usize, item: &Value, out: &mut Vec<StreamEvent>) {
        self.items.add(index, item);
        let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
        let tool_call = match text("type") {
            "function_call" if !is_wrapper(&self.request, text("name")) => {
                ToolCallContent::parse(text("call_id"), text("name"), "")
            }
            "custom_tool_call" => ToolCallContent::freeform(text("call_id"), text("name"), ""),
            _ => return,
        };
        let part = self.number(index, 0);
        self.open_calls.insert(index);
        out.push(StreamEvent::ToolCallStart { part, tool_call });
    }

    fn item_done(&mut self, index: usize, item: &Value, out: &mut Vec<StreamEvent>) {
        if !self.items.complete(index, item) {
            return;
        }
        let was_open = self.open_calls.remove(&index);
        for (place, content) in parts(&self.request, &self.model, item)
            .into_iter()
            .enumerate()
        {
            let part = self.number(index, place);
            self.content.push(content.clone());
            match content {
                ContentPart::ToolCall(tool_call) => {
                    if !was_open {
                        let empty = ToolCallContent {
                            tool_call_id: tool_call.tool_call_id.clone(),
                            tool_name: tool_call.tool_name.clone(),
                            freeform: tool_call.freeform,
                            ..ToolCallContent::default()
                        };
                        out.push(StreamEvent::ToolCallStart {
                            part,
                            tool_call: empty,
                        });
                    }
                    out.push(StreamEvent::ToolCallEnd { part, tool_call });
                }
                content => {
                    if let ContentPart::Text(text) = &content {
                        self.rest_of_text(part, &text.text, out);
                    }
                    out.push(StreamEvent::PartEnd { part, content });
                }
            }
        }
    }

    /// The end. Items that had no events of their own are in the whole response.
    fn finish(&mut self, answer: &Answer, out: &mut Vec<StreamEvent>) -> Result<Progress, Error> {
        let indexes = self.items.indexes_of(&answer.output);
        for (index, item) in indexes.into_iter().zip(&answer.output) {
            self.item_done(index, item, out);
        }
        let finish = finish(answer, &self.content)?;
        self.is_done = true;
        let (usage, metadata) = (usage(answer.usage.as_ref()), metadata(answer));
        out.push(StreamEvent::Finish {
            finish,
            usage,
            latency_ms: 0.0,
            metadata,
        });
        Ok(Progress::Done)
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
        if value.get("type").is_some_and(|kind| kind == "error") || event.event == "error" {
            let mut error = error(None, &value);
            error.data_mut().raw = Some(value);
            return Err(error);
        }
        match Event::deserialize(&value).map_err(|error| unreadable(&error))? {
            Event::Created { response } => self.start(response, out),
            Event::ItemAdded { output_index, item } => self.item_added(output_index, &item, out),
            Event::ItemDone { output_index, item } => self.item_done(output_index, &item, out),
            Event::TextDelta {
                output_index,
                content_index,
                delta,
            } => {
                let part = self.number(output_index, content_index);
                self.text(part, &delta, out);
            }
            Event::TextDone {
                output_index,
                content_index,
                text,
            } => {
                let part = self.number(output_index, content_index);
                self.rest_of_text(part, &text, out);
            }
            Event::SummaryPartAdded {
                output_index,
                summary_index,
            } => {
                if summary_index > 0 {
                    let part = self.number(output_index, 0);
                    out.push(StreamEvent::ReasoningDelta {
                        part,
                        text: "\n\n".to_owned(),
                    });
                }
            }
            Event::ReasoningDelta {
                output_index,
                delta,
            } => {
                let part = self.number(output_index, 0);
                out.push(StreamEvent::ReasoningDelta { part, text: delta });
            }
            Event::ArgumentsDelta {
                output_index,
                delta,
            } => {
                if self.open_calls.contains(&output_index) {
                    let part = self.number(output_index, 0);
                    out.push(StreamEvent::ToolCallDelta { part, text: delta });
                }
            }
            Event::Completed { response }
            | Event::Incomplete { response }
            | Event::Failed { response } => {
                return self.finish(&response, out);
            }
            Event::Other => {}
        }
        Ok(Progress::More)
    }

    fn end(&mut self, _: &mut Vec<StreamEvent>) -> Result<(), Error> {
        if self.is_done {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Stream,
            "the stream ended before the answer was complete",
        ))
    }
}
