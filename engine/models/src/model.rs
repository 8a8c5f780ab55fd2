//! One model: what it takes, what it can do, what it costs.

use serde::{Deserialize, Serialize};

use crate::{Date, Lifecycle, Price};

/// A model and the rules of its API.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent capabilities, as the data file names them"
)]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Model {
    /// The id the provider's API takes.
    pub id: String,
    /// The id of its [provider](crate::Provider).
    pub provider: String,
    /// Its name for people.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Other names that people use for it; never sent to the provider.
    pub aliases: Vec<String>,
    /// Tokens of input and output together.
    pub context_window: Option<u64>,
    /// Tokens of input, where the provider limits them apart.
    pub max_input: Option<u64>,
    /// Tokens of output, reasoning included.
    pub max_output: Option<u64>,
    /// What a message may contain.
    pub input: Vec<Input>,
    /// Whether it calls tools.
    pub tools: bool,
    /// Whether it streams.
    pub streaming: bool,
    /// Whether its output can be bound to a JSON Schema.
    pub structured_output: bool,
    /// Whether that is also possible in a request with tools.
    pub structured_output_with_tools: bool,
    /// Whether `temperature` and `top_p` may be set.
    pub sampling: Sampling,
    /// How its reasoning is controlled.
    pub reasoning: Reasoning,
    /// How prompt caching works.
    pub cache: PromptCache,
    /// List price.
    pub price: Option<Price>,
    /// First day of service.
    pub released: Option<Date>,
    /// Last day of service.
    pub retires: Option<Date>,
    /// What its provider recommends instead.
    pub successor: Option<String>,
}

/// A kind of content that a message may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Input {
    /// Text.
    Text,
    /// Still images.
    Image,
    /// Sound.
    Audio,
    /// PDF and other documents.
    Document,
}

/// When `temperature` and `top_p` may be set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// Always.
    #[default]
    Supported,
    /// Only with reasoning effort `none`.
    WithoutReasoning,
    /// Never: the API answers with an error.
    Unsupported,
}

/// How much a model reasons, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Effort {
    /// Not at all.
    None,
    /// As little as possible.
    Minimal,
    /// Little.
    Low,
    /// The usual amount.
    Medium,
    /// Much.
    High,
    /// Very much.
    XHigh,
    /// As much as possible.
    Max,
}

impl Effort {
    /// Every value, least first.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::Minimal,
        Self::Low,
        Self::Medium,
        Self::High,
        Self::XHigh,
        Self::Max,
    ];

    /// The word that APIs and attributes use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::XHigh => "xhigh",
            Self::Max => "max",
        }
    }
}

/// How a model's reasoning is controlled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reasoning {
    /// By what.
    #[serde(default)]
    pub style: ReasoningStyle,
    /// The efforts it accepts; empty for styles without efforts.
    #[serde(default)]
    pub efforts: Vec<Effort>,
    /// What applies when a request sets none.
    pub default: Option<Effort>,
    /// Whether it can be switched off.
    #[serde(default)]
    pub can_disable: bool,
}

impl Reasoning {
    /// The accepted effort nearest to the requested one, the lesser one of two; `None` where there are no efforts.
    pub fn clamp(&self, requested: Effort) -> Option<Effort> {
        let below = self
            .efforts
            .iter()
            .copied()
            .filter(|effort| *effort <= requested)
            .max();
        let above = self
            .efforts
            .iter()
            .copied()
            .filter(|effort| *effort > requested)
            .min();
        match (below, above) {
            // "none" is a switch rather than an amount: a request for some reasoning does not turn it off.
            (Some(Effort::None), Some(above)) if requested > Effort::None => Some(above),
            (below, above) => below.or(above),
        }
    }
}

/// By what a model's reasoning is controlled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasoningStyle {
    /// It does not reason.
    #[default]
    None,
    /// By a word for the effort.
    Effort,
    /// The model decides how much, guided by a word for the effort.
    Adaptive,
    /// By a number of tokens.
    Budget,
}

/// How prompt caching works.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptCache {
    /// Who decides what is cached.
    #[serde(default)]
    pub style: CacheStyle,
    /// Prefixes of fewer tokens are not cached.
    pub min_tokens: Option<u64>,
}

/// Who decides what is cached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheStyle {
    /// Nothing is cached.
    #[default]
    None,
    /// The provider.
    Automatic,
    /// The request, by breakpoints.
    Explicit,
}

impl Model {
    /// Whether a message may contain still images.
    pub fn takes_images(&self) -> bool {
        self.input.contains(&Input::Image)
    }

    /// Whether a message may hold that kind of content.
    pub fn accepts(&self, input: Input) -> bool {
        self.input.contains(&input)
    }

    /// Where it is in its life on that day.
    pub fn lifecycle(&self, today: Date) -> Lifecycle {
        match self.retires {
            Some(date) if date <= today => Lifecycle::Retired(date),
            Some(date) => Lifecycle::Retiring(date),
            None => Lifecycle::Active,
        }
    }

    /// Its id and aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.aliases.iter().map(String::as_str))
    }

    /// A model of which nothing is known but its name: it takes text, images and tools, and no limit is assumed.
    pub fn unspecified(id: &str, provider: &str) -> Self {
        Self {
            id: id.to_owned(),
            provider: provider.to_owned(),
            name: id.to_owned(),
            summary: String::new(),
            aliases: Vec::new(),
            context_window: None,
            max_input: None,
            max_output: None,
            input: vec![Input::Text, Input::Image, Input::Audio, Input::Document],
            tools: true,
            streaming: true,
            structured_output: true,
            structured_output_with_tools: true,
            sampling: Sampling::Supported,
            reasoning: Reasoning {
                style: ReasoningStyle::Effort,
                efforts: Effort::ALL.to_vec(),
                default: None,
                can_disable: true,
            },
            cache: PromptCache {
                style: CacheStyle::Automatic,
                min_tokens: None,
            },
            price: None,
            released: None,
            retires: None,
            successor: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasoning(efforts: &[Effort]) -> Reasoning {
        Reasoning {
            style: ReasoningStyle::Effort,
            efforts: efforts.to_vec(),
            default: None,
            can_disable: false,
        }
    }

    #[test]
    fn efforts_are_clamped_to_what_a_model_accepts() {
        use Effort::{High, Low, Max, Medium, Minimal, None, XHigh};
        let cases = [
            (&[Low, Medium, High][..], Max, Some(High)),
            (&[Low, Medium, High], None, Some(Low)),
            (&[Low, High], Medium, Some(Low)),
            (&[None, Low], Minimal, Some(Low)),
            (&[None, Low], None, Some(None)),
            (&[Low, XHigh], XHigh, Some(XHigh)),
            (&[], High, Option::None),
        ];
        for (efforts, requested, expected) in cases {
            assert_eq!(
                reasoning(efforts).clamp(requested),
                expected,
                "{efforts:?} {requested:?}"
            );
        }
    }

    #[test]
    fn a_model_is_retired_from_its_last_day_on() {
        let mut model = Model::unspecified("m", "openai");
        let day = |text: &str| text.parse::<Date>().unwrap();
        assert_eq!(model.lifecycle(day("2026-11-22")), Lifecycle::Active);
        model.retires = Some(day("2026-11-30"));
        assert_eq!(
            model.lifecycle(day("2026-11-22")),
            Lifecycle::Retiring(day("2026-11-30"))
        );
        assert_eq!(
            model.lifecycle(day("2026-11-30")),
            Lifecycle::Retired(day("2026-11-30"))
        );
    }
}
