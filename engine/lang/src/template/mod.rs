//! Templates of `prompt`, `command`, `reason`, …: text with places for values of the context.
//!
//! `{key}`, `{dotted.key}`, `{key:-default}`, `$name`, `${name}`, `{{key}}`, `{{ key }}` are places; other `{{` and
//! `}}` are literal braces; every other brace or dollar is text, so JSON, awk and shell variables pass through.
//! What is inserted is never expanded again. In a command a value is handed over so that the shell does not parse
//! it, whatever it holds: see [`Quoting::Shell`].
//!
//! ```
//! use std::collections::BTreeMap;
//! use attractor_lang::{Value, template::{Quoting, parse, render}};
//! let context = BTreeMap::from([("name".to_owned(), Value::from("it's; rm -rf /"))]);
//! let (template, errors) = parse("hello {name}, {missing} {\"json\": 1}");
//! assert!(errors.is_empty());
//! let text = render(&template, &context, Quoting::Plain).unwrap().text;
//! assert_eq!(text, "hello it's; rm -rf /, {missing} {\"json\": 1}");
//! let (command, _) = parse("echo {name}");
//! let rendered = render(&command, &context, Quoting::Shell).unwrap();
//! assert_eq!(rendered.text, "echo \"${ATTRACTOR_V1}\"");
//! assert_eq!(rendered.environment, [("ATTRACTOR_V1".to_owned(), "it's; rm -rf /".to_owned())]);
//! ```

mod error;
mod parse;
mod piece;
mod render;
mod shell;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use error::RenderError;
pub use parse::{Placeholder, parse, placeholders};
pub use render::{Quoting, Rendered, render};
pub use shell::refusals;

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    /// The parts from left to right; together they cover the text.
    pub parts: Vec<Part>,
    /// `@path` as the whole value: the template is the content of that file.
    pub file: Option<FileReference>,
}

/// A stretch of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text that stays, decoded (`{{` is `{`), with the bytes it came from.
    Text(String, Range<usize>),
    /// A place for a value.
    Insert(Insert),
}

/// A place for a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    /// The key, as written.
    pub key: String,
    /// The bytes of the key.
    pub key_range: Range<usize>,
    /// The bytes of the whole place, braces included.
    pub range: Range<usize>,
    /// As it was written; this stays in the text when the key is missing.
    pub written: String,
    /// What to insert when the key is missing or null.
    pub default: Option<String>,
    /// Which way of writing it is.
    pub form: Form,
    /// What happens to the value in a command.
    pub filter: Filter,
}

/// The ways to write a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// `{key}`
    Braces,
    /// `$key`
    Dollar,
    /// `${key}`
    DollarBraces,
    /// `{{key}}`, `{{ key }}`
    Mustache,
}

/// What happens to a value in a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Filter {
    /// It is quoted: the shell does not parse it.
    Quoted,
    /// `{key|raw}`: it is inserted as it is, and the shell reads it as code.
    Raw,
}

/// A value that is `@path` as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReference {
    /// The path as written, relative to the DOT file.
    pub path: String,
    /// Its bytes, without the `@`.
    pub range: Range<usize>,
}

impl Template {
    /// Every place, from left to right.
    pub fn inserts(&self) -> impl Iterator<Item = &Insert> {
        self.parts.iter().filter_map(|part| match part {
            Part::Insert(insert) => Some(insert),
            Part::Text(..) => None,
        })
    }

    /// Every key a place names, from left to right, with its bytes; a key may come more than once.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &Range<usize>)> {
        self.inserts()
            .map(|insert| (insert.key.as_str(), &insert.key_range))
    }

    /// Whether the text has no places at all.
    pub fn is_plain(&self) -> bool {
        self.file.is_none() && self.inserts().next().is_none()
    }
}

impl Insert {
    /// The context keys this place may mean, best first: as written, without `context.` or `inputs.`, and
    /// as an attribute of the graph.
    pub fn candidates(&self) -> impl Iterator<Item = String> {
        let key = self.key.as_str();
        let bare = key
            .strip_prefix("context.")
            .or_else(|| key.strip_prefix("inputs."));
        [
            Some(key.to_owned()),
            bare.map(str::to_owned),
            Some(format!("graph.{key}")),
        ]
        .into_iter()
        .flatten()
    }
}
