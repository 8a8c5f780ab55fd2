//! `[models]`: how models are called where neither node nor stylesheet says it.

use std::time::Duration;

use super::reader::{Entry, Reader};

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
            "request_timeout" => {
                settings.request_timeout = reader.duration(&entry, "models.request_timeout");
            }
            "idle_timeout" => {
                settings.idle_timeout = reader.duration(&entry, "models.idle_timeout");
            }
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    settings
}
