//! Conversations as messages of the API: their roles, blocks, and what ends them.

use attractor_models::{Input, ReasoningStyle, Sampling};
use base64::Engine as _;
use serde_json::{Map, Value};

use super::super::PROVIDER;
use super::super::wire::{Block, KnownBlock, Message, Source};
use super::{EPHEMERAL, Encoder, MAX_ID};
use crate::content::{ContentPart, ThinkingContent, ToolCallContent, ToolResultContent};
use crate::conversation::{Turn, TurnRole, legal_id};
use crate::error::{Error, ErrorKind};
use crate::media::{MediaContent, MediaSource};

impl Encoder<'_> {
    /// The instructions; with a cache, they end a cached prefix.
    pub(super) fn system(instructions: &[String], caches: bool) -> Vec<Block> {
        let texts = instructions.iter().filter(|text| !text.is_empty());
        let mut blocks: Vec<KnownBlock> = texts.map(|text| text_block(text)).collect();
        if let (true, Some(KnownBlock::Text { cache_control, .. })) = (caches, blocks.last_mut()) {
            *cache_control = Some(EPHEMERAL);
        }
        blocks.into_iter().map(Block::Known).collect()
    }

    pub(super) fn messages(&mut self, turns: &[Turn]) -> Result<Vec<Message>, Error> {
        let mut messages = Vec::with_capacity(turns.len());
        for turn in turns {
            let role = self.role(turn.role);
            let mut content = Vec::with_capacity(turn.parts.len());
            for part in &turn.parts {
                content.extend(self.block(part));
            }
            match messages.last_mut() {
                _ if content.is_empty() => {}
                Some(Message {
                    role: last,
                    content: before,
                }) if *last == role => before.extend(content),
                _ => messages.push(Message { role, content }),
            }
        }
        self.check_last(turns)?;
        Ok(messages)
    }

    /// Only models that reject sampling are new enough to take instructions between messages.
    fn role(&self, role: TurnRole) -> &'static str {
        match role {
            TurnRole::Assistant => "assistant",
            TurnRole::System if self.call.model.rules.sampling == Sampling::Unsupported => "system",
            TurnRole::System | TurnRole::User => "user",
        }
    }

    /// Models of today do not continue a message of the caller, except one of their own that they paused.
    fn check_last(&self, turns: &[Turn]) -> Result<(), Error> {
        let Some(Turn {
            role: TurnRole::Assistant,
            parts,
        }) = turns.last()
        else {
            return Ok(());
        };
        let is_paused = parts
            .iter()
            .any(|part| matches!(part, ContentPart::Native(_)));
        if is_paused || self.call.model.rules.reasoning.style != ReasoningStyle::Adaptive {
            return Ok(());
        }
        let message = format!(
            "the conversation ends with an assistant message, which {} does not continue; add a user message",
            self.call.model.id
        );
        Err(Error::new(ErrorKind::InvalidRequest, message))
    }

    fn block(&mut self, part: &ContentPart) -> Option<Block> {
        let native = part.state().and_then(|state| state.of_provider(PROVIDER));
        let known = match part {
            ContentPart::Native(content) => {
                if native.is_none() {
                    let message = format!(
                        "dropped a `{}` block of {}",
                        content.block, content.state.provider
                    );
                    self.warn("native_content", message);
                }
                return native.cloned().map(Block::Raw);
            }
            ContentPart::Text(_) if native.is_some() => return native.cloned().map(Block::Raw),
            ContentPart::Text(text) => text_block(&text.text),
            ContentPart::Refusal(refusal) if refusal.text.is_empty() => return None,
            ContentPart::Refusal(refusal) => text_block(&refusal.text),
            ContentPart::Image(media) => KnownBlock::Image {
                source: source(media),
            },
            ContentPart::Document(media) => document(media),
            ContentPart::Audio(_) => {
                debug_assert!(!self.call.model.rules.accepts(Input::Audio));
                self.warn("audio", "left out a sound: the API takes none".to_owned());
                return None;
            }
            ContentPart::ToolCall(call) => return Some(tool_use(call, native)),
            ContentPart::ToolResult(result) => self.tool_result(result),
            ContentPart::Thinking(thinking) => {
                return self.thinking_block(thinking).map(Block::Known);
            }
            ContentPart::RedactedThinking(redacted) => {
                let state = redacted.state.as_ref()?;
                state.of_model(PROVIDER, &self.call.model.id)?;
                KnownBlock::RedactedThinking {
                    data: redacted.data.clone(),
                }
            }
        };
        Some(Block::Known(known))
    }

    /// Thinking is valid only with its signature and for the model that signed it.
    fn thinking_block(&self, thinking: &ThinkingContent) -> Option<KnownBlock> {
        let state = thinking.state.as_ref()?;
        state.of_model(PROVIDER, &self.call.model.id)?;
        let signature = thinking.signature.clone()?;
        Some(KnownBlock::Thinking {
            thinking: thinking.text.clone(),
            signature,
        })
    }

    fn tool_result(&mut self, result: &ToolResultContent) -> KnownBlock {
        let mut content = Vec::new();
        if !result.content.is_empty() {
            content.push(Block::Known(text_block(&result.content)));
        }
        for media in &result.media {
            match media.clone().into() {
                ContentPart::Image(media) => content.push(Block::Known(KnownBlock::Image {
                    source: source(&media),
                })),
                ContentPart::Document(media) => content.push(Block::Known(document(&media))),
                _ => self.warn(
                    "audio",
                    "left out a sound of a tool result: the API takes none".to_owned(),
                ),
            }
        }
        KnownBlock::ToolResult {
            tool_use_id: legal_id(&result.tool_call_id, MAX_ID),
            content,
            is_error: result.is_error,
        }
    }
}

fn text_block(text: &str) -> KnownBlock {
    KnownBlock::Text {
        text: text.to_owned(),
        cache_control: None,
    }
}

/// A call of the API's own model is repeated with all its fields; arguments that are not valid JSON become `{}`.
fn tool_use(call: &ToolCallContent, native: Option<&Value>) -> Block {
    if let Some(raw) = native.filter(|_| call.invalid.is_none()) {
        return Block::Raw(raw.clone());
    }
    let input = if call.invalid.is_some() {
        Map::new()
    } else {
        call.arguments.clone()
    };
    let id = legal_id(&call.tool_call_id, MAX_ID);
    Block::Known(KnownBlock::ToolUse {
        id,
        name: call.tool_name.clone(),
        input,
    })
}

fn document(media: &MediaContent) -> KnownBlock {
    KnownBlock::Document {
        source: source(media),
        title: media.name.clone(),
    }
}

fn source(media: &MediaContent) -> Source {
    match &media.source {
        MediaSource::Url(url) => Source::Url { url: url.clone() },
        MediaSource::FileId(id) => Source::File {
            file_id: id.clone(),
        },
        MediaSource::Base64(data) => {
            let is_text = media.media_type.starts_with("text/");
            let decoded = is_text
                .then(|| base64::engine::general_purpose::STANDARD.decode(data).ok())
                .flatten();
            match decoded.and_then(|bytes| String::from_utf8(bytes).ok()) {
                Some(data) => Source::Text {
                    media_type: "text/plain",
                    data,
                },
                None => Source::Base64 {
                    media_type: media.media_type.clone(),
                    data: data.clone(),
                },
            }
        }
    }
}
