//! Text → template, in one pass. Total; the only errors are ones that cannot be meant otherwise.

use std::ops::Range;

use super::{FileReference, Filter, Form, Insert, Part, Template};
use crate::LangError;
use crate::referred_file;

/// Parses a template; ranges are bytes of `text`.
pub fn parse(text: &str) -> (Template, Vec<LangError>) {
    if let Some(file) = file_reference(text) {
        let part = Part::Text(text.to_owned(), 0..text.len());
        return (
            Template {
                parts: vec![part],
                file: Some(file),
            },
            Vec::new(),
        );
    }
    let (parts, errors) = Parser::read(text, true);
    (Template { parts, file: None }, errors)
}

/// The places for values of a template, without the text between them: what [`parse`] finds, for less.
pub fn inserts(text: &str) -> (Vec<Insert>, Vec<LangError>) {
    if file_reference(text).is_some() {
        return (Vec::new(), Vec::new());
    }
    let (parts, errors) = Parser::read(text, false);
    let inserts = parts.into_iter().filter_map(|part| match part {
        Part::Insert(insert) => Some(insert),
        Part::Text(..) => None,
    });
    (inserts.collect(), errors)
}

/// `@path`, alone in the value.
fn file_reference(text: &str) -> Option<FileReference> {
    let path = referred_file(text)?;
    let start = text.find('@')? + 1;
    Some(FileReference {
        path: path.to_owned(),
        range: start..start + path.len(),
    })
}

/// The first byte that may be more than text. Prompts are long, and have few of them.
fn special(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let brace_or_dollar = memchr::memchr3(b'{', b'}', b'$', bytes);
    let before = bytes.get(..brace_or_dollar.unwrap_or(bytes.len()))?;
    memchr::memchr(b'\\', before).or(brace_or_dollar)
}

/// An opening brace that is text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// `{` of JSON, a shell function, …
    Single,
    /// `{{`, a literal brace.
    Escaped,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Whether the text between the places for values is kept.
    keeps_text: bool,
    parts: Vec<Part>,
    open: Vec<Brace>,
    errors: Vec<LangError>,
}

impl<'a> Parser<'a> {
    fn read(text: &'a str, keeps_text: bool) -> (Vec<Part>, Vec<LangError>) {
        let mut parser = Self {
            text,
            at: 0,
            keeps_text,
            parts: Vec::new(),
            open: Vec::new(),
            errors: Vec::new(),
        };
        while parser.step() {}
        (parser.parts, parser.errors)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(next) = special(rest) else {
            self.literal(rest.len(), rest);
            return false;
        };
        self.literal(next, rest.get(..next).unwrap_or_default());
        let rest = self.rest();
        match rest.as_bytes().first() {
            Some(b'{') => self.brace(rest),
            Some(b'}') => self.closing(rest),
            Some(b'$') => self.dollar(rest),
            // A backslash keeps a dollar as it is, as in the shell.
            _ => {
                let length = match rest.as_bytes() {
                    // Its braces are matched as text, like those of `${x:-y}`.
                    [_, b'$', b'{', ..] => {
                        self.open.push(Brace::Single);
                        3
                    }
                    [_, b'$', ..] => 2,
                    _ => 1,
                };
                self.literal(length, rest.get(..length).unwrap_or_default());
            }
        }
        true
    }

    /// Takes `length` bytes that represent `decoded`.
    fn literal(&mut self, length: usize, decoded: &str) {
        let range = self.at..self.at + length;
        self.at = range.end;
        if length == 0 || !self.keeps_text {
            return;
        }
        match self.parts.last_mut() {
            Some(Part::Text(text, before)) => {
                text.push_str(decoded);
                before.end = range.end;
            }
            _ => self.parts.push(Part::Text(decoded.to_owned(), range)),
        }
    }

