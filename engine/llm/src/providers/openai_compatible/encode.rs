//! Requests of Chat Completions.

use attractor_models::{Effort, ReasoningStyle, Sampling};
use serde_json::{Map, Value, json};

use super::open_calls::EXTRA_CONTENT;
use super::quirks::{LimitField, Quirks};
use super::reasoning_details;
use super::wire::{
    Content, File, Function, FunctionCall, ImageUrl, InputAudio, Message, Part, Request,
    StreamOptions, Tool, ToolCall,
};
use crate::content::{ContentPart, ToolResultContent};
use crate::conversation::{Conversation, Turn, TurnRole, legal_id};
use crate::error::{Error, ErrorKind};
use crate::http::{Call, HttpRequest};
use crate::media::{MediaContent, MediaSource};
use crate::providers::{merge_options, openai, wants_json};
use crate::request::ResponseFormat;
use crate::response::Warning;
use crate::tool::{ToolChoice as Choice, ToolDefinition};

const MAX_ID: usize = 64;

pub(super) fn request(
    call: &Call<'_>,
    provider: &str,
    quirks: &Quirks,
) -> Result<HttpRequest, Error> {
    let conversation = Conversation::of(call.request);
    let mut encoder = Encoder {
        call,
        provider,
        quirks,
        warnings: conversation.warnings,
    };
    let body = encoder.body(conversation.instructions, &conversation.turns);
    let mut body = serde_json::to_value(body).map_err(|error| {
        Error::new(
            ErrorKind::InvalidRequest,
            format!("cannot write the request as JSON: {error}"),
        )
    })?;
    merge_options(&mut body, call.request.options_of(provider), &[]);
    Ok(HttpRequest {
        path: "/chat/completions".to_owned(),
        headers: Vec::new(),
        body,
        warnings: encoder.warnings,
    })
}

struct Encoder<'a> {
    call: &'a Call<'a>,
    provider: &'a str,
    quirks: &'a Quirks,
    warnings: Vec<Warning>,
}

