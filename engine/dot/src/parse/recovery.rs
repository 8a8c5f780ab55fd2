//! Stage 5: the parsers that recover, which the grammar calls where the next token does not fit.
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
use super::statements::{Preceding, Recovery, StatementState};
use crate::ast::{EdgeEnd, EdgeOp, Id, IdKind, Subgraph};
use crate::error::{self, SyntaxError};
use crate::parse::statement_tokens::Word;
use crate::{TextRange, TokenKind};

/// For so many tokens after an error nothing more is reported, as in yacc.
const QUIET_TOKENS: usize = 3;

/// Reporting.
impl Recovery<'_, '_, '_, '_> {
    /// Reports an error, unless it is likely to follow from one before it.
    pub(super) fn report(&mut self, make: impl FnOnce(&str) -> SyntaxError) {
        if !self.is_quiet() {
            self.state().errors.push(make);
        }
        self.note_report();
    }

    /// Reports the next token, which fits nowhere, and leaves it out.
    fn skip_garbage(&mut self, make: impl FnOnce(&str, TextRange) -> SyntaxError) {
        let range = self.next_range();
        if !self.is_quiet() {
            self.state().errors.push_garbage(range, make);
        }
        self.note_report();
        self.advance();
    }

    /// Reports the next token and leaves it out.
    fn skip(&mut self, make: impl FnOnce(&str, TextRange) -> SyntaxError) {
        let range = self.next_range();
        self.report(|text| make(text, range));
        self.advance();
    }

    fn note_report(&mut self) {
        let position = self.position();
        self.state().statement.reported = Some(position);
    }

    fn is_quiet(&mut self) -> bool {
        let position = self.position();
        let statement = self.state().statement;
        match statement.reported {
            Some(reported) => position <= reported + QUIET_TOKENS,
            None => statement.continues_error && position <= statement.start + QUIET_TOKENS,
        }
    }

    pub(super) fn skip_separator(&mut self, kind: TokenKind) {
        self.skip_garbage(|_, range| error::stray_separator(range, kind));
    }

