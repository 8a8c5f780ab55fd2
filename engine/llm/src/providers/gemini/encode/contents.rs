//! Conversations as contents of the API: parts, their signatures, and the ids of calls.

use attractor_models::ReasoningStyle;
use serde_json::{Map, Value};

use super::super::PROVIDER;
use super::super::wire::{
    Content, FileData, FunctionCall, FunctionResponse, InlineData, MediaPart, Part,
};
use super::Encoder;
use crate::content::{ContentPart, ToolCallContent, ToolResultContent};
use crate::conversation::{Turn, TurnRole};
use crate::error::{Error, ErrorKind};
use crate::media::{MediaContent, MediaSource};

impl Encoder<'_> {
    pub(super) fn text_part(text: String) -> Part {
        Part {
            text: Some(text),
            ..Part::default()
        }
    }

    pub(super) fn contents(&mut self, turns: &[Turn]) -> Result<Vec<Content>, Error> {
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
            ContentPart::Text(text) => Some(Encoder::text_part(text.text.clone())),
            ContentPart::Refusal(refusal) => Some(Encoder::text_part(refusal.text.clone())),
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
