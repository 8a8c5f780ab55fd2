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

mod attributes;
mod defaults;
mod edges;
mod statements;

use super::statements::Recovery;
use crate::ast::{Id, IdKind};
use crate::error::{self, SyntaxError};
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
