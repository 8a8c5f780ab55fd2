//! `[models]`: how models are called where neither node nor stylesheet says it, and the models that are declared.

use std::time::Duration;

use attractor_model::catalogue::DeclaredModel;

use super::declared_models;
use super::reader::{Entry, Reader, string};
use crate::owner::Owner;

/// Keys of the section.
const KEYS: [&str; 6] = [
    "fallback_models",
    "request_timeout",
    "idle_timeout",
    "max_retries",
    "max_wait",
    "on_rate_limit",
];

/// Words of `on_rate_limit`.
const RATE_LIMIT: [(&str, OnRateLimit); 3] = [
    ("retry", OnRateLimit::Retry),
    ("wait", OnRateLimit::Wait),
    ("fail", OnRateLimit::Fail),
];

/// The most retries that can be set.
const MOST_RETRIES: u32 = 100;

/// The settings of calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelSettings {
    /// Models called instead, in turn, while a model is not available.
    pub fallback_models: Option<Vec<String>>,
    /// Most time until an answer begins.
    pub request_timeout: Option<Duration>,
    /// Most time between two lines of an answer.
    pub idle_timeout: Option<Duration>,
    /// Most retries of a call that failed.
    pub max_retries: Option<u32>,
    /// The longest time that is waited because a provider asks for it.
    pub max_wait: Option<Duration>,
    /// What to do when a provider limits the rate of requests.
    pub on_rate_limit: Option<OnRateLimit>,
    /// Models beyond those of the catalogue, or with other limits and prices.
    pub declared: Vec<DeclaredModel>,
}

/// What to do when a provider limits the rate of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRateLimit {
    /// Try again as after any failure that may pass.
    Retry,
    /// Wait until the time the provider names.
    Wait,
    /// Fail at once.
    Fail,
}

impl OnRateLimit {
    /// The word of the configuration.
    pub fn name(self) -> &'static str {
        let mut words = RATE_LIMIT.iter();
        words
            .find(|(_, known)| *known == self)
            .map_or("", |(word, _)| word)
    }

    /// The meaning of a word.
    pub fn parse(word: &str) -> Option<Self> {
        let mut words = RATE_LIMIT.iter();
        words
            .find(|(known, _)| *known == word)
            .map(|(_, meaning)| *meaning)
    }
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry, owner: Owner) -> ModelSettings {
    let mut settings = ModelSettings::default();
    for entry in reader.section(section) {
        match entry.key.as_str() {
            "fallback_models" => {
                settings.fallback_models = reader.strings(&entry, "models.fallback_models");
            }
            "request_timeout" => {
                settings.request_timeout = reader.duration(&entry, "models.request_timeout");
            }
            "idle_timeout" => {
                settings.idle_timeout = reader.duration(&entry, "models.idle_timeout");
            }
            "max_retries" => {
                settings.max_retries = reader.number(&entry, "models.max_retries", 0, MOST_RETRIES);
            }
            "max_wait" => {
                settings.max_wait = reader.duration(&entry, "models.max_wait");
            }
            "on_rate_limit" => settings.on_rate_limit = on_rate_limit(reader, &entry),
            _ if entry.value.is_table() => {
                let known = &settings.declared;
                let declared = declared_models::read(reader, &entry, owner, known);
                settings.declared.extend(declared);
            }
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    settings
}

fn on_rate_limit(reader: &mut Reader<'_>, entry: &Entry) -> Option<OnRateLimit> {
    let found = string(&entry.value).and_then(OnRateLimit::parse);
    if found.is_none() {
        let words = RATE_LIMIT.map(|(word, _)| word).join(", ");
        let message = format!(
            "`models.on_rate_limit` is {}; expected one of {words}",
            entry.value
        );
        reader.report(entry.value_at, message);
    }
    found
}
