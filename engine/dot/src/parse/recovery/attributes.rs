//! Recovery: Attribute lists and their pairs.

use crate::ast::{Id, IdKind};
use crate::error;
use crate::parse::lines;
use crate::parse::statement_tokens::{Word, WordKind};
use crate::parse::statements::Recovery;
use crate::{TextRange, TokenKind};

impl Recovery<'_, '_, '_, '_> {
    /// `=value`
    pub(in crate::parse) fn skip_value_without_key(&mut self) {
        self.skip(|_, equals| error::missing_key(equals));
        if self.sees_id(0) && !self.sees(1, TokenKind::Equals) {
            self.advance();
        }
    }

    /// What is between a `=` and its value: another `=`, or one token that fits nowhere.
    pub(in crate::parse) fn skip_before_value(&mut self) {
        while self.sees(0, TokenKind::Equals) {
            self.skip(|_, equals| error::doubled_equals(equals));
        }
        let is_odd = match self.kind(0) {
            Some(WordKind::Operator { .. }) => true,
            Some(WordKind::Token(kind)) => matches!(
                kind,
                TokenKind::Unknown | TokenKind::Comma | TokenKind::Semicolon
            ),
            _ => false,
        };
        if is_odd
            && matches!(self.kind(1), Some(WordKind::Id(_)))
            && !self.sees(2, TokenKind::Equals)
            && !self.on_new_line()
        {
            self.skip(|text, range| error::unexpected(text, range, "a value"));
        }
    }

    /// Whether the next token begins the next pair or statement, and is not the value that is missing here.
    pub(in crate::parse) fn begins_next_pair(&self) -> bool {
        let name = self.next_range();
        self.peek(1).is_some_and(|equals| {
            equals.is(TokenKind::Equals)
                && !lines::ends_between(self.text, name.end(), equals.range.start())
        }) || self.continues_as_node(1) && self.on_new_line()
    }

    pub(in crate::parse) fn missing_value(&mut self) -> Option<Id> {
        let range = |word: Option<Word>| word.map(|word| word.range).unwrap_or_default();
        let (key, equals) = (range(self.before(2)), range(self.before(1)));
        self.report(|text| error::missing_value(text, key, equals));
        None
    }

    /// The `:` of `key: value`.
    pub(in crate::parse) fn skip_colon(&mut self) -> TextRange {
        let colon = self.next_range();
        self.skip(|_, colon| error::colon_for_equals(colon));
        colon
    }

    pub(in crate::parse) fn report_no_value(&mut self) {
        let key = self.next_range();
        self.report(|text| error::no_value(text, key));
    }

    /// `prompt "two words"`: a value follows the key on its line, and nothing else does before the next pair.
    pub(in crate::parse) fn lacks_equals(&self) -> bool {
        let Some(value) = self.peek(1).filter(|value| value.kind.is_id_like()) else {
            return false;
        };
        let after = 1 + self.length_of_value(1);
        let is_last = self.sees(after, TokenKind::Comma)
            || self.sees(after, TokenKind::Semicolon)
            || self.sees(after, TokenKind::RightBracket);
        let before_pair = self.is_quoted(1) && self.sees_id(2) && self.sees(3, TokenKind::Equals);
        (is_last || before_pair)
            && !lines::ends_between(self.text, self.next_range().end(), value.range.start())
    }

    /// How many tokens the value there is: without its `=`, `5m` is two.
    pub(in crate::parse) fn length_of_value(&self, ahead: usize) -> usize {
        let (value, unit) = (ahead, ahead + 1);
        let has_unit = self.sees_id(unit) && !self.is_quoted(value) && !self.is_quoted(unit);
        let is_glued = self
            .peek(value)
            .zip(self.peek(unit))
            .is_some_and(|(value, unit)| value.range.end() == unit.range.start());
        1 + usize::from(has_unit && is_glued)
    }

    pub(in crate::parse) fn is_quoted(&self, ahead: usize) -> bool {
        let word = self.peek(ahead);
        word.is_some_and(|word| word.range.text(self.text).starts_with('"'))
    }

    /// The `=` that is missing between a key, which was read, and its value.
    pub(in crate::parse) fn insert_equals(&mut self) -> TextRange {
        let key = self.before(1).map_or(self.here(), |key| key.range);
        let value = self.next_range();
        let last = self.peek(self.length_of_value(0) - 1);
        let value = last.map_or(value, |last| value.cover(last.range));
        self.report(|text| error::missing_equals(text, key, value));
        self.here()
    }

    /// The number and the unit of `5m` as one value.
    pub(in crate::parse) fn glued_value(&mut self) -> Id {
        let number = self.next_range();
        self.advance();
        let range = number.cover(self.next_range());
        self.advance();
        Id {
            range,
            kind: IdKind::Extended,
        }
    }

    /// `label=two words`: the value right before the next token on its line, if there is one.
    pub(in crate::parse) fn value_this_continues(&self) -> Option<TextRange> {
        let (equals, value) = (self.before(2)?, self.before(1)?);
        (equals.is(TokenKind::Equals)
            && matches!(value.kind, WordKind::Id(_))
            && !self.on_new_line())
        .then_some(value.range)
    }

    pub(in crate::parse) fn skip_rest_of_value(&mut self) {
        let rest = self.next_range();
        if let Some(value) = self.value_this_continues() {
            self.report(|text| error::value_continues(text, value, rest));
        }
        self.advance();
    }

    /// The `+` after a value, and what it would join.
    pub(in crate::parse) fn skip_plus(&mut self) {
        let plus = self.next_range();
        self.report(|_| error::plus_joins_strings(plus));
        self.advance();
        if self.sees_id(0) {
            self.advance();
        }
    }

    /// Skips what is not a pair in a list.
    pub(in crate::parse) fn skip_in_list(&mut self) {
        match self.kind(0) {
            Some(WordKind::Token(kind @ (TokenKind::Comma | TokenKind::Semicolon))) => {
                self.skip_separator(kind);
            }
            _ => self.skip_unexpected("`key=value` or `]`"),
        }
    }
}
