//! Requests to the Responses API.
//!
//! Nothing refers to what the provider stores: every item is sent whole, without the ids under which the provider
//! would look for it. Reasoning is the exception: its id is part of the item, and it is valid only with its
//! encrypted content, for its own model, and followed by an item of the same answer.

use attractor_models::{Effort, ReasoningStyle, Sampling};
use serde_json::{Value, json};

use super::wire::{
    Content, Format, Grammar, InputPart, Item, KnownItem, Message, Reasoning, Request,
    StreamOptions, TextConfig, Tool, ToolChoice,
};
use super::{OpenAiOptions, PROVIDER, schema};
use crate::content::{ContentPart, ThinkingContent, ToolCallContent, ToolResultContent};
use crate::conversation::{Conversation, Turn, TurnRole, legal_id};
use crate::error::{Error, ErrorKind};
use crate::http::{Call, HttpRequest};
use crate::media::{MediaContent, MediaSource};
use crate::providers::{merge_options, wants_json};
use crate::request::ResponseFormat;
use crate::response::Warning;
use crate::tool::{ToolChoice as Choice, ToolDefinition};

const MAX_ID: usize = 64;

pub(super) fn request(call: &Call<'_>, options: &OpenAiOptions) -> Result<HttpRequest, Error> {
    let conversation = Conversation::of(call.request);
    let mut encoder = Encoder {
        call,
        warnings: conversation.warnings,
    };
    let body = encoder.body(conversation.instructions, &conversation.turns, options);
    let mut body = serde_json::to_value(body).map_err(|error| {
        Error::new(
            ErrorKind::InvalidRequest,
            format!("cannot write the request as JSON: {error}"),
        )
    })?;
    merge_options(&mut body, call.request.options_of(PROVIDER), &[]);
    Ok(HttpRequest {
        path: "/responses".to_owned(),
        headers: Vec::new(),
        body,
        warnings: encoder.warnings,
    })
}

struct Encoder<'a> {
    call: &'a Call<'a>,
    warnings: Vec<Warning>,
}

