//! Stage 5: what the statement parser does where the next token does not fit.
//!
//! ```text
//! input:   a -> -> b [x 1, y=2]      two errors close to each other
//! output:  Edge { a, b, [x=1, y=2] } and: expected a node between `->` and `->`
//! ```
//!
//! Each function reports one kind of error and takes the parser to where it can continue: it leaves a
//! token out, reads it as what it was meant to be, or lets something be missing. Each token is looked
//! at a bounded number of times.
//!
//! In one statement no error is reported within [`QUIET_TOKENS`] after another: it is likely to be a
//! consequence. The same holds for a statement that only continues where a broken one ended.

use super::lines;
use super::statement_tokens::WordKind;
use super::statements::StatementParser;
use crate::ast::{Attr, EdgeEnd, EdgeOp, Id, IdKind, Stmt, Subgraph};
use crate::error::{self, SyntaxError};
use crate::parse::statement_tokens::Word;
use crate::{TextRange, TokenKind};

/// For so many tokens after an error nothing more is reported, as in yacc.
const QUIET_TOKENS: usize = 3;

/// Reporting.
impl StatementParser<'_, '_> {
    /// Reports an error, unless it is likely to follow from one before it.
    pub(super) fn report(&mut self, make: impl FnOnce(&str) -> SyntaxError) {
        if !self.is_quiet() {
            self.errors.push(make);
        }
        self.state.reported = Some(self.words.position());
    }

    /// Reports the next token, which fits nowhere, and leaves it out.
    fn skip_garbage(&mut self, make: impl FnOnce(&str, TextRange) -> SyntaxError) {
        let range = self.next_range();
        if !self.is_quiet() {
            self.errors.push_garbage(range, make);
        }
        self.state.reported = Some(self.words.position());
        self.words.advance();
    }

    /// Reports the next token and leaves it out.
    fn skip(&mut self, make: impl FnOnce(&str, TextRange) -> SyntaxError) {
        let range = self.next_range();
        self.report(|text| make(text, range));
        self.words.advance();
    }

    fn is_quiet(&self) -> bool {
        match self.state.reported {
            Some(reported) => self.words.position() <= reported + QUIET_TOKENS,
            None => {
                self.state.continues_error
                    && self.words.position() <= self.state.start + QUIET_TOKENS
            }
        }
    }

    pub(super) fn skip_separator(&mut self, kind: TokenKind) {
        self.skip_garbage(|_, range| error::stray_separator(range, kind));
    }

    pub(super) fn skip_unexpected(&mut self, expected: &str) {
        self.skip_garbage(|text, range| error::unexpected(text, range, expected));
    }

    /// Leaves out the next token, and an identifier after it.
    pub(super) fn skip_with_id(&mut self) {
        self.words.advance();
        if self.sees_id(0) {
            self.words.advance();
        }
    }

    /// Takes the next token as an identifier that lacks its quotes.
    pub(super) fn keep_unquoted(&mut self) -> Id {
        let (range, is_keyword) = (self.next_range(), self.sees_keyword(0));
        let make = if is_keyword {
            error::keyword_as_id
        } else {
            error::needs_quotes
        };
        self.report(|text| make(text, range));
        self.keep_id(IdKind::Bare)
    }
}

/// Statements.
impl StatementParser<'_, '_> {
    /// Whether no statement begins with the next token.
    pub(super) fn begins_no_statement(&self) -> bool {
        match self.kind(0) {
            Some(WordKind::Operator { .. }) => true,
            Some(WordKind::Token(kind)) => !kind.is_keyword() && kind != TokenKind::Semicolon,
            _ => false,
        }
    }

    /// Whether an operator or a list comes, as after a node.
    pub(super) fn continues_as_node(&self, ahead: usize) -> bool {
        self.kind(ahead).is_some_and(WordKind::is_operator)
            || self.sees(ahead, TokenKind::LeftBracket)
    }

    /// Whether the `=` after the next token is too many, as in `a = [x=y]` and `a = -> b`. In
    /// `a = -- b` of a digraph the operator is.
    pub(super) fn has_surplus_equals(&self) -> bool {
        let directed = self.directed;
        self.continues_as_node(2)
            && (self.continues_as_node(4)
                || self.sees(2, TokenKind::LeftBracket)
                || self.kind(2) == Some(WordKind::Operator { directed }))
    }

