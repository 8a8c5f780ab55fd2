//! Requests to the Messages API.
//!
//! The order of the fields is the order of the cached prefix (tools, system, messages), and the same request always
//! gives the same bytes: the provider compares prefixes byte by byte, for caching and for signed thinking.

mod messages;

use attractor_models::{CacheStyle, Effort, ReasoningStyle, Sampling};
use serde_json::Value;

use super::wire::{CacheControl, OutputConfig, OutputFormat, Request, Thinking, Tool, ToolChoice};
use super::{AnthropicOptions, PROVIDER};
use crate::conversation::{Conversation, Turn};
use crate::error::{Error, ErrorKind};
use crate::http::{Call, HttpRequest};
use crate::providers::{merge_options, wants_json};
use crate::request::ResponseFormat;
use crate::response::Warning;
use crate::tool::{ToolChoice as Choice, ToolDefinition};

/// From this version on the API rejects sampling parameters for every model.
const VERSION_WITHOUT_SAMPLING: &str = "2026-10-21";
/// Output tokens for a model without a known limit.
const DEFAULT_MAX_TOKENS: u64 = 8192;
const MIN_THINKING_BUDGET: u64 = 1024;
const MAX_ID: usize = 64;
const EPHEMERAL: CacheControl = CacheControl { kind: "ephemeral" };

pub(super) fn request(call: &Call<'_>, options: &AnthropicOptions) -> Result<HttpRequest, Error> {
    let conversation = Conversation::of(call.request);
    let mut encoder = Encoder {
        call,
        warnings: conversation.warnings,
    };
    let body = encoder.body(&conversation.instructions, &conversation.turns, options)?;
    let mut body = serde_json::to_value(body).map_err(|error| {
        Error::new(
            ErrorKind::InvalidRequest,
            format!("cannot write the request as JSON: {error}"),
        )
    })?;
    let own = call.request.options_of(PROVIDER);
    merge_options(&mut body, own, &["betas"]);
    let mut headers = vec![("anthropic-version", options.version.clone())];
    let betas = own
        .and_then(|own| own.get("betas"))
        .and_then(Value::as_array);
    let betas: Vec<&str> = betas
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !betas.is_empty() {
        headers.push(("anthropic-beta", betas.join(",")));
    }
    Ok(HttpRequest {
        path: "/v1/messages".to_owned(),
        headers,
        body,
        warnings: encoder.warnings,
    })
}

/// The output limit of a call: its own, else that of its model.
pub(super) fn max_tokens(call: &Call<'_>) -> u64 {
    let limit = call.model.rules.max_output;
    match (call.request.max_tokens, limit) {
        (Some(wanted), Some(limit)) if call.model.is_listed => wanted.min(limit),
        (Some(wanted), _) => wanted,
        (None, limit) => limit.unwrap_or(DEFAULT_MAX_TOKENS),
    }
}

struct Encoder<'a> {
    call: &'a Call<'a>,
    warnings: Vec<Warning>,
}