    fn insert(&mut self, found: Placeholder, form: Form) {
        let range = self.at..self.at + found.length;
        let key_range = self.at + found.key.start..self.at + found.key.end;
        self.parts.push(Part::Insert(Insert {
            key: self
                .text
                .get(key_range.clone())
                .unwrap_or_default()
                .to_owned(),
            key_range,
            written: self.text.get(range.clone()).unwrap_or_default().to_owned(),
            default: found.default,
            form,
            filter: found.filter,
            range: range.clone(),
        }));
        self.at = range.end;
    }

    fn brace(&mut self, rest: &'a str) {
        if rest.starts_with("{{") {
            if let Some(found) = mustache(rest) {
                self.insert(found, Form::Mustache);
            } else if let Some(length) = foreign_template(rest) {
                self.literal(length, rest.get(..length).unwrap_or_default());
            } else {
                self.errors.extend(near_miss(rest, self.at));
                self.open.push(Brace::Escaped);
                self.literal(2, "{");
            }
        } else if let Some(found) = braces(rest) {
            self.insert(found, Form::Braces);
        } else {
            self.errors.extend(near_miss(rest, self.at));
            self.open.push(Brace::Single);
            self.literal(1, "{");
        }
    }

    fn closing(&mut self, rest: &str) {
        let open = self.open.last().copied();
        let length = match open {
            Some(Brace::Single) => 1,
            Some(Brace::Escaped) | None if rest.starts_with("}}") => 2,
            Some(Brace::Escaped) | None => {
                self.literal(1, "}");
                return;
            }
        };
        self.open.pop();
        self.literal(length, "}");
    }

    fn dollar(&mut self, rest: &'a str) {
        if let Some(length) = rest.strip_prefix('$').and_then(foreign_or_actions) {
            self.literal(1 + length, rest.get(..=length).unwrap_or_default());
        } else if let Some(mut found) = rest.strip_prefix('$').and_then(braces_plain) {
            found.length += 1;
            found.key = found.key.start + 1..found.key.end + 1;
            self.insert(found, Form::DollarBraces);
        } else if let Some(key) = rest.strip_prefix('$').and_then(key_at_start) {
            let found = Placeholder {
                length: key.len() + 1,
                key: 1..key.len() + 1,
                default: None,
                filter: Filter::Quoted,
            };
            self.insert(found, Form::Dollar);
        } else if rest.starts_with("${") {
            // `${x:-y}` belongs to the shell; its braces are matched as text.
            self.open.push(Brace::Single);
            self.literal(2, "${");
        } else {
            // `$$` is one thing, so that `$$name` is the shell's `$$` and text.
            let length = if rest.starts_with("$$") { 2 } else { 1 };
            self.literal(length, rest.get(..length).unwrap_or_default());
        }
    }
}

struct Placeholder {
    length: usize,
    key: Range<usize>,
    default: Option<String>,
    filter: Filter,
}

/// The key that `text` begins with: words joined by single dots.
fn key_at_start(text: &str) -> Option<&str> {
    if !text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let mut end = 0;
    for (index, part) in text.split('.').enumerate() {
        let word = part
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(part.len());
        if word == 0 {
            break;
        }
        end += word + usize::from(index > 0);
        if word < part.len() {
            break;
        }
    }
    text.get(..end)
}

/// `{key}`, `{key:-default}`, `{key|raw}`, `{key|raw:-default}`.
fn braces(text: &str) -> Option<Placeholder> {
    let inner = text.strip_prefix('{')?;
    let key = key_at_start(inner)?;
    let mut rest = inner.get(key.len()..)?;
    let mut filter = Filter::Quoted;
    if let Some(after) = rest.strip_prefix("|raw") {
        (rest, filter) = (after, Filter::Raw);
    }
    let default = match rest.strip_prefix(":-") {
        Some(after) => {
            let end = after.find(['}', '{', '\n'])?;
            rest = after.get(end..)?;
            Some(after.get(..end)?.to_owned())
        }
        None => None,
    };
    let rest = rest.strip_prefix('}')?;
    Some(Placeholder {
        length: text.len() - rest.len(),
        key: 1..key.len() + 1,
        default,
        filter,
    })
}