    /// Whether the next token is neither a name nor anything else a statement is made of.
    fn fits_nowhere(&self) -> bool {
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

    /// Leaves out a token that fits nowhere, if the statement continues after it: `a & -> b`.
    pub(super) fn skip_surplus(&mut self) -> bool {
        let is_surplus = self.fits_nowhere() && self.continues_as_node(1) && !self.on_new_line();
        if is_surplus {
            self.skip(error::surplus);
        }
        is_surplus
    }

    /// Leaves out a token no statement begins with, and what belongs to it.
    pub(super) fn skip_stray(&mut self, word: Word) {
        match word.kind {
            WordKind::Token(TokenKind::LeftBracket) => {
                self.report(|_| error::list_of_nothing(word.range));
                self.lists();
            }
            WordKind::Token(TokenKind::Equals) => {
                self.skip(|_, equals| error::missing_key(equals));
                if self.sees_id(0) && !self.on_new_line() && !self.continues_as_node(1) {
                    self.words.advance();
                }
            }
            WordKind::Token(kind @ (TokenKind::Comma | TokenKind::Semicolon)) => {
                self.skip_separator(kind);
            }
            _ => self.skip_unexpected("a statement"),
        }
    }

    /// `node`, `edge` or `graph` without its list. Gives the statement if it is another one.
    pub(super) fn recover_defaults(&mut self, keyword: Word) -> Option<Stmt> {
        let next_is_operator = self.kind(1).is_some_and(WordKind::is_operator);
        // `graph -- [x=y]` and `graph x [=y]`
        let is_swapped = self.sees_id(1) && self.sees(3, TokenKind::Equals);
        let before_list = self.sees(2, TokenKind::LeftBracket);
        if (next_is_operator || is_swapped) && before_list {
            self.keep();
            self.skip(error::surplus);
            return None;
        }
        if self.sees(1, TokenKind::Equals) || next_is_operator || self.sees(1, TokenKind::Colon) {
            return self.keyword_as_id();
        }
        let before_block = self.kind(1) == Some(WordKind::OpenBrace);
        if before_list && !self.sees_id(1) && !before_block {
            self.keep();
            self.skip(|text, range| error::unexpected(text, range, "`[`"));
            return None;
        }
        self.report(|text| error::defaults_without_list(text, keyword.range));
        self.keep();
        let attributes = self.missing_list();
        Some(self.defaults_with(keyword, attributes))
    }

    /// `node = x`, `edge -> b`
    fn keyword_as_id(&mut self) -> Option<Stmt> {
        if self.sees(1, TokenKind::Equals) {
            return self.pair_with_equals().map(Stmt::Assign);
        }
        let first = self.end();
        Some(self.node_or_edge(first))
    }
}

/// Edges and what they connect.
impl StatementParser<'_, '_> {
    pub(super) fn missing_edge_start(&mut self, operator: TextRange) -> EdgeEnd {
        self.report(|text| error::missing_edge_start(text, operator));
        EdgeEnd::Missing(TextRange::empty(operator.start()))
    }

    /// A node is missing here.
    pub(super) fn missing_end(&mut self) -> EdgeEnd {
        let operator = self.words.before(1).map_or(self.here(), |word| word.range);
        if self.sees(0, TokenKind::LeftBracket) && !self.on_new_line() {
            self.report(|text| error::edge_to_list(text, operator));
        } else {
            self.report(|text| error::missing_edge_end(text, operator));
        }
        EdgeEnd::Missing(self.keep_missing())
    }

    /// What follows an operator: the end of the edge, unless the line and the statement are over.
    pub(super) fn end_after_operator(&mut self) -> EdgeEnd {
        let begins_statement = match self.kind(0) {
            Some(kind) if kind.is_id_like() => self.sees(1, TokenKind::Equals),
            Some(kind) if kind.is_keyword() => !self.opens_subgraph(),
            _ => false,
        };
        if begins_statement && self.on_new_line() {
            return self.missing_end();
        }
        if self.fits_nowhere() && self.begins_end(1) && !self.on_new_line() {
            self.skip(error::surplus);
        }
        self.end()
    }