impl Encoder<'_> {
    fn body(
        &mut self,
        instructions: &[String],
        turns: &[Turn],
        options: &AnthropicOptions,
    ) -> Result<Request, Error> {
        let (call, request) = (self.call, self.call.request);
        let max_tokens = max_tokens(call);
        if request.max_tokens.is_some_and(|wanted| wanted > max_tokens) {
            self.warn(
                "max_tokens",
                format!("lowered to {max_tokens}, the limit of {}", call.model.id),
            );
        }
        let caches = options.prompt_caching && call.model.rules.cache.style == CacheStyle::Explicit;
        let (thinking, effort) = self.thinking(max_tokens);
        let is_manual = matches!(thinking, Some(Thinking::Enabled { .. }));
        let format = self.format();
        let mut instructions = instructions.to_vec();
        if request.response_format.is_some() && format.is_none() {
            instructions.extend(wants_json(request));
        }
        let tools = self.tools(caches && instructions.is_empty());
        let (temperature, top_p) = self.sampling(options, is_manual);
        Ok(Request {
            model: call.model.id.clone(),
            max_tokens,
            tools,
            tool_choice: self.tool_choice(is_manual),
            system: Self::system(&instructions, caches),
            messages: self.messages(turns)?,
            thinking,
            output_config: OutputConfig { effort, format },
            temperature,
            top_p,
            stop_sequences: request.stop_sequences.clone(),
            cache_control: caches.then_some(EPHEMERAL),
            stream: call.streaming,
        })
    }

    fn warn(&mut self, code: &str, message: String) {
        self.warnings.push(Warning::new(code, message));
    }

    fn thinking(&mut self, max_tokens: u64) -> (Option<Thinking>, Option<&'static str>) {
        let Some(wanted) = self.call.request.reasoning_effort else {
            return (None, None);
        };
        let reasoning = &self.call.model.rules.reasoning;
        let model = &self.call.model.id;
        match reasoning.style {
            ReasoningStyle::None => {
                if wanted != Effort::None {
                    self.warn(
                        "reasoning_effort",
                        format!("left out: {model} does not reason"),
                    );
                }
                (None, None)
            }
            ReasoningStyle::Budget if wanted == Effort::None => (None, None),
            ReasoningStyle::Budget => (self.budget(wanted, max_tokens), None),
            ReasoningStyle::Effort | ReasoningStyle::Adaptive => {
                if wanted == Effort::None && reasoning.can_disable {
                    return (Some(Thinking::Disabled), None);
                }
                let clamped = reasoning.clamp(wanted);
                if let Some(effort) = clamped.filter(|effort| *effort != wanted) {
                    let (effort, wanted) = (effort.as_str(), wanted.as_str());
                    self.warn(
                        "reasoning_effort",
                        format!("`{effort}` instead of `{wanted}`, which {model} does not accept"),
                    );
                }
                (Some(Thinking::Adaptive), clamped.map(Effort::as_str))
            }
        }
    }

    fn budget(&mut self, wanted: Effort, max_tokens: u64) -> Option<Thinking> {
        let tokens = match wanted {
            Effort::None | Effort::Minimal => MIN_THINKING_BUDGET,
            Effort::Low => 2048,
            Effort::Medium => 8192,
            _ => 32_768,
        };
        // The budget must be less than `max_tokens`, and something must be left for the answer.
        let budget = tokens.min(max_tokens.saturating_sub(MIN_THINKING_BUDGET));
        if budget < MIN_THINKING_BUDGET {
            let message =
                format!("left out: `max_tokens` of {max_tokens} is too small for reasoning");
            self.warn("reasoning_effort", message);
            return None;
        }
        Some(Thinking::Enabled {
            budget_tokens: budget,
        })
    }

    fn sampling(
        &mut self,
        options: &AnthropicOptions,
        is_manual: bool,
    ) -> (Option<f64>, Option<f64>) {
        let request = self.call.request;
        let reason = if options.version.as_str() >= VERSION_WITHOUT_SAMPLING {
            format!("API version {} does not accept it", options.version)
        } else if self.call.model.rules.sampling != Sampling::Supported {
            format!("{} does not accept it", self.call.model.id)
        } else if is_manual {
            "it cannot be combined with extended thinking".to_owned()
        } else {
            return (request.temperature, request.top_p);
        };
        for (name, value) in [
            ("temperature", request.temperature),
            ("top_p", request.top_p),
        ] {
            if value.is_some() {
                self.warn(name, format!("left out: {reason}"));
            }
        }
        (None, None)
    }

    fn format(&mut self) -> Option<OutputFormat> {
        match &self.call.request.response_format {
            Some(ResponseFormat::JsonSchema { schema, .. })
                if self.call.model.rules.structured_output =>
            {
                Some(OutputFormat {
                    kind: "json_schema",
                    schema: schema.clone(),
                })
            }
            Some(_) => {
                self.warn(
                    "response_format",
                    "requested by an instruction: the API cannot ensure it here".to_owned(),
                );
                None
            }
            None => None,
        }
    }

    fn tools(&mut self, cache_last: bool) -> Vec<Tool> {
        let definitions = &self.call.request.tools;
        let last = definitions.len().wrapping_sub(1);
        let tool = |(index, tool): (usize, &ToolDefinition)| Tool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            input_schema: self.schema(tool),
            strict: tool.strict,
            cache_control: (cache_last && index == last).then_some(EPHEMERAL),
        };
        definitions.iter().enumerate().map(tool).collect()
    }

    /// The API requires an object at the root and rejects unions there.
    fn schema(&mut self, tool: &ToolDefinition) -> Value {
        let mut schema = tool.to_json_schema();
        let Value::Object(root) = &mut schema else {
            return schema;
        };
        for key in ["oneOf", "anyOf", "allOf"] {
            if root.shift_remove(key).is_some() {
                self.warn("tools", format!("left `{key}` out of the root of the schema of `{}`: the API rejects it there", tool.name));
            }
        }
        root.insert("type".to_owned(), Value::from("object"));
        schema
    }

    fn tool_choice(&mut self, is_manual: bool) -> Option<ToolChoice> {
        let request = self.call.request;
        if request.tools.is_empty() {
            return None;
        }
        let disable = request.parallel_tool_calls == Some(false);
        let choice = |kind, name| {
            Some(ToolChoice {
                kind,
                name,
                disable_parallel_tool_use: disable,
            })
        };
        match &request.tool_choice {
            Choice::Required | Choice::Tool(_) if is_manual => {
                self.warn(
                    "tool_choice",
                    "`auto`: the API cannot combine a forced tool call with extended thinking"
                        .to_owned(),
                );
                disable.then_some(ToolChoice {
                    kind: "auto",
                    name: None,
                    disable_parallel_tool_use: true,
                })
            }
            Choice::Auto => disable.then_some(ToolChoice {
                kind: "auto",
                name: None,
                disable_parallel_tool_use: true,
            }),
            Choice::None => Some(ToolChoice {
                kind: "none",
                name: None,
                disable_parallel_tool_use: false,
            }),
            Choice::Required => choice("any", None),
            Choice::Tool(name) => choice("tool", Some(name.clone())),
        }
    }
}
