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

/// A provider.
#[derive(Debug)]
pub struct ProviderRow {
    /// The name attributes use.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// One line.
    pub doc: &'static str,
}

impl ProviderRow {
    /// Its name and its other names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// Providers, most used first.
pub const PROVIDERS: &[ProviderRow] = &[
    ProviderRow {
        name: "anthropic",
        aliases: &[],
        doc: "Claude models.",
    },
    ProviderRow {
        name: "openai",
        aliases: &[],
        doc: "GPT models.",
    },
    ProviderRow {
        name: "google",
        aliases: &["gemini"],
        doc: "Gemini models.",
    },
    ProviderRow {
        name: "openai-compatible",
        aliases: &[],
        doc: "A server with OpenAI's chat completions API.",
    },
];

/// The provider of that name or alias, in any case.
pub fn provider(name: &str) -> Option<&'static ProviderRow> {
    PROVIDERS
        .iter()
        .find(|row| row.names().any(|known| known.eq_ignore_ascii_case(name)))
}

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
        "google",
        &["gemini-pro"],
        "Google's largest.",
    ),
    row("gemini-4-carbon", "google", &[], "Google, everyday."),
    row("gemini-4-hydrogen", "google", &[], "Google, fast."),
    row(
        "gemini-3.8-flash",
        "google",
        &["gemini-flash"],
        "Google, fast.",
    ),
    row(
        "gemini-3.1-pro-preview",
        "google",
        &["gemini-3.1-pro"],
        "Google, large, earlier.",
    ),
    row(
        "gemini-3-flash-preview",
        "google",
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
    ("gemini-3-pro-preview", "google"),
    ("gemini-2.5-pro", "google"),
    ("gemini-2.5-flash", "google"),
];

/// The model of that id or alias.
pub fn model(name: &str) -> Option<&'static ModelRow> {
    MODELS
        .iter()
        .find(|row| row.id == name || row.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_a_known_provider() {
        let models = MODELS.iter().map(|row| row.provider);
        let earlier = EARLIER_MODELS.iter().map(|(_, provider)| *provider);
        for name in models.chain(earlier) {
            assert_eq!(provider(name).map(|row| row.name), Some(name));
        }
    }

    #[test]
    fn gemini_is_an_alias_of_google() {
        assert_eq!(provider("Gemini").map(|row| row.name), Some("google"));
        assert!(provider("mistral").is_none());
    }
}