    /// Whether a node or a subgraph begins there.
    fn begins_end(&self, ahead: usize) -> bool {
        self.sees_id(ahead)
            || self.kind(ahead) == Some(WordKind::OpenBrace)
            || self.sees(ahead, TokenKind::Subgraph)
    }

    pub(super) fn is_operator_like(&self, ahead: usize) -> bool {
        let Some(word) = self.words.peek(ahead) else {
            return false;
        };
        word.is(TokenKind::Dash)
            || word.is(TokenKind::Equals)
            || word.is(TokenKind::Unknown) && word.range.text(self.text) == ">"
    }

    /// `-`, `=>`, `>` where an operator belongs.
    pub(super) fn misspelt_operator(&mut self, kind: WordKind) -> Option<EdgeOp> {
        if !matches!(kind, WordKind::Token(kind) if !kind.is_keyword()) {
            return None;
        }
        let run = (0..3)
            .take_while(|&ahead| self.is_operator_like(ahead))
            .count();
        let last = self.words.peek(run.checked_sub(1)?)?;
        if !self.begins_end(run) {
            return None;
        }
        let range = self.next_range().cover(last.range);
        let directed = self.directed;
        self.report(|text| error::misspelt_operator(text, range, directed));
        for _ in 0..run {
            self.words.advance();
        }
        Some(EdgeOp::new(range, true))
    }

    /// The `>` of `-->`.
    pub(super) fn skip_rest_of_arrow(&mut self) {
        let next = self.next_range();
        let is_glued = self.sees(0, TokenKind::Unknown) && next.start() == self.here().end();
        if is_glued && next.text(self.text) == ">" {
            let range = TextRange::new(next.start().saturating_sub(2), next.end());
            let directed = self.directed;
            self.skip(|text, _| error::misspelt_operator(text, range, directed));
        }
    }

    /// Leaves out one of two operators: the second, unless only the first is the wrong one.
    pub(super) fn skip_doubled_operators(&mut self, mut first: EdgeOp) -> EdgeOp {
        while let Some(WordKind::Operator { directed }) = self.kind(0)
            && !self.on_new_line()
        {
            let second = EdgeOp::new(self.next_range(), directed);
            let mut surplus = second;
            if directed == self.directed && first.directed != self.directed {
                surplus = std::mem::replace(&mut first, second);
            }
            let kept = first.range();
            self.skip(|text, _| error::doubled_operator(text, surplus.range(), kept));
        }
        first
    }

    pub(super) fn skip_third_colon(&mut self) {
        while self.sees(0, TokenKind::Colon) {
            let colon = self.next_range();
            self.report(|_| error::third_colon(colon));
            self.skip_with_id();
        }
    }

    pub(super) fn check_subgraph_keyword(&mut self, keyword: Word) {
        if !keyword.is(TokenKind::Subgraph) {
            self.report(|text| error::graph_in_graph(text, keyword.range));
        }
        while self.sees_keyword(0) && self.sees_keyword(1) {
            self.skip(|text, _| error::keyword_as_id(text, keyword.range));
        }
    }

    /// Leaves out what is between the name of a subgraph and its `{`.
    pub(super) fn skip_to_brace(&mut self) {
        while !matches!(self.kind(0), Some(WordKind::OpenBrace) | None) {
            self.skip(|text, range| error::unexpected(text, range, "`{`"));
        }
    }

    pub(super) fn subgraph_without_body(&mut self, keyword: Word) -> Subgraph {
        self.report(|text| error::subgraph_without_body(text, keyword.range));
        self.keep();
        let is_named = self.sees_id(0) && !self.on_new_line();
        let id = is_named.then(|| self.name()).flatten();
        Subgraph {
            range: keyword.range.cover(self.here()),
            keyword: Some(keyword.range),
            id,
            body: None,
            attributes: smallvec::SmallVec::new(),
        }
    }
}

/// Attributes.
impl StatementParser<'_, '_> {
    /// `=value`
    pub(super) fn skip_value_without_key(&mut self) {
        self.skip(|_, equals| error::missing_key(equals));
        if self.sees_id(0) && !self.sees(1, TokenKind::Equals) {
            self.words.advance();
        }
    }

