//! A plan for each stored token, while it is made.

use super::Options;
use super::gaps::{Gap, Plan};
use super::verbatim::VerbatimRanges;
use crate::{Parse, TextRange, Token, TokenKind, Tokens};

/// What is decided so far.
pub(super) struct Layout<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a Tokens,
    pub(super) options: &'a Options,
    pub(super) plans: Vec<Plan>,
    verbatim: VerbatimRanges,
}

impl<'a> Layout<'a> {
    /// Nothing decided yet.
    pub(super) fn new(text: &'a str, parse: &'a Parse, options: &'a Options) -> Self {
        Self {
            text,
            tokens: &parse.tokens,
            options,
            plans: vec![Plan::default(); parse.tokens.len()],
            verbatim: VerbatimRanges::of(text, parse),
        }
    }

    /// The stored tokens of `range`, by index.
    pub(super) fn within(&self, range: TextRange) -> std::ops::Range<usize> {
        self.tokens.index_after(range.start())
            ..self
                .tokens
                .index_after(range.end().saturating_sub(1))
                .saturating_add(1)
    }

    pub(super) fn first(&self, range: TextRange) -> usize {
        self.tokens.index_after(range.start())
    }

    pub(super) fn set(&mut self, index: usize, before: Gap) {
        if let Some(plan) = self.plans.get_mut(index) {
            plan.before = before;
        }
    }

    pub(super) fn gap(&self, index: usize) -> Gap {
        self.plans.get(index).map_or(Gap::Keep, |plan| plan.before)
    }

    pub(super) fn is_comment(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| token.kind.is_comment())
    }

    /// Whether nothing can be after the token on its line.
    pub(super) fn ends_line(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| matches!(token.kind, TokenKind::LineComment | TokenKind::HashLine))
    }

    pub(super) fn is_verbatim(&self, range: TextRange) -> bool {
        self.verbatim.touches(range)
    }

    /// The next token that is not a comment, from `index` on.
    pub(super) fn solid_from(&self, mut index: usize) -> Option<(usize, Token)> {
        while self.is_comment(index) {
            index += 1;
        }
        Some((index, self.tokens.get(index)?))
    }

    /// What is broken keeps its gaps and separators.
    pub(super) fn keep_verbatim(&mut self) {
        if self.verbatim.is_empty() {
            return;
        }
        let mut end = 0;
        for index in 0..self.plans.len() {
            let Some(token) = self.tokens.get(index) else {
                continue;
            };
            let gap = TextRange::new(end, token.range.start());
            let verbatim = self.is_verbatim(gap) || self.is_verbatim(token.range);
            end = token.range.end();
            if verbatim && let Some(plan) = self.plans.get_mut(index) {
                *plan = Plan::default();
            }
        }
    }
}
