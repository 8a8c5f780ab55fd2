//! Requests to the Gemini API.

use attractor_models::{Effort, ReasoningStyle};
use serde_json::{Map, Value};

use super::PROVIDER;
use super::wire::{
    Content, FileData, FunctionCall, FunctionCallingConfig, FunctionDeclaration, FunctionResponse,
    GenerationConfig, InlineData, MediaPart, Part, Request, ThinkingConfig, ToolConfig, Tools,
};
use crate::content::{ContentPart, ToolCallContent, ToolResultContent};
use crate::conversation::{Conversation, Turn, TurnRole};
use crate::error::{Error, ErrorKind};
use crate::http::{Call, HttpRequest};
use crate::media::{MediaContent, MediaSource};
use crate::providers::{merge_options, wants_json};
use crate::request::ResponseFormat;
use crate::response::Warning;
use crate::tool::{ToolChoice as Choice, ToolDefinition};

pub(super) fn request(call: &Call<'_>) -> Result<HttpRequest, Error> {
    let conversation = Conversation::of(call.request);
    let mut encoder = Encoder {
        call,
        warnings: conversation.warnings,
    };
    let body = encoder.body(conversation.instructions, &conversation.turns)?;
    let mut body = serde_json::to_value(body).map_err(|error| {
        Error::new(
            ErrorKind::InvalidRequest,
            format!("cannot write the request as JSON: {error}"),
        )
    })?;
    merge_options(&mut body, call.request.options_of(PROVIDER), &[]);
    let method = if call.streaming {
        "streamGenerateContent?alt=sse"
    } else {
        "generateContent"
    };
    let id = call
        .model
        .id
        .strip_prefix("models/")
        .unwrap_or(&call.model.id);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    if !id.bytes().all(is_plain) {
        return Err(Error::new(
            ErrorKind::InvalidRequest,
            format!("invalid model name `{id}`; expected letters, digits, `-`, `.` and `_`"),
        ));
    }
    let path = format!("/v1beta/models/{id}:{method}");
    Ok(HttpRequest {
        path,
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
    fn body(&mut self, mut instructions: Vec<String>, turns: &[Turn]) -> Result<Request, Error> {
        let request = self.call.request;
        let generation_config = self.generation_config(&mut instructions);
        let texts = instructions.into_iter().filter(|text| !text.is_empty());
        let parts: Vec<Part> = texts.map(text_part).collect();
        let declarations: Vec<FunctionDeclaration> =
            request.tools.iter().map(declaration).collect();
        let tools = if declarations.is_empty() {
            Vec::new()
        } else {
            vec![Tools {
                function_declarations: declarations,
            }]
        };
        if request.parallel_tool_calls == Some(false) && !request.tools.is_empty() {
            self.warn(
                "parallel_tool_calls",
                "left out: the API has no such setting".to_owned(),
            );
        }
        Ok(Request {
            system_instruction: (!parts.is_empty()).then_some(Content { role: None, parts }),
            tools,
            tool_config: self.tool_config(),
            contents: self.contents(turns)?,
            generation_config,
        })
    }

    fn warn(&mut self, code: &str, message: String) {
        self.warnings.push(Warning::new(code, message));
    }

    fn generation_config(&mut self, instructions: &mut Vec<String>) -> GenerationConfig {
        let request = self.call.request;
        let mut config = GenerationConfig {
            temperature: request.temperature,
            top_p: request.top_p,
            max_output_tokens: request.max_tokens,
            stop_sequences: request.stop_sequences.clone(),
            thinking_config: self.thinking(),
            ..GenerationConfig::default()
        };
        let Some(format) = &request.response_format else {
            return config;
        };
        if !request.tools.is_empty() && !self.call.model.rules.structured_output_with_tools {
            let message = format!(
                "requested by an instruction: {} cannot combine it with tools",
                self.call.model.id
            );
            self.warn("response_format", message);
            instructions.extend(wants_json(request));
            return config;
        }
        config.response_mime_type = Some("application/json");
        if let ResponseFormat::JsonSchema { schema, .. } = format {
            config.response_json_schema = Some(schema.clone());
        }
        config
    }

    fn thinking(&mut self) -> Option<ThinkingConfig> {
        let reasoning = &self.call.model.rules.reasoning;
        let model = &self.call.model.id;
        let wanted = self.call.request.reasoning_effort;
        let config = ThinkingConfig {
            include_thoughts: true,
            ..ThinkingConfig::default()
        };
        match (reasoning.style, wanted) {
            (ReasoningStyle::None, None | Some(Effort::None)) => None,
            (ReasoningStyle::None, Some(_)) => {
                self.warn(
                    "reasoning_effort",
                    format!("left out: {model} does not reason"),
                );
                None
            }
            (_, None) => Some(config),
            (ReasoningStyle::Budget, Some(wanted)) => {
                let budget = match wanted {
                    Effort::None if reasoning.can_disable => 0,
                    Effort::None | Effort::Minimal => 512,
                    Effort::Low => 2048,
                    Effort::Medium => 8192,
                    _ => 24_576,
                };
                Some(ThinkingConfig {
                    include_thoughts: budget > 0,
                    thinking_budget: Some(budget),
                    ..config
                })
            }
            (ReasoningStyle::Effort | ReasoningStyle::Adaptive, Some(wanted)) => {
                let effort = reasoning.clamp(wanted)?;
                if effort != wanted {
                    let (effort, wanted) = (effort.as_str(), wanted.as_str());
                    self.warn(
                        "reasoning_effort",
                        format!("`{effort}` instead of `{wanted}`, which {model} does not accept"),
                    );
                }
                Some(ThinkingConfig {
                    thinking_level: Some(level(effort)),
                    ..config
                })
            }
        }
    }

    fn tool_config(&self) -> Option<ToolConfig> {
        let request = self.call.request;
        if request.tools.is_empty() {
            return None;
        }
        let (mode, allowed) = match &request.tool_choice {
            Choice::Auto => return None,
            Choice::None => ("NONE", Vec::new()),
            Choice::Required => ("ANY", Vec::new()),
            Choice::Tool(name) => ("ANY", vec![name.clone()]),
        };
        let config = FunctionCallingConfig {
            mode,
            allowed_function_names: allowed,
        };
        Some(ToolConfig {
            function_calling_config: config,
        })
    }

    fn contents(&mut self, turns: &[Turn]) -> Result<Vec<Content>, Error> {
        let mut contents: Vec<Content> = Vec::with_capacity(turns.len());
        let mut given_ids = Vec::new();
        for turn in turns {
            let role = match turn.role {
                TurnRole::Assistant => "model",
                TurnRole::User | TurnRole::System => "user",
            };
            let mut parts = Vec::with_capacity(turn.parts.len());
            for part in &turn.parts {
                parts.extend(self.part(part, &mut given_ids)?);
            }
            self.sign_foreign_calls(&mut parts);
            match contents.last_mut() {
                _ if parts.is_empty() => {}
                Some(last) if last.role == Some(role) => last.parts.extend(parts),
                _ => contents.push(Content {
                    role: Some(role),
                    parts,
                }),
            }
        }
        Ok(contents)
    }

    /// The API requires a signature on the first call of a turn. Calls of other models have none, and this value says so.
    fn sign_foreign_calls(&self, parts: &mut [Part]) {
        if self.call.model.rules.reasoning.style != ReasoningStyle::Effort {
            return;
        }
        let is_call = |part: &&mut Part| {
            part.function_call.is_some() || part.raw.contains_key("functionCall")
        };
        if let Some(first) = parts
            .iter_mut()
            .find(is_call)
            .filter(|part| part.raw.is_empty())
        {
            first.thought_signature = Some("skip_thought_signature_validator".to_owned());
        }
    }

    /// `given_ids` collects the ids that the API itself gave to calls; only those may be sent back with results.
    fn part(
        &mut self,
        part: &ContentPart,
        given_ids: &mut Vec<String>,
    ) -> Result<Option<Part>, Error> {
        // Signatures are valid only for their own model; what came with one is repeated exactly as it came.
        let own = part
            .state()
            .and_then(|state| state.of_model(PROVIDER, &self.call.model.id));
        if let Some(Value::Object(raw)) = own {
            if let ContentPart::ToolCall(call) = part
                && raw
                    .get("functionCall")
                    .and_then(|call| call.get("id"))
                    .is_some()
            {
                given_ids.push(call.tool_call_id.clone());
            }
            return Ok(Some(Part {
                raw: raw.clone(),
                ..Part::default()
            }));
        }
        Ok(match part {
            ContentPart::Text(text) if text.text.is_empty() => None,
            ContentPart::Text(text) => Some(text_part(text.text.clone())),
            ContentPart::Refusal(refusal) => Some(text_part(refusal.text.clone())),
            ContentPart::Image(media)
            | ContentPart::Audio(media)
            | ContentPart::Document(media) => Some(media_part(media)?),
            ContentPart::ToolCall(call) => Some(function_call(call)),
            ContentPart::ToolResult(result) => Some(self.function_response(result, given_ids)),
            ContentPart::Thinking(_) | ContentPart::RedactedThinking(_) => None,
            ContentPart::Native(native) => {
                if native.state.provider != PROVIDER {
                    let message = format!(
                        "dropped a `{}` block of {}",
                        native.block, native.state.provider
                    );
                    self.warn("native_content", message);
                }
                None
            }
        })
    }

    fn function_response(&mut self, result: &ToolResultContent, given_ids: &[String]) -> Part {
        let key = if result.is_error { "error" } else { "output" };
        let response = Map::from_iter([(key.to_owned(), Value::String(result.content.clone()))]);
        let mut parts = Vec::new();
        for media in &result.media {
            if let MediaSource::Base64(data) = &media.source {
                let inline_data = InlineData {
                    mime_type: media.media_type.clone(),
                    data: data.clone(),
                };
                parts.push(MediaPart { inline_data });
            } else {
                self.warn(
                    "media",
                    "left out media of a tool result: the API takes only their bytes".to_owned(),
                );
            }
        }
        let id = given_ids
            .contains(&result.tool_call_id)
            .then(|| result.tool_call_id.clone());
        let response = FunctionResponse {
            id,
            name: result.tool_name.clone(),
            response,
            parts,
        };
        Part {
            function_response: Some(response),
            ..Part::default()
        }
    }
}

fn declaration(tool: &ToolDefinition) -> FunctionDeclaration {
    FunctionDeclaration {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters_json_schema: tool.to_json_schema(),
    }
}

fn level(effort: Effort) -> &'static str {
    match effort {
        Effort::None | Effort::Minimal => "MINIMAL",
        Effort::Low => "LOW",
        Effort::Medium => "MEDIUM",
        Effort::XHigh | Effort::Max => "XHIGH",
        _ => "HIGH",
    }
}

fn text_part(text: String) -> Part {
    Part {
        text: Some(text),
        ..Part::default()
    }
}

fn function_call(call: &ToolCallContent) -> Part {
    let args = if call.invalid.is_some() {
        Map::new()
    } else {
        call.arguments.clone()
    };
    let call = FunctionCall {
        id: None,
        name: call.tool_name.clone(),
        args,
    };
    Part {
        function_call: Some(call),
        ..Part::default()
    }
}

/// The API fetches only files that were uploaded to it, and a few other places.
fn media_part(media: &MediaContent) -> Result<Part, Error> {
    let mime_type = media.media_type.clone();
    match &media.source {
        MediaSource::Base64(data) => Ok(Part {
            inline_data: Some(InlineData {
                mime_type,
                data: data.clone(),
            }),
            ..Part::default()
        }),
        MediaSource::FileId(uri) => Ok(Part {
            file_data: Some(FileData {
                mime_type,
                file_uri: uri.clone(),
            }),
            ..Part::default()
        }),
        MediaSource::Url(url) if is_fetched(url) => Ok(Part {
            file_data: Some(FileData {
                mime_type,
                file_uri: url.clone(),
            }),
            ..Part::default()
        }),
        MediaSource::Url(url) => {
            let message = format!(
                "the API does not fetch `{url}`; send the bytes, or upload the file and send its URI"
            );
            Err(Error::new(ErrorKind::InvalidRequest, message))
        }
    }
}

fn is_fetched(url: &str) -> bool {
    const PLACES: [&str; 4] = [
        "gs://",
        "https://generativelanguage.googleapis.com/",
        "https://www.youtube.com/",
        "https://youtu.be/",
    ];
    PLACES.iter().any(|place| url.starts_with(place))
}