    /// What is between a `=` and its value: another `=`, or one token that fits nowhere.
    pub(super) fn skip_before_value(&mut self) {
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
    pub(super) fn begins_next_pair(&self) -> bool {
        let name = self.next_range();
        self.words.peek(1).is_some_and(|equals| {
            equals.is(TokenKind::Equals)
                && !lines::ends_between(self.text, name.end(), equals.range.start())
        }) || self.continues_as_node(1) && self.on_new_line()
    }

    pub(super) fn missing_value(&mut self) -> Option<Id> {
        let range = |word: Option<Word>| word.map(|word| word.range).unwrap_or_default();
        let (key, equals) = (range(self.words.before(2)), range(self.words.before(1)));
        self.report(|text| error::missing_value(text, key, equals));
        None
    }

    /// A key without a `=`: it lacks that, or its value too, or it is the rest of the value before it.
    pub(super) fn pair_without_equals(&mut self, key: Word) -> Option<Attr> {
        if self.sees(1, TokenKind::Colon) {
            let id = self.key()?;
            let colon = self.next_range();
            self.skip(|_, colon| error::colon_for_equals(colon));
            let value = self.value();
            return Some(Attr::new(id, colon, value));
        }
        let lacks_equals = self.lacks_equals(key);
        if lacks_equals && self.is_quoted(1) {
            return self.insert_equals(key);
        }
        if let Some(value) = self.value_this_continues(key) {
            self.report(|text| error::value_goes_on(text, value, key.range));
            self.words.advance();
            return None;
        }
        if lacks_equals {
            return self.insert_equals(key);
        }
        self.report(|text| error::no_value(text, key.range));
        let id = self.key()?;
        Some(Attr::new(id, self.here(), None))
    }

    /// `prompt "two words"`: a value follows the key on its line, and nothing else does before the next pair.
    fn lacks_equals(&self, key: Word) -> bool {
        let Some(value) = self.words.peek(1).filter(|value| value.kind.is_id_like()) else {
            return false;
        };
        let after = 1 + self.length_of_value();
        let is_last = self.sees(after, TokenKind::Comma)
            || self.sees(after, TokenKind::Semicolon)
            || self.sees(after, TokenKind::RightBracket);
        let before_pair = self.is_quoted(1) && self.sees_id(2) && self.sees(3, TokenKind::Equals);
        (is_last || before_pair)
            && !lines::ends_between(self.text, key.range.end(), value.range.start())
    }

    /// How many tokens the value after the next one is: without its `=`, `5m` is two.
    fn length_of_value(&self) -> usize {
        let has_unit = self.sees_id(2) && !self.is_quoted(1) && !self.is_quoted(2);
        let is_glued = self
            .words
            .peek(1)
            .zip(self.words.peek(2))
            .is_some_and(|(value, unit)| value.range.end() == unit.range.start());
        1 + usize::from(has_unit && is_glued)
    }

    fn is_quoted(&self, ahead: usize) -> bool {
        let word = self.words.peek(ahead);
        word.is_some_and(|word| word.range.text(self.text).starts_with('"'))
    }

    fn insert_equals(&mut self, key: Word) -> Option<Attr> {
        let length = self.length_of_value();
        let (first, last) = (self.words.peek(1)?, self.words.peek(length)?);
        let range = first.range.cover(last.range);
        let id = self.key()?;
        self.report(|text| error::missing_equals(text, key.range, range));
        let equals = self.here();
        if length == 1 {
            let value = self.value();
            return Some(Attr::new(id, equals, value));
        }
        for _ in 0..length {
            self.words.advance();
        }
        let kind = IdKind::Extended;
        Some(Attr::new(id, equals, Some(Id { range, kind })))
    }

    /// `label=two words`: the value right before `key` on its line, if there is one.
    fn value_this_continues(&self, key: Word) -> Option<TextRange> {
        let (equals, value) = (self.words.before(2)?, self.words.before(1)?);
        let same_line = !lines::ends_between(self.text, value.range.end(), key.range.start());
        (equals.is(TokenKind::Equals) && matches!(value.kind, WordKind::Id(_)) && same_line)
            .then_some(value.range)
    }
}
