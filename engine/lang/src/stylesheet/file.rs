//! A stylesheet that is a file of its own: CSS, or a rule list as JSON, YAML or TOML.

use super::rules::Properties;
use super::syntax::is_name_character;
use super::{Stylesheet, data, parse, rules, yaml};
use crate::LangError;

/// How a stylesheet is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Css,
    Json,
    Yaml,
    Toml,
}

/// Parses the stylesheet in the file `name`. The ending of the name decides how it is written, else the text does.
pub fn parse_file(
    name: &str,
    text: &str,
    properties: &dyn Properties,
) -> (Stylesheet, Vec<LangError>) {
    let format = Format::by_name(name).unwrap_or_else(|| Format::by_text(text));
    let data = match format {
        Format::Css => return parse(text),
        Format::Json => data::json(text),
        Format::Yaml => yaml::yaml(text),
        Format::Toml => data::toml(text),
    };
    match data {
        Ok(data) => rules::from_rules(&data, properties),
        Err(error) => (Stylesheet::default(), vec![error]),
    }
}

impl Format {
    fn by_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "css" => Some(Self::Css),
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }

    fn by_text(text: &str) -> Self {
        let start = text.trim_start();
        let inner = start.strip_prefix('[').map(str::trim_start);
        if start.starts_with('{') || inner.is_some_and(|inner| inner.starts_with(['{', ']'])) {
            return Self::Json;
        }
        // A CSS rule may begin with `#id` or `[name=…]`, which look like a comment and a table of TOML.
        let is_toml = |line: &str| {
            let line = line.trim();
            let key = line.split_once('=').map(|(key, _)| key.trim_end());
            let is_bare = |key: &str| !key.is_empty() && key.chars().all(is_name_character);
            let header = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'));
            line.starts_with("[[") || key.is_some_and(is_bare) || header.is_some_and(is_bare)
        };
        // A rule of CSS may begin in the same way only with a brace on its line.
        let is_yaml = |line: &str| {
            let line = line.trim_end();
            let is_list = line == "-" || line.starts_with("- ");
            is_list && !line.contains('{') || line == "---" || line.starts_with("rules:")
        };
        let comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
        match text.lines().find(|line| !comment(line)) {
            Some(line) if is_toml(line) => Self::Toml,
            Some(line) if is_yaml(line) => Self::Yaml,
            _ => Self::Css,
        }
    }
}