/// `{key}` and nothing else, after a dollar: `${key:-x}` is left to the shell.
fn braces_plain(text: &str) -> Option<Placeholder> {
    braces(text).filter(|found| found.default.is_none() && found.filter == Filter::Quoted)
}

/// `{{ key }}`, with or without spaces inside.
fn mustache(text: &str) -> Option<Placeholder> {
    let inner = text.strip_prefix("{{")?;
    let start = inner.len() - inner.trim_start_matches([' ', '\t']).len();
    let key = key_at_start(inner.get(start..)?)?;
    let after = inner.get(start + key.len()..)?;
    let rest = after.trim_start_matches([' ', '\t']).strip_prefix("}}")?;
    let key_start = 2 + start;
    Some(Placeholder {
        length: text.len() - rest.len(),
        key: key_start..key_start + key.len(),
        default: None,
        filter: Filter::Quoted,
    })
}

/// `{{.Field}}`, `{{#each}}`, `{{- x -}}`, `{{/each}}`: the template language of some other tool, left whole.
fn foreign_template(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("{{")?;
    let first = inner.trim_start().chars().next()?;
    if !matches!(first, '.' | '#' | '/' | '-' | '$' | '>' | '!' | '%') {
        return None;
    }
    let line = inner.lines().next().unwrap_or_default();
    Some(line.find("}}")? + 4)
}

/// `${{ … }}` of continuous integration, after its dollar.
fn foreign_or_actions(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("{{")?;
    let line = inner.lines().next().unwrap_or_default();
    Some(line.find("}}")? + 4)
}

/// Braces that are clearly meant as a placeholder but are not one: `{key|RAW}`, `{key:-x` without its end, `{{ key }`.
fn near_miss(text: &str, at: usize) -> Option<LangError> {
    let (inner, double) = match text.strip_prefix("{{") {
        Some(inner) => (inner, true),
        None => (text.strip_prefix('{')?, false),
    };
    let key = key_at_start(inner.trim_start_matches(' '))?;
    let spaces = inner.len() - inner.trim_start_matches(' ').len();
    let rest = inner.get(spaces + key.len()..)?;
    let line = rest.split('\n').next()?;
    let brace = if double { 2 } else { 1 };
    let end = at + brace + spaces + key.len();
    if double {
        let after = line.trim_start_matches(' ').strip_prefix('}')?;
        if spaces == 0 || after.starts_with('}') {
            return None;
        }
        let closing = end + line.len() - line.trim_start_matches(' ').len();
        return Some(
            LangError::new(
                at..closing + 1,
                format!("expected `}}}}` after `{{{{ {key}`"),
            )
            .with_fix("Replace with `}}`", closing..closing + 1, "}}"),
        );
    }
    if spaces > 0 {
        return None;
    }
    if let Some(filter) = line.strip_prefix('|') {
        let name = filter.get(..filter.find('}')?)?;
        if name == "raw" || !name.trim().eq_ignore_ascii_case("raw") {
            return None;
        }
        let range = end + 1..end + 1 + name.len();
        return Some(
            LangError::new(
                range.clone(),
                format!("unknown filter `{name}`; did you mean `raw`?"),
            )
            .with_fix("Replace with `raw`", range, "raw"),
        );
    }
    let default = line.strip_prefix(":-")?;
    if default.contains(['{', '}']) {
        return None;
    }
    Some(
        LangError::new(
            at..end + line.len(),
            format!("unclosed `{{{key}:-…`; add `}}` on the same line"),
        )
        .with_fix("Insert `}`", end + line.len()..end + line.len(), "}"),
    )
}

#[cfg(test)]
mod tests {
    use super::{inserts, parse};

    #[test]
    fn inserts_are_those_of_the_template() {
        for text in [
            "",
            "plain",
            "@file.md",
            "{a} and ${b} $c {{x}} {{d}} { \"json\": 1 } {e:-f} \\$g \\${h:-i} }",
            "echo {output.a|raw} {unclosed",
        ] {
            let (template, errors) = parse(text);
            let expected: Vec<_> = template.inserts().cloned().collect();
            assert_eq!(inserts(text), (expected, errors), "{text}");
        }
    }
}
