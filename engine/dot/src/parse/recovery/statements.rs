//! Recovery: Statements and blocks.

use crate::TokenKind;
use crate::error;
use crate::parse::statement_tokens::WordKind;
use crate::parse::statements::{Preceding, Recovery, StatementState};

impl Recovery<'_, '_, '_, '_> {
    /// Whether a statement follows; notes where.
    pub(in crate::parse) fn enter_statement(&mut self) -> bool {
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
    pub(in crate::parse) fn enter_block(&mut self) -> bool {
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
    pub(in crate::parse) fn leave_block(&mut self) {
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
    pub(super) fn header_is_broken(&self) -> Preceding {
        let is_id =
            |back| matches!(self.before(back), Some(word) if matches!(word.kind, WordKind::Id(_)));
        let keyword = self.before(3).filter(|word| word.is(TokenKind::Subgraph));
        if keyword.is_some() && is_id(2) && is_id(1) {
            Preceding::Broken
        } else {
            Preceding::Sound
        }
    }

    pub(in crate::parse) fn begins_assignment(&mut self) -> bool {
        self.sees(1, TokenKind::Equals)
            && self.sees_id(0)
            && !self.is_operator_like(2)
            && !self.has_surplus_equals()
    }

    pub(in crate::parse) fn begins_defaults(&self) -> bool {
        [TokenKind::Graph, TokenKind::Node, TokenKind::Edge]
            .into_iter()
            .any(|keyword| self.sees(0, keyword))
    }

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
    pub(super) fn has_surplus_equals(&mut self) -> bool {
        let directed = self.state().directed;
        self.continues_as_node(2)
            && (self.continues_as_node(4)
                || self.sees(2, TokenKind::LeftBracket)
                || self.kind(2) == Some(WordKind::Operator { directed }))
    }

    /// Whether the next token is neither a name nor anything else a statement is made of.
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

    /// Whether the next token fits nowhere, and the statement continues after it: `a & -> b`.
    pub(in crate::parse) fn is_surplus(&self) -> bool {
        self.fits_nowhere() && self.continues_as_node(1) && !self.on_new_line()
    }

    pub(in crate::parse) fn skip_surplus(&mut self) {
        self.skip(error::surplus);
    }

    /// Whether no statement begins with the next token, nor can it be in one.
    pub(in crate::parse) fn is_stray(&self) -> bool {
        matches!(self.kind(0), Some(WordKind::Token(kind)) if !kind.is_keyword())
    }

    pub(in crate::parse) fn report_list_of_nothing(&mut self) {
        let list = self.next_range();
        self.report(|_| error::list_of_nothing(list));
    }

    /// Leaves out a token no statement begins with, and what belongs to it.
    pub(in crate::parse) fn skip_stray(&mut self) {
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
