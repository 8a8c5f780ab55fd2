//! Requests to the Responses API.
//!
//! Nothing refers to what the provider stores: every item is sent whole, without the ids under which the provider
//! would look for it. Reasoning is the exception: its id is part of the item, and it is valid only with its
//! encrypted content, for its own model, and followed by an item of the same answer.

mod items;

use attractor_models::{Effort, ReasoningStyle, Sampling};

use super::wire::{
    Format, Grammar, Reasoning, Request, StreamOptions, TextConfig, Tool, ToolChoice,
};
use super::{OpenAiOptions, PROVIDER, schema};
use crate::conversation::{Conversation, Turn};
use crate::error::{Error, ErrorKind};
use crate::http::{Call, HttpRequest};
use crate::providers::{merge_options, wants_json};
use crate::request::ResponseFormat;
use crate::response::Warning;
use crate::tool::{ToolChoice as Choice, ToolDefinition};

const MAX_ID: usize = 64;

/// The request of a call; `summary` is how reasoning is summarised where the call asks to show it.
pub(super) fn request(
    call: &Call<'_>,
    options: &OpenAiOptions,
    summary: Option<&'static str>,
) -> Result<HttpRequest, Error> {
    let conversation = Conversation::of(call.request);
    let mut encoder = Encoder {
        call,
        summary,
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
    summary: Option<&'static str>,
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
        let shows = request.show_reasoning && reasons && effort != Some(Effort::None);
        let summary = self.summary.filter(|_| shows);
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
            reasoning: (effort.is_some() || summary.is_some()).then_some(Reasoning {
                effort: effort.map(Effort::as_str),
                summary,
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
}
