//! Collecting tokens: kept in order, cut at line ends, no two over one another.

use attractor_dot::TextRange;

use super::{Token, TokenKind};

/// A list of tokens in the making.
pub(super) struct TokenBuilder<'d> {
    text: &'d str,
    part: Option<TextRange>,
    tokens: Vec<Token>,
}

impl<'d> TokenBuilder<'d> {
    /// For the whole text, or the part of it that touches `part`.
    pub(super) fn new(text: &'d str, part: Option<TextRange>) -> Self {
        Self {
            text,
            part,
            tokens: Vec::new(),
        }
    }

    /// Whether anything in the range is wanted.
    pub(super) fn wants(&self, range: TextRange) -> bool {
        self.part
            .is_none_or(|part| range.start() <= part.end() && part.start() <= range.end())
    }

    /// Adds a token, cut at line ends.
    pub(super) fn add(&mut self, range: TextRange, kind: TokenKind, modifiers: u32) {
        if !self.wants(range) {
            return;
        }
        let text = range.text(self.text);
        if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
            if !range.is_empty() {
                self.tokens.push(Token {
                    range,
                    kind,
                    modifiers,
                });
            }
            return;
        }
        let mut start = range.start();
        for line in text.split_inclusive(['\n', '\r']) {
            let length = line.trim_end_matches(['\n', '\r']).len();
            if length > 0 {
                let range = TextRange::new(start, start + length);
                self.tokens.push(Token {
                    range,
                    kind,
                    modifiers,
                });
            }
            start += line.len();
        }
    }

    /// Adds a token that counts more than what the words alone say of the same place.
    pub(super) fn over(&mut self, range: TextRange, kind: TokenKind, modifiers: u32) {
        self.add(range, kind, modifiers);
    }

    /// Adds a value: its parts, and what lies around them as `kind`. Parts are in order.
    pub(super) fn around(&mut self, range: TextRange, kind: TokenKind, parts: &[Token]) {
        let mut done = range.start();
        for part in parts.iter().filter(|part| range.contains_range(part.range)) {
            if part.range.start() < done {
                continue;
            }
            self.add(TextRange::new(done, part.range.start()), kind, 0);
            self.add(part.range, part.kind, part.modifiers);
            done = part.range.end();
        }
        self.add(TextRange::new(done, range.end()), kind, 0);
    }

    /// The tokens in order. Of two at one place the later addition counts.
    pub(super) fn finish(mut self) -> Vec<Token> {
        self.tokens.sort_by_key(|token| token.range.start());
        let mut kept: Vec<Token> = Vec::with_capacity(self.tokens.len());
        for token in self.tokens {
            match kept.last_mut() {
                Some(last) if token.range.start() < last.range.end() => {
                    if token.range.start() == last.range.start() {
                        *last = token;
                    }
                }
                _ => kept.push(token),
            }
        }
        kept
    }
}
