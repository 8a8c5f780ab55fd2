//! `[models]`: how models are called where neither node nor stylesheet says it.

use std::time::Duration;

use attractor_lang::duration;

use super::reader::{Entry, Reader, string};

/// Keys of the section.
const KEYS: [&str; 3] = ["fallback_models", "request_timeout", "idle_timeout"];

/// The settings of calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelSettings {
    /// Models called instead, in turn, while a model is not available.
    pub fallback_models: Option<Vec<String>>,
    /// Most time until an answer begins.
    pub request_timeout: Option<Duration>,
    /// Most time between two lines of an answer.
    pub idle_timeout: Option<Duration>,
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> ModelSettings {
    let mut settings = ModelSettings::default();
    for entry in reader.section(section) {
        match entry.key.as_str() {
            "fallback_models" => {
                settings.fallback_models = reader.strings(&entry, "models.fallback_models");
            }
            "request_timeout" => settings.request_timeout = time(reader, &entry),
            "idle_timeout" => settings.idle_timeout = time(reader, &entry),
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    settings
}

/// A duration of more than nothing, as attributes have it.
fn time(reader: &mut Reader<'_>, entry: &Entry) -> Option<Duration> {
    let found = string(&entry.value).and_then(duration::parse);
    let found = found.filter(|time| !time.is_zero());
    if found.is_none() {
        let (key, value) = (&entry.key, &entry.value);
        let message = format!("`models.{key}` is {value}; expected a duration such as \"90s\"");
        reader.report(entry.value_at, message);
    }
    found
}
