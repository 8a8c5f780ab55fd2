//! How the files of a project are read: `dialect`, `[lints]`, `[pipelines]`, `[roles]`, `[format]`.

use std::collections::BTreeMap;

use attractor_lint::LINTS;
use attractor_model::messages::{invalid_level, unknown_dialect};
use attractor_model::{DialectChoice, Level, Levels};
use globset::Glob;

use super::reader::{Entry, Reader, string};
use crate::format::{FORMAT_OPTIONS, FormatSettings};

pub(super) fn dialect(reader: &mut Reader<'_>, entry: &Entry) -> Option<DialectChoice> {
    let dialect = string(&entry.value).and_then(DialectChoice::from_name);
    if dialect.is_none() {
        let name = string(&entry.value).map_or_else(|| entry.value.to_string(), str::to_owned);
        reader.report(entry.value_at, unknown_dialect(&name));
    }
    dialect
}

pub(super) fn lints(reader: &mut Reader<'_>, entry: &Entry) -> Levels {
    let mut levels = Levels::default();
    for rule in reader.section(entry) {
        if !LINTS.iter().any(|lint| lint.rule == rule.key) {
            reader.unknown(&rule, "rule", LINTS.iter().map(|lint| lint.rule));
            continue;
        }
        if let Some(level) = string(&rule.value).and_then(Level::from_name) {
            levels.set(rule.key, level);
        } else {
            let message = invalid_level(&rule.key, &rule.value.to_string());
            reader.report(rule.value_at, message);
        }
    }
    levels
}

/// The globs of files whose digraphs are pipelines.
pub(super) fn pipelines(reader: &mut Reader<'_>, entry: &Entry) -> Vec<String> {
    let mut all = Vec::new();
    for one in reader.section(entry) {
        if one.key != "globs" {
            reader.unknown(&one, "key", ["globs"].into_iter());
        } else if let Some(mut globs) = reader.strings(&one, "pipelines.globs") {
            globs.retain(|glob| match Glob::new(glob) {
                Ok(_) => true,
                Err(error) => {
                    let message = format!("invalid glob `{glob}`: {}", error.kind());
                    reader.report(one.value_at, message);
                    false
                }
            });
            all = globs;
        }
    }
    all
}

pub(super) fn roles(reader: &mut Reader<'_>, entry: &Entry) -> BTreeMap<String, Vec<String>> {
    let mut roles = BTreeMap::new();
    for role in reader.section(entry) {
        if let Some(plans) = reader.strings(&role, &format!("roles.{}", role.key)) {
            roles.insert(role.key, plans);
        }
    }
    roles
}

pub(super) fn format(reader: &mut Reader<'_>, entry: &Entry) -> FormatSettings {
    let mut format = FormatSettings::default();
    for one in reader.section(entry) {
        if !FORMAT_OPTIONS.iter().any(|choice| choice.name == one.key) {
            reader.unknown(
                &one,
                "option",
                FORMAT_OPTIONS.iter().map(|choice| choice.name),
            );
            continue;
        }
        let value = string(&one.value).map_or_else(|| one.value.to_string(), str::to_owned);
        if let Err(error) = format.set(&one.key, &value) {
            reader.report(one.value_at, error.to_string());
        }
    }
    format
}
