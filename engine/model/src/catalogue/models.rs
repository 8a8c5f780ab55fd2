//! Models known by name. A name that is not here is no mistake: providers add models faster than tools.

/// A model.
#[derive(Debug)]
pub struct ModelRow {
    /// Its id.
    pub id: &'static str,
    /// Who serves it.
    pub provider: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// One line.
    pub doc: &'static str,
}

/// Providers by the name attributes use.
pub const PROVIDERS: &[&str] = &["anthropic", "openai", "gemini", "openai-compatible"];

const fn row(
    id: &'static str,
    provider: &'static str,
    aliases: &'static [&'static str],
    doc: &'static str,
) -> ModelRow {
    ModelRow {
        id,
        provider,
        aliases,
        doc,
    }
}

/// Models to offer in completion, by provider, newest and largest first.
pub const MODELS: &[ModelRow] = &[
    row(
        "claude-opus-5-5",
        "anthropic",
        &["opus", "claude-opus", "claude-opus-5.5"],
        "Anthropic's large model.",
    ),
    row(
        "claude-sonnet-5-5",
        "anthropic",
        &["sonnet", "claude-sonnet", "claude-sonnet-5.5"],
        "Anthropic's everyday model.",
    ),
    row(
        "claude-haiku-5-5",
        "anthropic",
        &["haiku", "claude-haiku", "claude-haiku-5.5"],
        "Anthropic's fast model.",
    ),
    row(
        "claude-fable-5-2",
        "anthropic",
        &["claude-fable-5.2"],
        "Anthropic, for the longest work.",
    ),
    row(
        "claude-opus-4-6",
        "anthropic",
        &["claude-opus-4.6"],
        "Anthropic, large, legacy.",
    ),
    row(
        "claude-sonnet-4-6",
        "anthropic",
        &["claude-sonnet-4.6"],
        "Anthropic, everyday, legacy.",
    ),
    row(
        "claude-haiku-4-5",
        "anthropic",
        &["claude-haiku-4.5"],
        "Anthropic, fast, legacy.",
    ),
    row("gpt-6-astra", "openai", &["gpt-6"], "OpenAI's largest."),
    row("gpt-6.1-sol", "openai", &[], "OpenAI, large."),
    row("gpt-6.1-terra", "openai", &[], "OpenAI, everyday."),
    row("gpt-6-luna", "openai", &[], "OpenAI, fast."),
    row("gpt-5.5", "openai", &["gpt-5-5"], "OpenAI, large, earlier."),
    row("gpt-5.4", "openai", &["gpt-5-4"], "OpenAI, large, earlier."),
    row(
        "gpt-5.4-mini",
        "openai",
        &["gpt-5-4-mini"],
        "OpenAI, fast, earlier.",
    ),
    row("gpt-5.2", "openai", &["gpt-5-2"], "OpenAI, large, earlier."),
    row(
        "gpt-4o",
        "openai",
        &[],
        "OpenAI, without reasoning; shuts down in January 2027.",
    ),
    row(
        "gemini-4-argon",
        "gemini",
        &["gemini-pro"],
        "Google's largest.",
    ),
    row("gemini-4-carbon", "gemini", &[], "Google, everyday."),
    row("gemini-4-hydrogen", "gemini", &[], "Google, fast."),
    row(
        "gemini-3.8-flash",
        "gemini",
        &["gemini-flash"],
        "Google, fast.",
    ),
    row(
        "gemini-3.1-pro-preview",
        "gemini",
        &["gemini-3.1-pro"],
        "Google, large, earlier.",
    ),
    row(
        "gemini-3-flash-preview",
        "gemini",
        &["gemini-3-flash"],
        "Google, fast, earlier.",
    ),
];

/// Models that earlier pipelines name; offered after [`MODELS`], by provider, newest first. Their providers may have
/// switched them off since.
pub const EARLIER_MODELS: &[(&str, &str)] = &[
    ("claude-opus-4-7", "anthropic"),
    ("claude-opus-4-5", "anthropic"),
    ("claude-sonnet-4-5", "anthropic"),
    ("claude-opus-4-1", "anthropic"),
    ("claude-sonnet-4-20250514", "anthropic"),
    ("gpt-5.4-spark", "openai"),
    ("gpt-5.3-codex", "openai"),
    ("gpt-5.3-codex-spark", "openai"),
    ("gpt-5.2-codex", "openai"),
    ("gpt-5.1", "openai"),
    ("gpt-5.1-codex", "openai"),
    ("gpt-5.1-codex-mini", "openai"),
    ("gpt-5", "openai"),
    ("gpt-5-mini", "openai"),
    ("gpt-4.1", "openai"),
    ("gpt-4.1-mini", "openai"),
    ("gpt-4o-mini", "openai"),
    ("o3", "openai"),
    ("o4-mini", "openai"),
    ("gemini-3-pro-preview", "gemini"),
    ("gemini-2.5-pro", "gemini"),
    ("gemini-2.5-flash", "gemini"),
];

/// The model of that id or alias.
pub fn model(name: &str) -> Option<&'static ModelRow> {
    MODELS
        .iter()
        .find(|row| row.id == name || row.aliases.contains(&name))
}
