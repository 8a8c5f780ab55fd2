//! The names that the templates of a file use: after `$`, or in braces.

use crate::document::Document;

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// `$name`, `${name}`.
    Dollar,
    /// `{name}`, `{{name}}`.
    Braces,
}

/// More names than this are not read from a file.
const MAX_NAMES: usize = 40;

/// The names of a file and how often each is used, most used first; the one at `cursor` is left out.
pub(crate) fn in_file(doc: &Document, syntax: Syntax, cursor: usize) -> Vec<(&str, u32)> {
    let text: &str = &doc.text;
    let mut found: Vec<(&str, u32)> = Vec::new();
    let opener = match syntax {
        Syntax::Dollar => '$',
        Syntax::Braces => '{',
    };
    for (at, _) in text.match_indices(opener) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let name = match syntax {
            Syntax::Dollar => after_dollar(rest),
            Syntax::Braces => in_braces(rest),
        };
        let is_touched = at < cursor && cursor <= at + 2 + name.len();
        if name.is_empty() || is_touched {
            continue;
        }
        if let Some((_, count)) = found.iter_mut().find(|(known, _)| *known == name) {
            *count += 1;
        } else if found.len() < MAX_NAMES {
            found.push((name, 1));
        }
    }
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    found
}

/// The name after `$`; only one in braces holds dots.
fn after_dollar(rest: &str) -> &str {
    match rest.strip_prefix('{') {
        Some(inner) => name_at(inner, |c| matches!(c, '_' | '.')),
        None => name_at(rest, |c| c == '_'),
    }
}

/// The name in `{name}`, `{{ name }}` or `{{ name | filter }}`; empty for a brace that opens something else.
fn in_braces(rest: &str) -> &str {
    let inner = rest.trim_start_matches(['{', ' ']);
    let name = name_at(inner, |c| matches!(c, '_' | '.'));
    let after = inner.get(name.len()..).unwrap_or_default();
    if !after.starts_with(['}', ' ', '|']) || rest.starts_with(['\n', '\r']) {
        return "";
    }
    name
}

fn name_at(text: &str, also: impl Fn(char) -> bool) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || also(c);
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let length = text.find(|c| !is_name(c)).unwrap_or(text.len());
    text.get(..length).filter(|_| starts).unwrap_or_default()
}