impl Encoder<'_> {
    fn body(
        &mut self,
        mut instructions: Vec<String>,
        turns: &[Turn],
        options: &OpenAiOptions,
    ) -> Request {
        let (call, request) = (self.call, self.call.request);
        let format = self.format();
        if matches!(format, Some(Format::JsonObject)) {
            // The API answers with an error unless the word JSON appears.
            instructions.extend(wants_json(request));
        }
        if !request.stop_sequences.is_empty() {
            self.warn("stop_sequences", "left out: the API has none".to_owned());
        }
        let effort = self.effort();
        let (temperature, top_p) = self.sampling(effort);
        let reasons = call.model.rules.reasoning.style != ReasoningStyle::None;
        let include = if reasons && !options.store {
            vec!["reasoning.encrypted_content"]
        } else {
            Vec::new()
        };
        Request {
            model: call.model.id.clone(),
            instructions: Some(instructions.join("\n\n")).filter(|text| !text.is_empty()),
            tools: request.tools.iter().map(|tool| self.tool(tool)).collect(),
            tool_choice: self.tool_choice(),
            parallel_tool_calls: request
                .parallel_tool_calls
                .filter(|_| !request.tools.is_empty()),
            input: turns.iter().flat_map(|turn| self.turn(turn)).collect(),
            max_output_tokens: request.max_tokens,
            temperature,
            top_p,
            reasoning: effort.map(|effort| Reasoning {
                effort: effort.as_str(),
            }),
            text: format.map(|format| TextConfig { format }),
            include,
            prompt_cache_key: request.cache_key.clone(),
            store: options.store,
            stream: call.streaming,
            stream_options: call.streaming.then_some(StreamOptions {
                include_obfuscation: false,
            }),
        }
    }

    fn warn(&mut self, code: &str, message: String) {
        self.warnings.push(Warning::new(code, message));
    }

    fn effort(&mut self) -> Option<Effort> {
        let wanted = self.call.request.reasoning_effort?;
        let model = &self.call.model.id;
        let clamped = self.call.model.rules.reasoning.clamp(wanted);
        match clamped {
            None if wanted != Effort::None => {
                self.warn(
                    "reasoning_effort",
                    format!("left out: {model} does not reason"),
                );
            }
            Some(effort) if effort != wanted => {
                let (effort, wanted) = (effort.as_str(), wanted.as_str());
                self.warn(
                    "reasoning_effort",
                    format!("`{effort}` instead of `{wanted}`, which {model} does not accept"),
                );
            }
            _ => {}
        }
        clamped
    }

    fn sampling(&mut self, effort: Option<Effort>) -> (Option<f64>, Option<f64>) {
        let request = self.call.request;
        let is_allowed = match self.call.model.rules.sampling {
            Sampling::Supported => true,
            Sampling::WithoutReasoning => effort == Some(Effort::None),
            Sampling::Unsupported => false,
        };
        if is_allowed {
            return (request.temperature, request.top_p);
        }
        for (name, value) in [
            ("temperature", request.temperature),
            ("top_p", request.top_p),
        ] {
            if value.is_some() {
                self.warn(
                    name,
                    format!(
                        "left out: {} does not accept it while it reasons",
                        self.call.model.id
                    ),
                );
            }
        }
        (None, None)
    }

    fn format(&mut self) -> Option<Format> {
        match self.call.request.response_format.as_ref()? {
            ResponseFormat::Json => Some(Format::JsonObject),
            ResponseFormat::JsonSchema {
                name,
                schema,
                strict,
            } => {
                let closed = if *strict {
                    schema::strict(schema)
                } else {
                    None
                };
                if *strict && closed.is_none() {
                    let message =
                        "not strict: the schema has optional or additional properties".to_owned();
                    self.warn("response_format", message);
                }
                let strict = closed.is_some();
                let schema = closed.unwrap_or_else(|| schema.clone());
                Some(Format::JsonSchema {
                    name: name.clone(),
                    schema,
                    strict,
                })
            }
        }
    }

    fn tool(&mut self, tool: &ToolDefinition) -> Tool {
        let (name, description) = (tool.name.clone(), tool.description.clone());
        if let Some(freeform) = &tool.freeform {
            let grammar = |definition| Grammar {
                kind: "grammar",
                syntax: "lark",
                definition,
            };
            return Tool::Custom {
                name,
                description,
                format: freeform.grammar.clone().map(grammar),
            };
        }
        let schema = tool.to_json_schema();
        let closed = if tool.strict {
            schema::strict(&schema)
        } else {
            None
        };
        if tool.strict && closed.is_none() {
            let message =
                format!("`{name}` is not strict: its schema has optional or additional properties");
            self.warn("tools", message);
        }
        let strict = closed.is_some();
        Tool::Function {
            name,
            description,
            parameters: closed.unwrap_or(schema),
            strict,
        }
    }

    fn tool_choice(&self) -> Option<ToolChoice> {
        let request = self.call.request;
        if request.tools.is_empty() {
            return None;
        }
        match &request.tool_choice {
            Choice::Auto => None,
            Choice::None => Some(ToolChoice::Mode("none")),
            Choice::Required => Some(ToolChoice::Mode("required")),
            Choice::Tool(name) => {
                let kind = if self.is_freeform(name) {
                    "custom"
                } else {
                    "function"
                };
                Some(ToolChoice::Named {
                    kind,
                    name: name.clone(),
                })
            }
        }
    }

    fn is_freeform(&self, name: &str) -> bool {
        let tools = &self.call.request.tools;
        tools
            .iter()
            .any(|tool| tool.name == name && tool.freeform.is_some())
    }

    fn turn(&mut self, turn: &Turn) -> Vec<Item> {
        match turn.role {
            TurnRole::Assistant => self.assistant(&turn.parts),
            TurnRole::System => vec![message(
                "developer",
                Content::Parts(self.input(&turn.parts)),
            )],
            TurnRole::User => self.user(&turn.parts),
        }
    }

    fn user(&mut self, parts: &[ContentPart]) -> Vec<Item> {
        let (results, rest): (Vec<&ContentPart>, Vec<&ContentPart>) = parts
            .iter()
            .partition(|part| matches!(part, ContentPart::ToolResult(_)));
        let mut items: Vec<Item> = Vec::with_capacity(results.len() + 1);
        for part in results {
            if let ContentPart::ToolResult(result) = part {
                items.push(Item::Known(self.tool_result(result)));
            }
        }
        let rest: Vec<ContentPart> = rest.into_iter().cloned().collect();
        let content = self.input(&rest);
        if !content.is_empty() {
            items.push(message("user", Content::Parts(content)));
        }
        items
    }

    fn input(&mut self, parts: &[ContentPart]) -> Vec<InputPart> {
        parts
            .iter()
            .filter_map(|part| self.input_part(part))
            .collect()
    }

    fn input_part(&mut self, part: &ContentPart) -> Option<InputPart> {
        match part {
            ContentPart::Text(text) => Some(InputPart::InputText {
                text: text.text.clone(),
            }),
            ContentPart::Image(media) => Some(image(media)),
            ContentPart::Document(media) => Some(file(media)),
            other => {
                self.warn(
                    other.kind(),
                    format!("left out {} content: the API takes none here", other.kind()),
                );
                None
            }
        }
    }

    fn tool_result(&mut self, result: &ToolResultContent) -> KnownItem {
        let call_id = legal_id(&result.tool_call_id, MAX_ID);
        let output = if result.media.is_empty() {
            Content::Text(result.content.clone())
        } else {
            let mut parts = vec![InputPart::InputText {
                text: result.content.clone(),
            }];
            parts.extend(
                result
                    .media
                    .iter()
                    .filter_map(|media| self.input_part(&media.clone().into())),
            );
            Content::Parts(parts)
        };
        if self.is_freeform(&result.tool_name) {
            KnownItem::CustomToolCallOutput { call_id, output }
        } else {
            KnownItem::FunctionCallOutput { call_id, output }
        }
    }

    fn assistant(&mut self, parts: &[ContentPart]) -> Vec<Item> {
        let mut items = Vec::with_capacity(parts.len());
        // Reasoning that nothing of the same answer follows is rejected.
        let mut reasoning: Vec<Item> = Vec::new();
        for part in parts {
            let item = match part {
                ContentPart::Thinking(thinking) => {
                    reasoning.extend(self.reasoning(thinking));
                    continue;
                }
                ContentPart::Text(text) => text_item(part, &text.text),
                ContentPart::Refusal(refusal) => text_item(part, &refusal.text),
                ContentPart::ToolCall(call) => Some(self.tool_call(call)),
                ContentPart::Native(native) => {
                    let own = native.state.of_provider(PROVIDER);
                    if own.is_none() {
                        let message = format!(
                            "dropped a `{}` block of {}",
                            native.block, native.state.provider
                        );
                        self.warn("native_content", message);
                    }
                    own.cloned().map(Item::Raw)
                }
                ContentPart::RedactedThinking(_) => None,
                other => {
                    self.warn(
                        other.kind(),
                        format!("left out {} content of the model", other.kind()),
                    );
                    None
                }
            };
            if let Some(item) = item {
                items.append(&mut reasoning);
                items.push(item);
            }
        }
        items
    }

    fn reasoning(&self, thinking: &ThinkingContent) -> Option<Item> {
        let state = thinking
            .state
            .as_ref()?
            .of_model(PROVIDER, &self.call.model.id)?;
        // Without its encrypted content an item is only a reference to what the provider may not have stored.
        state
            .get("encrypted_content")
            .filter(|content| content.is_string())?;
        Some(Item::Raw(without(state, &["status"])))
    }

    fn tool_call(&self, call: &ToolCallContent) -> Item {
        let own = call
            .state
            .as_ref()
            .and_then(|state| state.of_provider(PROVIDER));
        let call_id = legal_id(&call.tool_call_id, MAX_ID);
        let name = call.tool_name.clone();
        if let Some(raw) = own.filter(|_| call.invalid.is_none()) {
            return Item::Raw(without(raw, &["id", "status"]));
        }
        if call.freeform || self.is_freeform(&name) {
            let input = call
                .arguments
                .get("input")
                .and_then(Value::as_str)
                .unwrap_or(&call.arguments_json)
                .to_owned();
            return Item::Known(KnownItem::CustomToolCall {
                call_id,
                name,
                input,
            });
        }
        let arguments = if call.invalid.is_some() {
            json!({}).to_string()
        } else {
            Value::Object(call.arguments.clone()).to_string()
        };
        Item::Known(KnownItem::FunctionCall {
            call_id,
            name,
            arguments,
        })
    }
}

