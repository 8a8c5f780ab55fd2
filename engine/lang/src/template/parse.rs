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
    let (parts, errors) = Parser::read(text, Parts::default());
    (
        Template {
            parts: parts.0,
            file: None,
        },
        errors,
    )
}

/// Calls `visit` with each place for a value that [`parse`] finds, from left to right, and returns the same errors.
/// Copies nothing.
pub fn placeholders<'t>(text: &'t str, visit: impl FnMut(Placeholder<'t>)) -> Vec<LangError> {
    // A `@` is the first letter of the value, if anywhere.
    if text.trim_start().starts_with('@') && referred_file(text).is_some() {
        return Vec::new();
    }
    Parser::read(text, Visitor(visit)).1
}

/// A place for a value, as the text has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder<'t> {
    /// The key.
    pub key: &'t str,
    /// The bytes of the key.
    pub key_range: Range<usize>,
    /// The bytes of the whole place, braces included.
    pub range: Range<usize>,
    /// What to insert when the key is missing or null.
    pub default: Option<&'t str>,
    /// Which way of writing it is.
    pub form: Form,
    /// What happens to the value in a command.
    pub filter: Filter,
}

/// What receives the parts of a template from left to right.
trait Receiver<'t> {
    /// Text that stays, decoded, with the bytes it came from.
    fn text(&mut self, decoded: &str, range: Range<usize>);
    /// A place for a value of `text`.
    fn placeholder(&mut self, text: &'t str, placeholder: Placeholder<'t>);
}

/// Keeps all parts.
#[derive(Default)]
struct Parts(Vec<Part>);

impl<'t> Receiver<'t> for Parts {
    fn text(&mut self, decoded: &str, range: Range<usize>) {
        match self.0.last_mut() {
            Some(Part::Text(text, before)) => {
                text.push_str(decoded);
                before.end = range.end;
            }
            _ => self.0.push(Part::Text(decoded.to_owned(), range)),
        }
    }

    fn placeholder(&mut self, text: &'t str, found: Placeholder<'t>) {
        let written = text.get(found.range.clone()).unwrap_or_default();
        self.0.push(Part::Insert(Insert {
            key: found.key.to_owned(),
            key_range: found.key_range,
            written: written.to_owned(),
            default: found.default.map(str::to_owned),
            form: found.form,
            filter: found.filter,
            range: found.range,
        }));
    }
}

/// Passes on the places for values.
struct Visitor<F>(F);

impl<'t, F: FnMut(Placeholder<'t>)> Receiver<'t> for Visitor<F> {
    fn text(&mut self, _: &str, _: Range<usize>) {}

    fn placeholder(&mut self, _: &'t str, placeholder: Placeholder<'t>) {
        (self.0)(placeholder);
    }
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

struct Parser<'a, R> {
    text: &'a str,
    at: usize,
    receiver: R,
    open: Vec<Brace>,
    errors: Vec<LangError>,
}

impl<'a, R: Receiver<'a>> Parser<'a, R> {
    fn read(text: &'a str, receiver: R) -> (R, Vec<LangError>) {
        let mut parser = Self {
            text,
            at: 0,
            receiver,
            open: Vec::new(),
            errors: Vec::new(),
        };
        while parser.step() {}
        (parser.receiver, parser.errors)
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
        if length > 0 {
            self.receiver.text(decoded, range);
        }
    }

    fn insert(&mut self, found: &Spot<'a>, form: Form) {
        let range = self.at..self.at + found.length;
        let key_range = self.at + found.key.start..self.at + found.key.end;
        self.at = range.end;
        let placeholder = Placeholder {
            key: self.text.get(key_range.clone()).unwrap_or_default(),
            key_range,
            range,
            default: found.default,
            form,
            filter: found.filter,
        };
        self.receiver.placeholder(self.text, placeholder);
    }

    fn brace(&mut self, rest: &'a str) {
        if rest.starts_with("{{") {
            if let Some(found) = mustache(rest) {
                self.insert(&found, Form::Mustache);
            } else if let Some(length) = foreign_template(rest) {
                self.literal(length, rest.get(..length).unwrap_or_default());
            } else {
                self.errors.extend(near_miss(rest, self.at));
                self.open.push(Brace::Escaped);
                self.literal(2, "{");
            }
        } else if let Some(found) = braces(rest) {
            self.insert(&found, Form::Braces);
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
            self.insert(&found, Form::DollarBraces);
        } else if let Some(key) = rest.strip_prefix('$').and_then(key_at_start) {
            let found = Spot {
                length: key.len() + 1,
                key: 1..key.len() + 1,
                default: None,
                filter: Filter::Quoted,
            };
            self.insert(&found, Form::Dollar);
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

/// A place for a value at the beginning of a text.
struct Spot<'t> {
    length: usize,
    key: Range<usize>,
    default: Option<&'t str>,
    filter: Filter,
}

/// The key that `text` begins with: words joined by single dots.
fn key_at_start(text: &str) -> Option<&str> {
    if !text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut after = text.trim_start_matches(is_part);
    while let Some(rest) = after.strip_prefix('.')
        && rest.starts_with(is_part)
    {
        after = rest.trim_start_matches(is_part);
    }
    text.get(..text.len() - after.len())
}

/// `{key}`, `{key:-default}`, `{key|raw}`, `{key|raw:-default}`.
fn braces(text: &str) -> Option<Spot<'_>> {
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
            Some(after.get(..end)?)
        }
        None => None,
    };
    let rest = rest.strip_prefix('}')?;
    Some(Spot {
        length: text.len() - rest.len(),
        key: 1..key.len() + 1,
        default,
        filter,
    })
}

/// `{key}` and nothing else, after a dollar: `${key:-x}` is left to the shell.
fn braces_plain(text: &str) -> Option<Spot<'_>> {
    braces(text).filter(|found| found.default.is_none() && found.filter == Filter::Quoted)
}

/// `{{ key }}`, with or without spaces inside.
fn mustache(text: &str) -> Option<Spot<'_>> {
    let inner = text.strip_prefix("{{")?;
    let start = inner.len() - inner.trim_start_matches([' ', '\t']).len();
    let key = key_at_start(inner.get(start..)?)?;
    let after = inner.get(start + key.len()..)?;
    let rest = after.trim_start_matches([' ', '\t']).strip_prefix("}}")?;
    let key_start = 2 + start;
    Some(Spot {
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
    use super::{Placeholder, parse, placeholders};
    use crate::template::Insert;

    #[test]
    fn placeholders_are_the_inserts_of_the_template() {
        for text in [
            "",
            "plain",
            "@file.md",
            " @file {x}.md",
            "{a} and ${b} $c {{x}} {{d}} { \"json\": 1 } {e:-f} \\$g \\${h:-i} }",
            "echo {output.a|raw} {unclosed",
        ] {
            let (template, errors) = parse(text);
            let expected: Vec<_> = template.inserts().cloned().collect();
            let owned = |found: Placeholder<'_>| Insert {
                key: found.key.to_owned(),
                written: text[found.range.clone()].to_owned(),
                key_range: found.key_range,
                range: found.range,
                default: found.default.map(str::to_owned),
                form: found.form,
                filter: found.filter,
            };
            let mut visited = Vec::new();
            let visit = |found: Placeholder<'_>| visited.push(owned(found));
            assert_eq!(placeholders(text, visit), errors, "{text}");
            assert_eq!(visited, expected, "{text}");
        }
    }
}
