//! Lists and the pairs in them, and pairs alone, made acceptable.

use super::Mender;
use crate::ast::IdKind;
use crate::error;
use crate::parse::lines;
use crate::parse::words::{Word, WordKind};
use crate::{TextRange, TokenKind};

impl Mender<'_, '_> {
    pub(super) fn assign(&mut self) {
        self.key();
        self.keep();
        self.value();
    }

    fn key(&mut self) {
        match self.kind(0) {
            Some(WordKind::Odd) => self.keep_unquoted(),
            Some(WordKind::Token(kind)) if kind.is_keyword() => self.keep_unquoted(),
            _ => self.keep(),
        }
    }

    /// What follows a `=`.
    pub(super) fn value(&mut self) {
        while self.sees(0, TokenKind::Equals) {
            let word = self.found().unwrap_or_default();
            self.say(|_| error::doubled_equals(word));
            self.drop_word();
        }
        let is_odd = matches!(
            self.kind(0),
            Some(
                WordKind::Operator { .. }
                    | WordKind::Token(TokenKind::Unknown | TokenKind::Comma | TokenKind::Semicolon)
            )
        );
        let before_value =
            matches!(self.kind(1), Some(WordKind::Id(_))) && !self.sees(2, TokenKind::Equals);
        if is_odd && before_value && !self.on_new_line() {
            let odd = self.found().unwrap_or_default();
            self.say(|text| error::unexpected(text, odd, "a value"));
            self.drop_word();
        }
        match self.peek(0) {
            Some(Word {
                kind: WordKind::Id(_),
                ..
            }) if !self.is_no_value() => self.keep(),
            Some(Word {
                kind: WordKind::Key | WordKind::Odd,
                ..
            }) if !self.is_no_value() => {
                self.keep_as_id(IdKind::Extended);
            }
            Some(Word {
                kind: WordKind::Token(kind),
                ..
            }) if kind.is_keyword() && !self.on_new_line() => self.keep_unquoted(),
            _ => {
                let key = self
                    .words
                    .get(self.at.saturating_sub(2))
                    .map_or(TextRange::default(), |word| word.range);
                let equals = self
                    .words
                    .get(self.at.saturating_sub(1))
                    .map_or(key, |word| word.range);
                self.say(|text| error::missing_value(text, key, equals));
                self.make_up(WordKind::Missing);
            }
        }
        if self.sees(0, TokenKind::Plus) {
            let word = self.found().unwrap_or_default();
            self.say(|_| error::plus_joins_strings(word));
            self.drop_word();
            if self.sees_id(0) {
                self.drop_word();
            }
        }
    }

    /// Whether the next word begins the next pair or statement, and is not the value that is missing here.
    fn is_no_value(&self) -> bool {
        let name = self.found().unwrap_or_default();
        self.peek(1).is_some_and(|equals| {
            equals.is(TokenKind::Equals)
                && !lines::ends_between(self.text, name.end(), equals.range.start())
        }) || self.goes_on(1) && self.on_new_line()
    }

    pub(super) fn lists(&mut self) {
        while self.sees(0, TokenKind::LeftBracket) {
            self.keep();
            self.items();
            if self.sees(0, TokenKind::RightBracket) {
                self.keep();
            } else {
                self.make_up(WordKind::Token(TokenKind::RightBracket));
            }
        }
    }

    /// What stands between brackets.
    fn items(&mut self) {
        loop {
            let Some(word) = self.peek(0) else { return };
            match word.kind {
                WordKind::Token(TokenKind::RightBracket) => return,
                WordKind::Token(kind @ (TokenKind::Comma | TokenKind::Semicolon)) => {
                    self.say_of(word.range, |_, word| error::stray_separator(word, kind));
                    self.drop_word();
                    continue;
                }
                WordKind::Token(TokenKind::Equals) => {
                    self.say(|_| error::missing_key(word.range));
                    self.drop_word();
                    if self.sees_id(0) && !self.sees(1, TokenKind::Equals) {
                        self.drop_word();
                    }
                }
                WordKind::Id(_) | WordKind::Key | WordKind::Odd => self.pair(word),
                WordKind::Token(kind) if kind.is_keyword() => self.pair(word),
                _ => {
                    self.say_of(word.range, |text, word| {
                        error::unexpected(text, word, "`key=value` or `]`")
                    });
                    self.drop_word();
                    continue;
                }
            }
            if self.sees(0, TokenKind::Comma) || self.sees(0, TokenKind::Semicolon) {
                self.keep();
            }
        }
    }