    pub(super) fn skip_unexpected(&mut self, expected: &str) {
        self.skip_garbage(|text, range| error::unexpected(text, range, expected));
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

/// Statements and blocks.
impl Recovery<'_, '_, '_, '_> {
    /// Whether a statement follows; notes where.
    pub(super) fn enter_statement(&mut self) -> bool {
        if self.peek(0).is_none() {
            return false;
        }
        let (start, begins_no_statement) = (self.position(), self.begins_no_statement());
        let state = self.state();
        state.statement = StatementState {
            start,
            reported: None,
            continues_error: state.preceding == Preceding::Broken && begins_no_statement,
        };
        true
    }

    /// Whether a block follows; notes where.
    pub(super) fn enter_block(&mut self) -> bool {
        if self.kind(0) != Some(WordKind::OpenBrace) {
            return false;
        }
        let start = self.position();
        let preceding = self.header_is_broken();
        let state = self.state();
        state.preceding = preceding;
        state.outer.push((start, state.statement));
        true
    }

    /// To the statement around it, a block is one token.
    pub(super) fn leave_block(&mut self) {
        let end = self.position();
        let state = self.state();
        if let Some((start, outer)) = state.outer.pop() {
            let inside = end.saturating_sub(start + 1);
            state.statement = StatementState {
                start: outer.start + inside,
                reported: outer.reported.map(|at| at + inside),
                ..outer
            };
        }
    }

    /// Whether `subgraph name` and another name precede the `{` that comes next.
    fn header_is_broken(&self) -> Preceding {
        let is_id =
            |back| matches!(self.before(back), Some(word) if matches!(word.kind, WordKind::Id(_)));
        let keyword = self.before(3).filter(|word| word.is(TokenKind::Subgraph));
        if keyword.is_some() && is_id(2) && is_id(1) {
            Preceding::Broken
        } else {
            Preceding::Sound
        }
    }

    pub(super) fn begins_assignment(&mut self) -> bool {
        self.sees(1, TokenKind::Equals)
            && self.sees_id(0)
            && !self.is_operator_like(2)
            && !self.has_surplus_equals()
    }

    pub(super) fn begins_defaults(&self) -> bool {
        [TokenKind::Graph, TokenKind::Node, TokenKind::Edge]
            .into_iter()
            .any(|keyword| self.sees(0, keyword))
    }

    /// Whether no statement begins with the next token.
    fn begins_no_statement(&self) -> bool {
        match self.kind(0) {
            Some(WordKind::Operator { .. }) => true,
            Some(WordKind::Token(kind)) => !kind.is_keyword() && kind != TokenKind::Semicolon,
            _ => false,
        }
    }

    /// Whether an operator or a list comes, as after a node.
    fn continues_as_node(&self, ahead: usize) -> bool {
        self.kind(ahead).is_some_and(WordKind::is_operator)
            || self.sees(ahead, TokenKind::LeftBracket)
    }

    /// Whether the `=` after the next token is too many, as in `a = [x=y]` and `a = -> b`. In
    /// `a = -- b` of a digraph the operator is.
    fn has_surplus_equals(&mut self) -> bool {
        let directed = self.state().directed;
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

    /// Whether the next token fits nowhere, and the statement continues after it: `a & -> b`.
    pub(super) fn is_surplus(&self) -> bool {
        self.fits_nowhere() && self.continues_as_node(1) && !self.on_new_line()
    }

    pub(super) fn skip_surplus(&mut self) {
        self.skip(error::surplus);
    }

    /// Whether no statement begins with the next token, nor can it be in one.
    pub(super) fn is_stray(&self) -> bool {
        matches!(self.kind(0), Some(WordKind::Token(kind)) if !kind.is_keyword())
    }

    pub(super) fn report_list_of_nothing(&mut self) {
        let list = self.next_range();
        self.report(|_| error::list_of_nothing(list));
    }

    /// Leaves out a token no statement begins with, and what belongs to it.
    pub(super) fn skip_stray(&mut self) {
        match self.kind(0) {
            Some(WordKind::Token(TokenKind::Equals)) => {
                self.skip(|_, equals| error::missing_key(equals));
                if self.sees_id(0) && !self.on_new_line() && !self.continues_as_node(1) {
                    self.advance();
                }
            }
            Some(WordKind::Token(kind @ (TokenKind::Comma | TokenKind::Semicolon))) => {
                self.skip_separator(kind);
            }
            _ => self.skip_unexpected("a statement"),
        }
    }
}

/// `node`, `edge` and `graph`.
impl Recovery<'_, '_, '_, '_> {
    /// `graph name = [..]`
    pub(super) fn names_defaults(&self) -> bool {
        matches!(self.kind(1), Some(WordKind::Id(_)))
            && self.sees(2, TokenKind::Equals)
            && self.sees(3, TokenKind::LeftBracket)
    }

    pub(super) fn skip_name_of_defaults(&mut self) {
        self.advance();
        self.advance();
    }

    /// `graph -- [x=y]` and `graph x [=y]`
    pub(super) fn has_surplus_before_list(&self) -> bool {
        let is_operator = self.kind(1).is_some_and(WordKind::is_operator);
        let is_swapped = self.sees_id(1) && self.sees(3, TokenKind::Equals);
        (is_operator || is_swapped) && self.sees(2, TokenKind::LeftBracket)
    }

    /// Whether it is read as an identifier, as in `node = x` and `edge -> b`.
    pub(super) fn keyword_is_id(&self) -> bool {
        let next_is_operator = self.kind(1).is_some_and(WordKind::is_operator);
        let continues_id =
            self.sees(1, TokenKind::Equals) || next_is_operator || self.sees(1, TokenKind::Colon);
        continues_id && !self.has_surplus_before_list()
    }

    /// `node & [x=y]`
    pub(super) fn has_unexpected_before_list(&self) -> bool {
        let before_block = self.kind(1) == Some(WordKind::OpenBrace);
        self.sees(2, TokenKind::LeftBracket) && !self.sees_id(1) && !before_block
    }

    pub(super) fn skip_before_list(&mut self) {
        self.skip(|text, range| error::unexpected(text, range, "`[`"));
    }

    pub(super) fn report_defaults_without_list(&mut self) {
        let keyword = self.next_range();
        self.report(|text| error::defaults_without_list(text, keyword));
    }
}

/// Edges and what they connect.
impl Recovery<'_, '_, '_, '_> {
    pub(super) fn missing_edge_start(&mut self) -> EdgeEnd {
        let operator = self.next_range();
        self.report(|text| error::missing_edge_start(text, operator));
        EdgeEnd::Missing(TextRange::empty(operator.start()))
    }

    /// A node is missing here.
    pub(super) fn missing_end(&mut self) -> EdgeEnd {
        let operator = self.before(1).map_or(self.here(), |word| word.range);
        if self.sees(0, TokenKind::LeftBracket) && !self.on_new_line() {
            self.report(|text| error::edge_to_list(text, operator));
        } else {
            self.report(|text| error::missing_edge_end(text, operator));
        }
        EdgeEnd::Missing(self.keep_missing())
    }

    /// Whether the line and the statement are over after an operator, and the next one begins.
    pub(super) fn line_ends_after_operator(&self) -> bool {
        let begins_statement = match self.kind(0) {
            Some(kind) if kind.is_id_like() => self.sees(1, TokenKind::Equals),
            Some(kind) if kind.is_keyword() => !self.opens_block(),
            _ => false,
        };
        begins_statement && self.on_new_line()
    }

    /// Whether a token that fits nowhere is between an operator and the end after it.
    pub(super) fn is_surplus_before_end(&self) -> bool {
        self.fits_nowhere() && self.begins_end(1) && !self.on_new_line()
    }

    /// Whether a node or a subgraph begins there.
    fn begins_end(&self, ahead: usize) -> bool {
        self.sees_id(ahead)
            || self.kind(ahead) == Some(WordKind::OpenBrace)
            || self.sees(ahead, TokenKind::Subgraph)
    }

    fn is_operator_like(&self, ahead: usize) -> bool {
        let Some(word) = self.peek(ahead) else {
            return false;
        };
        word.is(TokenKind::Dash)
            || word.is(TokenKind::Equals)
            || word.is(TokenKind::Unknown) && word.range.text(self.text) == ">"
    }

    /// `-`, `=>`, `>` where an operator belongs: of how many tokens it is.
    pub(super) fn misspelt_operator(&self) -> Option<usize> {
        let run = (0..3)
            .take_while(|&ahead| self.is_operator_like(ahead))
            .count();
        (run > 0 && self.begins_end(run)).then_some(run)
    }

    pub(super) fn replace_operator(&mut self) -> EdgeOp {
        let run = self.misspelt_operator().unwrap_or_default();
        let last = self.peek(run.saturating_sub(1));
        let range = self.next_range();
        let range = last.map_or(range, |last| range.cover(last.range));
        let directed = self.state().directed;
        self.report(|text| error::misspelt_operator(text, range, directed));
        for _ in 0..run {
            self.advance();
        }
        EdgeOp::new(range, true)
    }

    /// Whether `>` or another operator follows an operator.
    pub(super) fn continues_operator(&self) -> bool {
        match self.kind(1) {
            Some(WordKind::Operator { .. } | WordKind::Token(TokenKind::Unknown)) => {
                self.kind(0).is_some_and(WordKind::is_operator)
            }
            _ => false,
        }
    }

    /// `-->` and `-> ->`
    pub(super) fn longer_operator(&mut self) -> EdgeOp {
        let directed = self.kind(0) == Some(WordKind::Operator { directed: true });
        let range = self.keep();
        self.skip_rest_of_arrow();
        self.skip_doubled_operators(EdgeOp::new(range, directed))
    }

    /// The `>` of `-->`.
    fn skip_rest_of_arrow(&mut self) {
        let next = self.next_range();
        let is_glued = self.sees(0, TokenKind::Unknown) && next.start() == self.here().end();
        if is_glued && next.text(self.text) == ">" {
            let range = TextRange::new(next.start().saturating_sub(2), next.end());
            let directed = self.state().directed;
            self.skip(|text, _| error::misspelt_operator(text, range, directed));
        }
    }

    /// Leaves out one of two operators: the second, unless only the first is the wrong one.
    fn skip_doubled_operators(&mut self, mut first: EdgeOp) -> EdgeOp {
        let expected = self.state().directed;
        while let Some(WordKind::Operator { directed }) = self.kind(0)
            && !self.on_new_line()
        {
            let second = EdgeOp::new(self.next_range(), directed);
            let mut surplus = second;
            if directed == expected && first.directed != expected {
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
            self.advance();
            if self.sees_id(0) {
                self.advance();
            }
        }
    }

    pub(super) fn missing_port(&mut self) {
        let colon = self.next_range();
        self.report(|_| error::missing_port(colon));
        self.keep();
    }

    /// Whether `subgraph x {`, or `digraph x {` where a subgraph belongs, comes next.
    pub(super) fn opens_subgraph(&self) -> bool {
        let is_keyword = matches!(
            self.kind(0),
            Some(WordKind::Token(
                TokenKind::Subgraph | TokenKind::Graph | TokenKind::Digraph | TokenKind::Strict
            ))
        );
        is_keyword && self.opens_block()
    }

    /// Whether names, keywords and then `{` follow the next token.
    fn opens_block(&self) -> bool {
        (1..4)
            .take_while(|&ahead| {
                ahead == 1 || self.sees_id(ahead - 1) || self.sees_keyword(ahead - 1)
            })
            .any(|ahead| self.kind(ahead) == Some(WordKind::OpenBrace))
    }

    /// `digraph` for `subgraph`, or one keyword after the other.
    pub(super) fn other_subgraph_keyword(&mut self) -> TextRange {
        let keyword = self.next_range();
        if !self.sees(0, TokenKind::Subgraph) {
            self.report(|text| error::graph_in_graph(text, keyword));
        }
        while self.sees_keyword(0) && self.sees_keyword(1) {
            self.skip(|text, _| error::keyword_as_id(text, keyword));
        }
        self.keep()
    }

    /// Leaves out what is between the name of a subgraph and its `{`.
    pub(super) fn skip_to_brace(&mut self) {
        while !matches!(self.kind(0), Some(WordKind::OpenBrace) | None) {
            self.skip(|text, range| error::unexpected(text, range, "`{`"));
        }
    }

    pub(super) fn subgraph_without_body(&mut self) -> Subgraph {
        let keyword = self.next_range();
        self.report(|text| error::subgraph_without_body(text, keyword));
        self.keep();
        let is_named = self.sees_id(0) && !self.on_new_line();
        let id = is_named.then(|| match self.kind(0) {
            Some(WordKind::Id(kind)) => self.keep_id(kind),
            _ => self.keep_unquoted(),
        });
        Subgraph {
            range: keyword.cover(self.here()),
            keyword: Some(keyword),
            id,
            body: None,
            attributes: smallvec::SmallVec::new(),
        }
    }
}

/// Attributes.
impl Recovery<'_, '_, '_, '_> {
    /// `=value`
    pub(super) fn skip_value_without_key(&mut self) {
        self.skip(|_, equals| error::missing_key(equals));
        if self.sees_id(0) && !self.sees(1, TokenKind::Equals) {
            self.advance();
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
        self.peek(1).is_some_and(|equals| {
            equals.is(TokenKind::Equals)
                && !lines::ends_between(self.text, name.end(), equals.range.start())
        }) || self.continues_as_node(1) && self.on_new_line()
    }

    pub(super) fn missing_value(&mut self) -> Option<Id> {
        let range = |word: Option<Word>| word.map(|word| word.range).unwrap_or_default();
        let (key, equals) = (range(self.before(2)), range(self.before(1)));
        self.report(|text| error::missing_value(text, key, equals));
        None
    }

    /// The `:` of `key: value`.
    pub(super) fn skip_colon(&mut self) -> TextRange {
        let colon = self.next_range();
        self.skip(|_, colon| error::colon_for_equals(colon));
        colon
    }

    pub(super) fn report_no_value(&mut self) {
        let key = self.next_range();
        self.report(|text| error::no_value(text, key));
    }

    /// `prompt "two words"`: a value follows the key on its line, and nothing else does before the next pair.
    pub(super) fn lacks_equals(&self) -> bool {
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
    pub(super) fn length_of_value(&self, ahead: usize) -> usize {
        let (value, unit) = (ahead, ahead + 1);
        let has_unit = self.sees_id(unit) && !self.is_quoted(value) && !self.is_quoted(unit);
        let is_glued = self
            .peek(value)
            .zip(self.peek(unit))
            .is_some_and(|(value, unit)| value.range.end() == unit.range.start());
        1 + usize::from(has_unit && is_glued)
    }

    pub(super) fn is_quoted(&self, ahead: usize) -> bool {
        let word = self.peek(ahead);
        word.is_some_and(|word| word.range.text(self.text).starts_with('"'))
    }

    /// The `=` that is missing between a key, which was read, and its value.
    pub(super) fn insert_equals(&mut self) -> TextRange {
        let key = self.before(1).map_or(self.here(), |key| key.range);
        let value = self.next_range();
        let last = self.peek(self.length_of_value(0) - 1);
        let value = last.map_or(value, |last| value.cover(last.range));
        self.report(|text| error::missing_equals(text, key, value));
        self.here()
    }

    /// The number and the unit of `5m` as one value.
    pub(super) fn glued_value(&mut self) -> Id {
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
    pub(super) fn value_this_continues(&self) -> Option<TextRange> {
        let (equals, value) = (self.before(2)?, self.before(1)?);
        (equals.is(TokenKind::Equals)
            && matches!(value.kind, WordKind::Id(_))
            && !self.on_new_line())
        .then_some(value.range)
    }

    pub(super) fn skip_rest_of_value(&mut self) {
        let rest = self.next_range();
        if let Some(value) = self.value_this_continues() {
            self.report(|text| error::value_goes_on(text, value, rest));
        }
        self.advance();
    }

    /// The `+` after a value, and what it would join.
    pub(super) fn skip_plus(&mut self) {
        let plus = self.next_range();
        self.report(|_| error::plus_joins_strings(plus));
        self.advance();
        if self.sees_id(0) {
            self.advance();
        }
    }

    /// Leaves out what is no pair in a list.
    pub(super) fn skip_in_list(&mut self) {
        match self.kind(0) {
            Some(WordKind::Token(kind @ (TokenKind::Comma | TokenKind::Semicolon))) => {
                self.skip_separator(kind);
            }
            _ => self.skip_unexpected("`key=value` or `]`"),
        }
    }
}
