//! The ids of the providers whose APIs have an adapter.

/// The Anthropic Messages API.
pub const ANTHROPIC: &str = "anthropic";

/// The Gemini API.
pub const GEMINI: &str = "google";

/// The `OpenAI` Responses API.
pub const OPENAI: &str = "openai";

/// A server with the Chat Completions API that has no id of its own.
pub const OPENAI_COMPATIBLE: &str = "openai-compatible";