fn text_item(part: &ContentPart, text: &str) -> Option<Item> {
    if text.is_empty() {
        return None;
    }
    let state = part.state().and_then(|state| state.of_provider(PROVIDER));
    let phase = state
        .and_then(|state| state.get("phase"))
        .filter(|phase| !phase.is_null())
        .cloned();
    let content = Content::Text(text.to_owned());
    Some(Item::Message(Message {
        kind: "message",
        role: "assistant",
        content,
        phase,
    }))
}

fn message(role: &'static str, content: Content) -> Item {
    Item::Message(Message {
        kind: "message",
        role,
        content,
        phase: None,
    })
}

fn without(item: &Value, keys: &[&str]) -> Value {
    let fields = item
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !keys.contains(&key.as_str()));
    Value::Object(
        fields
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    )
}

fn image(media: &MediaContent) -> InputPart {
    let file_id = match &media.source {
        MediaSource::FileId(id) => Some(id.clone()),
        MediaSource::Url(_) | MediaSource::Base64(_) => None,
    };
    InputPart::InputImage {
        detail: "auto",
        image_url: media.to_url(),
        file_id,
    }
}

fn file(media: &MediaContent) -> InputPart {
    let (mut file_data, mut file_url, mut file_id) = (None, None, None);
    match &media.source {
        MediaSource::Base64(_) => file_data = media.to_url(),
        MediaSource::Url(url) => file_url = Some(url.clone()),
        MediaSource::FileId(id) => file_id = Some(id.clone()),
    }
    let default = || file_data.is_some().then(|| "document".to_owned());
    let filename = media.name.clone().or_else(default);
    InputPart::InputFile {
        filename,
        file_data,
        file_url,
        file_id,
    }
}
