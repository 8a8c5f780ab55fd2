//! Requests to the Gemini API.

mod contents;

use attractor_models::{Effort, ReasoningStyle};

use super::PROVIDER;
use super::wire::{
    Content, FunctionCallingConfig, FunctionDeclaration, GenerationConfig, Part, Request,
    ThinkingConfig, ToolConfig, Tools,
};
use crate::conversation::{Conversation, Turn};
use crate::error::{Error, ErrorKind};
use crate::http::{Call, HttpRequest};
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
        let parts: Vec<Part> = texts.map(Self::text_part).collect();
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
