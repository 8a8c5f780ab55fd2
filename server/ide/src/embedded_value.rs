//! The value under the cursor, or a part of it: the text before the cursor, what an insertion replaces, and
//! how a word must be spelled there.
//!
//! A value can be missing, bare or in quotes; the languages inside strings work on what it says, and their
//! insertions belong at places of the file. Both directions are handled here and nowhere else.

use std::rc::Rc;

use attractor_dot::ast::{Id, IdKind};
use attractor_dot::strings::{self, Decoded};
use attractor_dot::{TextRange, TokenKind};

use crate::cursor::Cursor;
use crate::document::Document;

/// A value, or a part of it, around the cursor.
#[derive(Clone, Debug)]
pub(crate) struct ValuePart<'d> {
    /// What the part says up to the cursor.
    pub before: &'d str,
    /// What the part says after the cursor.
    pub after: &'d str,
    /// The file's text from the part's beginning to the cursor.
    pub insert: TextRange,
    /// The file's text of the whole part.
    pub replace: TextRange,
    spelling: Spelling,
    map: Option<Rc<Decoded>>,
    /// Where the part begins in the decoded value.
    start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// A whole id of its own, quoted when it has to be.
    Id,
    /// Text between existing quotes.
    BetweenQuotes,
    /// Text of an HTML string.
    Html,
}

/// The decoded text of a value, kept while its parts are looked at.
pub(crate) struct Value {
    text: String,
    map: Option<Rc<Decoded>>,
    spelling: Spelling,
    word: TextRange,
    offset: usize,
    cursor: usize,
}

impl Value {
    /// The value under a cursor; `None` is one that has not been typed yet.
    pub(crate) fn new(doc: &Document, value: Option<&Id>, cursor: &Cursor) -> Self {
        let offset = cursor.offset;
        let empty = Self {
            text: String::new(),
            map: None,
            spelling: Spelling::Id,
            word: cursor.word,
            offset,
            cursor: 0,
        };
        let Some(id) = value.filter(|id| id.range.start() < offset) else {
            return empty;
        };
        let spelling = match id.kind {
            IdKind::Quoted | IdKind::Concatenated => Spelling::BetweenQuotes,
            IdKind::Html => Spelling::Html,
            IdKind::Bare | IdKind::Numeral | IdKind::Extended => {
                let text = id.range.text(&doc.text).to_owned();
                return Self {
                    cursor: offset - id.range.start(),
                    text,
                    ..empty
                };
            }
        };
        let mut id = *id;
        let token = doc.parse.tokens.at_offset(id.range.start());
        if token.is_some_and(|token| {
            matches!(
                token.kind,
                TokenKind::UnclosedString | TokenKind::UnclosedHtml
            )
        }) {
            // What follows the cursor belongs to whatever the lost quote swallowed.
            id.range = TextRange::new(id.range.start(), offset);
        }
        let map = id.decoded(&doc.text).unescape();
        let at = map.from_source(offset).unwrap_or(map.text.len());
        Self {
            text: map.text.clone(),
            map: Some(Rc::new(map)),
            spelling,
            word: id.range,
            offset,
            cursor: at,
        }
    }

    /// All of it.
    pub(crate) fn inside(&self) -> ValuePart<'_> {
        let (before, after) = self
            .text
            .split_at_checked(self.cursor)
            .unwrap_or((&self.text, ""));
        let (insert, replace) = match &self.map {
            Some(map) => {
                let start = map.to_source(0).min(self.offset);
                let end = map.to_source(self.text.len()).max(self.offset);
                (
                    TextRange::new(start, self.offset),
                    TextRange::new(start, end),
                )
            }
            None => (
                TextRange::new(self.word.start().min(self.offset), self.offset),
                self.word,
            ),
        };
        ValuePart {
            before,
            after,
            insert,
            replace,
            spelling: self.spelling,
            map: self.map.clone(),
            start: 0,
        }
    }
}

impl ValuePart<'_> {
    /// The list item at the cursor, without the spaces before it.
    pub(crate) fn last_item(&self, separators: &[char]) -> Self {
        let start = self.before.rfind(separators).map_or(0, |at| at + 1);
        let rest = self.before.get(start..).unwrap_or_default();
        let start = start + (rest.len() - rest.trim_start().len());
        let length = self.after.find(separators).unwrap_or(self.after.len());
        self.part(
            start,
            self.after
                .get(..length)
                .unwrap_or_default()
                .trim_end()
                .len(),
        )
    }

    /// The word the cursor touches, made of letters that `belongs` accepts.
    pub(crate) fn word(&self, belongs: impl Fn(char) -> bool) -> Self {
        let start = self.before.trim_end_matches(&belongs).len();
        let length = self.after.len() - self.after.trim_start_matches(&belongs).len();
        self.part(start, length)
    }

    /// The part from byte `start` before the cursor to `length` bytes after it.
    pub(crate) fn part(&self, start: usize, length: usize) -> Self {
        let cursor = self.start + self.before.len();
        let before = self.before.get(start..).unwrap_or_default();
        let after = self.after.get(..length).unwrap_or_default();
        let offset = self.insert.end();
        let (from, to) = match &self.map {
            Some(map) => {
                let from = if before.is_empty() {
                    offset
                } else {
                    map.to_source(self.start + start)
                };
                let to = if after.is_empty() {
                    offset
                } else {
                    map.range_to_source(cursor, cursor + after.len()).end()
                };
                (from.min(offset), to.max(offset))
            }
            None => (offset - before.len().min(offset), offset + after.len()),
        };
        Self {
            before,
            after,
            insert: TextRange::new(from, offset),
            replace: TextRange::new(from, to),
            spelling: self.spelling,
            map: self.map.clone(),
            start: self.start + start,
        }
    }

    /// A word as it must be written there.
    pub(crate) fn spell(&self, text: &str) -> String {
        match self.spelling {
            Spelling::Id => strings::quote(text).into_owned(),
            Spelling::BetweenQuotes => strings::escape_into_quoted(text),
            Spelling::Html => text.to_owned(),
        }
    }

    /// Whether the value is in quotes.
    pub(crate) fn is_quoted(&self) -> bool {
        self.spelling == Spelling::BetweenQuotes
    }
}
