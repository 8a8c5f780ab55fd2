//! A whole statement made acceptable: what it begins with says what it is.

use super::{GraphKind, Mender};
use crate::TokenKind;
use crate::ast::IdKind;
use crate::error;
use crate::parse::words::{Word, WordKind};

impl Mender<'_, '_> {
    pub(super) fn statement(&mut self) {
        let Some(word) = self.peek(0) else { return };
        match word.kind {
            WordKind::Id(_) | WordKind::Key | WordKind::Odd
                if self.sees(1, TokenKind::Equals)
                    && !self.is_operator_like(2)
                    && !self.is_node_before_equals() =>
            {
                self.assign();
                // A list behind it is a statement of its own, and refused as such.
                return self.semicolon();
            }
            WordKind::Operator { .. } => {
                self.say(|_| error::missing_edge_start(word.range));
                self.make_up(WordKind::Missing);
                self.edge_tail();
            }
            WordKind::Token(TokenKind::Graph | TokenKind::Node | TokenKind::Edge) => {
                self.defaults(word);
            }
            WordKind::Token(kind) if !kind.is_keyword() => return self.stray(word),
            _ => {
                self.end();
                self.edge_tail();
            }
        }
        self.lists();
        while self.surplus() {
            self.edge_tail();
            self.lists();
        }
        self.semicolon();
    }

    /// Whether an operator or a list comes, as behind a node.
    pub(super) fn goes_on(&self, ahead: usize) -> bool {
        matches!(self.kind(ahead), Some(WordKind::Operator { .. }))
            || self.sees(ahead, TokenKind::LeftBracket)
    }

    /// Whether the `=` behind the next word is too many, as in `a = [x=y]` and `a = -> b`. In
    /// `a = -- b` of a digraph the operator is.
    fn is_node_before_equals(&self) -> bool {
        let directed = self.kind == GraphKind::Directed;
        self.goes_on(2)
            && (self.goes_on(4)
                || self.sees(2, TokenKind::LeftBracket)
                || self.kind(2) == Some(WordKind::Operator { directed }))
    }

    /// Leaves out a word that has no place, behind which the statement goes on: `a & -> b`.
    fn surplus(&mut self) -> bool {
        let ended = self
            .out
            .last()
            .is_some_and(|last| last.is(TokenKind::RightBracket));
        let surplus = self.goes_on(1) && !ended && self.fits_nowhere() && !self.on_new_line();
        if surplus {
            let range = self.found().unwrap_or_default();
            self.say(|text| error::surplus(text, range));
            self.drop_word();
        }
        surplus
    }

    /// Whether the next word is neither a name nor anything else a statement is made of.
    pub(super) fn fits_nowhere(&self) -> bool {
        matches!(
            self.kind(0),
            Some(WordKind::Token(
                TokenKind::Unknown
                    | TokenKind::Dash
                    | TokenKind::Equals
                    | TokenKind::Dot
                    | TokenKind::Slash
                    | TokenKind::Plus
                    | TokenKind::At
                    | TokenKind::Comma
            ))
        )
    }

    fn semicolon(&mut self) {
        if self.sees(0, TokenKind::Semicolon) {
            self.keep();
        }
    }

    /// A word no statement begins with.
    fn stray(&mut self, word: Word) {
        match word.kind {
            WordKind::Token(TokenKind::LeftBracket) => {
                self.say(|_| error::list_of_nothing(word.range));
                self.lists();
                self.out.clear();
            }
            WordKind::Token(TokenKind::Equals) => {
                self.say(|_| error::missing_key(word.range));
                self.drop_word();
                if self.sees_id(0) && !self.on_new_line() && !self.goes_on(1) {
                    self.drop_word();
                }
            }
            WordKind::Token(kind @ (TokenKind::Comma | TokenKind::Semicolon)) => {
                self.say_of(word.range, |_, word| error::stray_separator(word, kind));
                self.drop_word();
            }
            _ => {
                self.say_of(word.range, |text, word| {
                    error::unexpected(text, word, "a statement")
                });
                self.drop_word();
            }
        }
        if self.sees(0, TokenKind::Semicolon) {
            self.drop_word();
        }
    }

    fn defaults(&mut self, keyword: Word) {
        if self.sees(1, TokenKind::LeftBracket) {
            return self.keep();
        }
        // `graph -- [x=y]` and `graph x [=y]`
        let surplus = matches!(self.kind(1), Some(WordKind::Operator { .. }));
        let swapped = self.sees_id(1) && self.sees(3, TokenKind::Equals);
        if (surplus || swapped) && self.sees(2, TokenKind::LeftBracket) {
            self.keep();
            let range = self.found().unwrap_or_default();
            self.say(|text| error::surplus(text, range));
            return self.drop_word();
        }
        if self.sees(1, TokenKind::Equals)
            || matches!(self.kind(1), Some(WordKind::Operator { .. }))
            || self.sees(1, TokenKind::Colon)
        {
            self.say(|text| error::keyword_as_id(text, keyword.range));
            self.keep_as_id(IdKind::Bare);
            if self.sees(0, TokenKind::Equals) {
                self.keep();
                self.value();
            } else {
                self.port();
                self.edge_tail();
            }
            return;
        }
        if self.sees_id(1)
            && self.sees(2, TokenKind::Equals)
            && self.sees(3, TokenKind::LeftBracket)
        {
            self.keep();
            self.keep();
            return self.keep();
        }
        if self.sees(2, TokenKind::LeftBracket) && !self.sees_id(1) {
            self.keep();
            let word = self.found().unwrap_or_default();
            self.say(|text| error::unexpected(text, word, "`[`"));
            return self.drop_word();
        }
        self.say(|text| error::defaults_without_list(text, keyword.range));
        self.keep();
        self.make_up(WordKind::Token(TokenKind::LeftBracket));
        self.make_up(WordKind::Token(TokenKind::RightBracket));
    }

    /// Whether no statement begins with the next word.
    pub(super) fn begins_nothing(&self) -> bool {
        match self.kind(0) {
            Some(WordKind::Operator { .. }) => true,
            Some(WordKind::Token(kind)) => !kind.is_keyword() && kind != TokenKind::Semicolon,
            _ => false,
        }
    }
}