impl Encoder<'_> {
    fn body(&mut self, mut instructions: Vec<String>, turns: &[Turn]) -> Request {
        let (call, request) = (self.call, self.call.request);
        let response_format = self.response_format(&mut instructions);
        let mut messages = Vec::with_capacity(turns.len() + 1);
        let system = instructions.join("\n\n");
        if !system.is_empty() {
            messages.push(Message {
                role: "system",
                content: Some(Content::Text(system)),
                ..Message::default()
            });
        }
        for turn in turns {
            self.turn(turn, &mut messages);
        }
        let limit = request.max_tokens;
        let is_old = self.quirks.limit == LimitField::MaxTokens;
        let takes_sampling = call.model.rules.sampling == Sampling::Supported;
        if !takes_sampling && (request.temperature.is_some() || request.top_p.is_some()) {
            self.warn(
                "temperature",
                format!("left out: {} does not accept it", call.model.id),
            );
        }
        Request {
            model: call.model.id.clone(),
            messages,
            tools: request.tools.iter().map(tool).collect(),
            tool_choice: self.tool_choice(),
            parallel_tool_calls: request
                .parallel_tool_calls
                .filter(|_| !request.tools.is_empty()),
            max_tokens: limit.filter(|_| is_old),
            max_completion_tokens: limit.filter(|_| !is_old),
            temperature: request.temperature.filter(|_| takes_sampling),
            top_p: request.top_p.filter(|_| takes_sampling),
            stop: request.stop_sequences.clone(),
            reasoning_effort: self.effort(),
            response_format,
            stream: call.streaming,
            stream_options: (call.streaming && self.quirks.stream_usage).then_some(StreamOptions {
                include_usage: true,
            }),
        }
    }

    fn warn(&mut self, code: &str, message: String) {
        self.warnings.push(Warning::new(code, message));
    }

    fn effort(&mut self) -> Option<&'static str> {
        let wanted = self.call.request.reasoning_effort?;
        let reasoning = &self.call.model.rules.reasoning;
        if !self.quirks.reasoning_effort || reasoning.style == ReasoningStyle::None {
            self.warn(
                "reasoning_effort",
                format!("left out: {} has no such setting", self.provider),
            );
            return None;
        }
        reasoning.clamp(wanted).map(Effort::as_str)
    }

    fn response_format(&mut self, instructions: &mut Vec<String>) -> Option<Value> {
        let request = self.call.request;
        match request.response_format.as_ref()? {
            ResponseFormat::JsonSchema {
                name,
                schema,
                strict,
            } if self.quirks.json_schema => {
                let closed = if *strict {
                    openai::strict_schema(schema)
                } else {
                    None
                };
                let is_strict = closed.is_some();
                let schema = closed.unwrap_or_else(|| schema.clone());
                Some(
                    json!({"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": is_strict}}),
                )
            }
            format => {
                if matches!(format, ResponseFormat::JsonSchema { .. }) {
                    self.warn(
                        "response_format",
                        format!(
                            "requested by an instruction: {} takes no schema",
                            self.provider
                        ),
                    );
                }
                instructions.extend(wants_json(request));
                Some(json!({"type": "json_object"}))
            }
        }
    }

    fn tool_choice(&self) -> Option<Value> {
        let request = self.call.request;
        match &request.tool_choice {
            _ if request.tools.is_empty() => None,
            Choice::Auto => None,
            Choice::None => Some(json!("none")),
            Choice::Required => Some(json!("required")),
            Choice::Tool(name) => Some(json!({"type": "function", "function": {"name": name}})),
        }
    }

    fn turn(&mut self, turn: &Turn, messages: &mut Vec<Message>) {
        match turn.role {
            TurnRole::Assistant => messages.extend(self.assistant(&turn.parts)),
            TurnRole::System => messages.extend(self.message("system", &turn.parts)),
            TurnRole::User => {
                let mut rest = Vec::new();
                for part in &turn.parts {
                    match part {
                        ContentPart::ToolResult(result) => {
                            messages.push(tool_result(result, &mut rest));
                        }
                        other => rest.push(other.clone()),
                    }
                }
                messages.extend(self.message("user", &rest));
            }
        }
    }

    fn message(&mut self, role: &'static str, parts: &[ContentPart]) -> Option<Message> {
        let mut parts: Vec<Part> = parts.iter().filter_map(|part| self.part(part)).collect();
        let content = match (parts.pop(), parts.is_empty()) {
            (None, _) => return None,
            (Some(Part::Text { text }), true) => Content::Text(text),
            (Some(last), _) => {
                parts.push(last);
                Content::Parts(parts)
            }
        };
        Some(Message {
            role,
            content: Some(content),
            ..Message::default()
        })
    }

    fn part(&mut self, part: &ContentPart) -> Option<Part> {
        let found = match part {
            ContentPart::Text(text) => Some(Part::Text {
                text: text.text.clone(),
            }),
            ContentPart::Image(media) => media.to_url().map(|url| Part::ImageUrl {
                image_url: ImageUrl { url },
            }),
            ContentPart::Audio(media) => audio(media),
            ContentPart::Document(media) => file(media),
            _ => None,
        };
        if found.is_none() {
            self.warn(
                part.kind(),
                format!(
                    "left out {} content: the API takes none like it",
                    part.kind()
                ),
            );
        }
        found
    }

    fn assistant(&mut self, parts: &[ContentPart]) -> Option<Message> {
        let (mut text, mut thinking, mut tool_calls) = (String::new(), String::new(), Vec::new());
        let mut extra = Map::new();
        for part in parts {
            match part {
                ContentPart::Text(part) => text.push_str(&part.text),
                ContentPart::Refusal(part) => text.push_str(&part.text),
                ContentPart::Thinking(part) => {
                    let state = part.state.as_ref();
                    // The server itself leaves out what the model cannot take.
                    if let Some(data) = state.and_then(|state| state.of_provider(self.provider)) {
                        reasoning_details::repeat(data, &mut extra);
                    }
                    let own =
                        state.and_then(|state| state.of_model(self.provider, &self.call.model.id));
                    thinking.push_str(own.map_or("", |_| part.text.as_str()));
                }
                ContentPart::ToolCall(call) => {
                    let arguments = if call.invalid.is_some() {
                        Map::new()
                    } else {
                        call.arguments.clone()
                    };
                    let function = FunctionCall {
                        name: call.tool_name.clone(),
                        arguments: Value::Object(arguments).to_string(),
                    };
                    let id = legal_id(&call.tool_call_id, MAX_ID);
                    let state = call.state.as_ref();
                    let own =
                        state.and_then(|state| state.of_model(self.provider, &self.call.model.id));
                    tool_calls.push(ToolCall {
                        id,
                        kind: "function",
                        function,
                        extra_content: own.and_then(|data| data.get(EXTRA_CONTENT)).cloned(),
                    });
                }
                ContentPart::RedactedThinking(_) => {}
                other => self.warn(
                    other.kind(),
                    format!("left out {} content of the model", other.kind()),
                ),
            }
        }
        if text.is_empty() && tool_calls.is_empty() {
            return None;
        }
        if let (Some(field), false, false) = (
            self.quirks.replay_reasoning,
            tool_calls.is_empty(),
            thinking.is_empty(),
        ) {
            extra.insert(field.to_owned(), Value::from(thinking));
        }
        let content = (!text.is_empty()).then_some(Content::Text(text));
        Some(Message {
            role: "assistant",
            content,
            tool_calls,
            tool_call_id: None,
            extra,
        })
    }
}

fn tool(tool: &ToolDefinition) -> Tool {
    let schema = tool.to_json_schema();
    let closed = if tool.strict {
        openai::strict_schema(&schema)
    } else {
        None
    };
    let strict = closed.is_some();
    let (name, description) = (tool.name.clone(), tool.description.clone());
    Tool {
        kind: "function",
        function: Function {
            name,
            description,
            parameters: closed.unwrap_or(schema),
            strict,
        },
    }
}

/// A tool message takes text only; images of a result follow in the user's message.
fn tool_result(result: &ToolResultContent, rest: &mut Vec<ContentPart>) -> Message {
    rest.extend(result.media.iter().map(|media| media.clone().into()));
    Message {
        role: "tool",
        content: Some(Content::Text(result.content.clone())),
        tool_call_id: Some(legal_id(&result.tool_call_id, MAX_ID)),
        ..Message::default()
    }
}

fn audio(media: &MediaContent) -> Option<Part> {
    let MediaSource::Base64(data) = &media.source else {
        return None;
    };
    let format = match media.media_type.as_str() {
        "audio/wav" | "audio/x-wav" => "wav",
        "audio/mpeg" | "audio/mp3" => "mp3",
        _ => return None,
    };
    Some(Part::InputAudio {
        input_audio: InputAudio {
            data: data.clone(),
            format,
        },
    })
}

fn file(media: &MediaContent) -> Option<Part> {
    let file = match &media.source {
        MediaSource::Base64(_) => {
            let filename = Some(media.name.clone().unwrap_or_else(|| "document".to_owned()));
            File {
                filename,
                file_data: media.to_url(),
                file_id: None,
            }
        }
        MediaSource::FileId(id) => File {
            filename: None,
            file_data: None,
            file_id: Some(id.clone()),
        },
        MediaSource::Url(_) => return None,
    };
    Some(Part::File { file })
}