    fn pair(&mut self, key: Word) {
        if self.sees(1, TokenKind::Equals) {
            self.key();
            self.keep();
            return self.value();
        }
        if self.sees(1, TokenKind::Colon) {
            let colon = self.peek(1).map_or(key.range, |colon| colon.range);
            self.key();
            self.say(|_| error::colon_for_equals(colon));
            self.out
                .push(Word::new(WordKind::Token(TokenKind::Equals), colon));
            self.drop_word();
            return self.value();
        }
        if self.lacks_equals(key) && self.is_quoted(1) {
            return self.pair_without_equals(key);
        }
        if let Some(value) = self.value_this_continues(key) {
            self.say(|text| error::value_goes_on(text, value, key.range));
            return self.drop_word();
        }
        if self.lacks_equals(key) {
            return self.pair_without_equals(key);
        }
        self.say(|text| error::no_value(text, key.range));
        self.key();
        self.make_up(WordKind::Token(TokenKind::Equals));
        self.make_up(WordKind::Missing);
    }

    /// `prompt "two words"`: a value follows the key on its line, and nothing else does before the next pair.
    fn lacks_equals(&self, key: Word) -> bool {
        let Some(value) = self.peek(1) else {
            return false;
        };
        let is_value = matches!(value.kind, WordKind::Id(_) | WordKind::Key | WordKind::Odd);
        let same_line = !lines::ends_between(self.text, key.range.end(), value.range.start());
        let ends = [
            TokenKind::Comma,
            TokenKind::Semicolon,
            TokenKind::RightBracket,
        ];
        let behind = 1 + self.words_of_value();
        let is_last = ends.into_iter().any(|end| self.sees(behind, end));
        let next_pair = self.is_quoted(1) && self.sees_id(2) && self.sees(3, TokenKind::Equals);
        is_value && same_line && (is_last || next_pair)
    }

    /// How many words the value behind the next word is: `5m` is two outside of values, where it is one.
    fn words_of_value(&self) -> usize {
        let is_glued = |one: Word, other: Word| one.range.end() == other.range.start();
        let unit = self.peek(1).zip(self.peek(2));
        let has_unit = self.sees_id(2) && unit.is_some_and(|(value, unit)| is_glued(value, unit));
        if has_unit && !self.is_quoted(1) && !self.is_quoted(2) {
            2
        } else {
            1
        }
    }

    fn is_quoted(&self, ahead: usize) -> bool {
        let word = self.peek(ahead);
        word.is_some_and(|word| word.range.text(self.text).starts_with('"'))
    }

    fn pair_without_equals(&mut self, key: Word) {
        let words = self.words_of_value();
        let value = self.peek(1).map_or(key.range, |value| value.range);
        let value = self
            .peek(words)
            .map_or(value, |last| value.cover(last.range));
        self.key();
        self.say(|text| error::missing_equals(text, key.range, value));
        self.make_up(WordKind::Token(TokenKind::Equals));
        if words == 1 {
            return self.value();
        }
        self.out
            .push(Word::new(WordKind::Id(IdKind::Extended), value));
        self.at += words;
    }

    /// `label=two words`: the value right before `key` on its line, if there is one.
    fn value_this_continues(&self, key: Word) -> Option<TextRange> {
        let before = self.at.checked_sub(1)?;
        let value = self.words.get(before)?;
        let equals = self.words.get(before.checked_sub(1)?)?;
        let same_line = !lines::ends_between(self.text, value.range.end(), key.range.start());
        (equals.is(TokenKind::Equals) && matches!(value.kind, WordKind::Id(_)) && same_line)
            .then_some(value.range)
    }
}
