//! Conversations as items of the API.

use serde_json::{Value, json};

use super::super::PROVIDER;
use super::super::wire::{Content, InputPart, Item, KnownItem, Message};
use super::{Encoder, MAX_ID};
use crate::content::{ContentPart, ThinkingContent, ToolCallContent, ToolResultContent};
use crate::conversation::{Turn, TurnRole, legal_id};
use crate::media::{MediaContent, MediaSource};

impl Encoder<'_> {
    pub(super) fn turn(&mut self, turn: &Turn) -> Vec<Item> {
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

pub(super) fn message(role: &'static str, content: Content) -> Item {
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
