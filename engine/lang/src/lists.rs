//! Lists in attributes: nodes, keys and tools by comma, classes by comma or blank, variables with defaults.
//!
//! ```
//! use attractor_lang::lists::{Separator, items, variables};
//! let classes: Vec<&str> = items("hard, loop-a", Separator::CommaOrBlank).iter().map(|i| i.text).collect();
//! assert_eq!(classes, ["hard", "loop-a"]);
//! let (vars, errors) = variables("repo, branch=main");
//! assert!(errors.is_empty());
//! assert_eq!(vars[1].default.as_deref(), Some("main"));
//! ```

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::LangError;

/// What separates two items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Separator {
    /// Commas: nodes, keys, tools.
    Comma,
    /// Commas or spaces: classes.
    CommaOrBlank,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item<'a> {
    /// The item, without spaces and quotes around it.
    pub text: &'a str,
    /// Its bytes.
    pub range: Range<usize>,
}

/// A variable a run is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The bytes of its name.
    pub name_range: Range<usize>,
    /// The value it has when the run gives none.
    pub default: Option<String>,
}

/// The items of a list; empty ones are left out. Commas in quotes or brackets (`Bash(git, npm)`) separate
/// nothing, and brackets around the whole list (`["a", "b"]`) are no part of it.
pub fn items(text: &str, separator: Separator) -> Vec<Item<'_>> {
    // Most lists are one plain name.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if !text.is_empty() && text.bytes().all(is_plain) {
        let range = 0..text.len();
        return vec![Item { text, range }];
    }
    let mut found = Vec::new();
    let (inner, base) = without_brackets(text);
    let mut start = 0;
    let mut open = 0usize;
    let mut quote = None;
    for (at, c) in inner.char_indices() {
        match (quote, c) {
            (Some(closing), _) if c == closing => quote = None,
            (None, '"' | '\'')
                if inner
                    .get(start..at)
                    .is_some_and(|before| before.trim().is_empty() || before.ends_with('=')) =>
            {
                quote = Some(c);
            }
            (None, '(' | '[' | '{') => open += 1,
            (None, ')' | ']' | '}') => open = open.saturating_sub(1),
            (None, c) if open == 0 && separates(c, separator) => {
                found.extend(item(inner, start..at, base));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found.extend(item(inner, start..inner.len(), base));
    found
}

/// The list of these items: what [`items`] reads as them again, with quotes only where they are needed. None when
/// an item cannot be in a list: an empty one, one with both kinds of quotes and a comma.
///
/// ```
/// use attractor_lang::lists::{Separator, print};
/// assert_eq!(print(&["a b", "c, d"], Separator::Comma).as_deref(), Some("a b, \"c, d\""));
/// ```
pub fn print(list: &[&str], separator: Separator) -> Option<String> {
    let reads_as = |text: &str, wanted: &[&str]| {
        let found = items(text, separator);
        found
            .iter()
            .map(|item| item.text)
            .eq(wanted.iter().copied())
    };
    let quoted = |item: &str| {
        let quotes = ['"', '\''].into_iter();
        let mut forms = quotes.map(|quote| format!("{quote}{item}{quote}"));
        forms.find(|form| reads_as(form, &[item]))
    };
    let sparing = |item: &&str| {
        let plain = reads_as(item, &[*item]).then(|| (*item).to_owned());
        plain.or_else(|| quoted(item))
    };
    let joined = |form: &dyn Fn(&&str) -> Option<String>| {
        let forms = list.iter().map(form).collect::<Option<Vec<_>>>()?;
        Some(forms.join(", ")).filter(|text| reads_as(text, list))
    };
    // What is plain alone may not be so among others: brackets, for one.
    joined(&sparing).or_else(|| joined(&|item| quoted(item)))
}

/// The variables of `vars`: `a, b=default`. A default may be quoted.
pub fn variables(text: &str) -> (Vec<Variable>, Vec<LangError>) {
    let mut errors = Vec::new();
    let mut found: Vec<Variable> = Vec::new();
    for item in items(text, Separator::Comma) {
        let (name, default) = match item.text.split_once('=') {
            Some((name, default)) => (name.trim_end(), Some(unquoted(default.trim()).0.to_owned())),
            None => (item.text, None),
        };
        let name_range = item.range.start..item.range.start + name.len();
        let name = name.strip_prefix('$').unwrap_or(name);
        if !is_name(name) {
            errors.push(LangError::new(
                name_range,
                format!("invalid variable name `{name}`; use letters, digits, `_` and dots: `repo, branch=main`"),
            ));
        } else if found.iter().any(|other| other.name == name) {
            errors.push(LangError::new(
                name_range,
                format!("`{name}` is listed twice; remove one"),
            ));
        } else {
            found.push(Variable {
                name: name.to_owned(),
                name_range,
                default,
            });
        }
    }
    (found, errors)
}

/// Whether a text is a name of a context key: words of letters, digits and `_`, joined by dots.
pub fn is_name(text: &str) -> bool {
    text.split('.').all(|word| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
    }) && !text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

fn separates(c: char, separator: Separator) -> bool {
    c == ',' || (separator == Separator::CommaOrBlank && c.is_whitespace())
}

fn item(text: &str, range: Range<usize>, base: usize) -> Option<Item<'_>> {
    let raw = text.get(range.clone())?;
    let trimmed = raw.trim();
    let (inner, quotes) = unquoted(trimmed);
    let start = base + range.start + (raw.len() - raw.trim_start().len()) + quotes;
    (!inner.is_empty()).then_some(Item {
        text: inner,
        range: start..start + inner.len(),
    })
}

/// A text without the quotes around it, and how many bytes were cut at its beginning.
fn unquoted(text: &str) -> (&str, usize) {
    let inner = ['"', '\''].iter().find_map(|quote| {
        text.strip_prefix(*quote)
            .and_then(|rest| rest.strip_suffix(*quote))
    });
    inner.map_or((text, 0), |inner| (inner, 1))
}

fn without_brackets(text: &str) -> (&str, usize) {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    match trimmed
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(inner) => (inner, start + 1),
        None => (text, 0),
    }
}
