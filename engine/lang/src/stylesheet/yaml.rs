//! YAML as a tree of values that know their bytes.
//!
//! The core schema of YAML 1.2. Anchors, aliases and tags are refused: a rule list has no use for them, and what they
//! stand for would have no place of its own.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::data::{Data, Entry, Kind, not_read};
use crate::LangError;

/// Lists and tables inside each other.
const MAX_DEPTH: usize = 64;

/// Parses YAML.
pub(super) fn yaml(text: &str) -> Result<Data, LangError> {
    let mut offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    offsets.push(text.len());
    let mut reader = YamlReader {
        text,
        parser: Parser::new_from_str(text),
        offsets,
    };
    let whole = reader.document()?;
    Ok(whole.unwrap_or(Data {
        kind: Kind::Null,
        range: 0..text.len().min(1),
    }))
}

struct YamlReader<'t> {
    text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    /// The byte of each character: the parser counts characters.
    offsets: Vec<usize>,
}

impl<'t> YamlReader<'t> {
    fn document(&mut self) -> Result<Option<Data>, LangError> {
        let mut whole = None;
        while let Some((event, range)) = self.next()? {
            match event {
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
                Event::DocumentStart(_) if whole.is_none() => {}
                Event::DocumentStart(_) => {
                    return Err(self.error(&range, "expected one document, found a second one"));
                }
                event => whole = Some(self.value(event, range, 0)?),
            }
        }
        Ok(whole)
    }

    fn value(
        &mut self,
        event: Event<'t>,
        range: Range<usize>,
        depth: usize,
    ) -> Result<Data, LangError> {
        let (anchor, tag) = match &event {
            Event::Scalar(_, _, anchor, tag)
            | Event::SequenceStart(anchor, tag)
            | Event::MappingStart(anchor, tag) => (*anchor, tag.is_some()),
            _ => (0, false),
        };
        if anchor > 0 || tag || matches!(event, Event::Alias(_)) {
            let reason = "anchors, aliases and tags are not supported; write the value itself";
            return Err(self.error(&range, reason));
        }
        if depth > MAX_DEPTH {
            return Err(self.error(&range, &format!("more than {MAX_DEPTH} levels of nesting")));
        }
        let start = range.start;
        let (kind, end) = match event {
            Event::Scalar(value, ScalarStyle::Plain, ..) => (plain(&value), range.end),
            Event::Scalar(value, ..) => (Kind::Text(value.into_owned()), range.end),
            Event::SequenceStart(..) => {
                let (values, end) = self.list(depth)?;
                (Kind::List(values), end)
            }
            Event::MappingStart(..) => {
                let (entries, end) = self.table(depth)?;
                (Kind::Table(entries), end)
            }
            _ => return Err(self.error(&range, "expected a value")),
        };
        Ok(Data {
            kind,
            range: start..end.max(start),
        })
    }

    /// The values up to the end of a list, and that end.
    fn list(&mut self, depth: usize) -> Result<(Vec<Data>, usize), LangError> {
        let mut values: Vec<Data> = Vec::new();
        loop {
            match self.inner()? {
                (Event::SequenceEnd, range) => {
                    let last = values.last().map(|last| last.range.end);
                    return Ok((values, self.end(&range, last)));
                }
                (event, range) => values.push(self.value(event, range, depth + 1)?),
            }
        }
    }

    /// The entries up to the end of a table, and that end.
    fn table(&mut self, depth: usize) -> Result<(Vec<Entry>, usize), LangError> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (key, key_range) = match self.inner()? {
                (Event::MappingEnd, range) => {
                    let last = entries.last().map(|last| last.value.range.end);
                    return Ok((entries, self.end(&range, last)));
                }
                (Event::Scalar(key, ..), range) => (key.into_owned(), range),
                (_, range) => return Err(self.error(&range, "expected a plain key")),
            };
            if entries.iter().any(|entry| entry.key == key) {
                return Err(self.error(&key_range, &format!("duplicate key `{key}`")));
            }
            let (event, range) = self.inner()?;
            let value = self.value(event, range, depth + 1)?;
            entries.push(Entry {
                key,
                key_range,
                value,
            });
        }
    }

    /// The next event of a list or table, which the parser always ends.
    fn inner(&mut self) -> Result<(Event<'t>, Range<usize>), LangError> {
        match self.next()? {
            Some(next) => Ok(next),
            None => Err(self.error(&(self.text.len()..self.text.len()), "unexpected end")),
        }
    }

    fn next(&mut self) -> Result<Option<(Event<'t>, Range<usize>)>, LangError> {
        match self.parser.next() {
            None => Ok(None),
            Some(Ok((event, span))) => Ok(Some((event, self.range(&span)))),
            Some(Err(error)) => Err(self.syntax_error(&error)),
        }
    }

    /// A block ends where its last value does; the parser reports the token that follows.
    fn end(&self, range: &Range<usize>, last: Option<usize>) -> usize {
        let bracket = self.text.get(range.clone()).unwrap_or_default();
        match last {
            Some(last) if !matches!(bracket, "]" | "}") => last,
            _ => range.end,
        }
    }

    fn range(&self, span: &Span) -> Range<usize> {
        self.byte(span.start.index())..self.byte(span.end.index())
    }

    fn byte(&self, character: usize) -> usize {
        let byte = self.offsets.get(character);
        byte.copied().unwrap_or(self.text.len())
    }

    fn syntax_error(&self, error: &ScanError) -> LangError {
        let at = error.marker().index();
        self.error(&(self.byte(at)..self.byte(at + 1)), error.info())
    }

    fn error(&self, range: &Range<usize>, reason: &str) -> LangError {
        not_read(self.text, range.clone(), "YAML", reason)
    }
}

/// A plain scalar by the core schema.
fn plain(text: &str) -> Kind {
    let radix = |prefix: &str, radix| {
        let digits = text.strip_prefix(prefix)?;
        i64::from_str_radix(digits, radix).ok()
    };
    let starts_as_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Scalar("true".to_owned()),
        "false" | "False" | "FALSE" => Kind::Scalar("false".to_owned()),
        _ => match radix("0x", 16).or_else(|| radix("0o", 8)) {
            Some(number) => Kind::Scalar(number.to_string()),
            None if starts_as_number && text.parse::<f64>().is_ok() => {
                Kind::Scalar(text.to_owned())
            }
            None => Kind::Text(text.to_owned()),
        },
    }
}
