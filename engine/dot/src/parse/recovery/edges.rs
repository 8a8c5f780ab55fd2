//! Recovery: Edges and what they connect.

use crate::ast::{EdgeEnd, EdgeOp, Subgraph};
use crate::error;
use crate::parse::statement_tokens::WordKind;
use crate::parse::statements::Recovery;
use crate::{TextRange, TokenKind};

impl Recovery<'_, '_, '_, '_> {
    pub(in crate::parse) fn missing_edge_start(&mut self) -> EdgeEnd {
        let operator = self.next_range();
        self.report(|text| error::missing_edge_start(text, operator));
        EdgeEnd::Missing(TextRange::empty(operator.start()))
    }

    /// A node is missing here.
    pub(in crate::parse) fn missing_end(&mut self) -> EdgeEnd {
        let operator = self.before(1).map_or(self.here(), |word| word.range);
        if self.sees(0, TokenKind::LeftBracket) && !self.on_new_line() {
            self.report(|text| error::edge_to_list(text, operator));
        } else {
            self.report(|text| error::missing_edge_end(text, operator));
        }
        EdgeEnd::Missing(self.keep_missing())
    }

    /// Whether the line and the statement are over after an operator, and the next one begins.
    pub(in crate::parse) fn line_ends_after_operator(&self) -> bool {
        let begins_statement = match self.kind(0) {
            Some(kind) if kind.is_id_like() => self.sees(1, TokenKind::Equals),
            Some(kind) if kind.is_keyword() => !self.opens_block(),
            _ => false,
        };
        begins_statement && self.on_new_line()
    }

    /// Whether a token that fits nowhere is between an operator and the end after it.
    pub(in crate::parse) fn is_surplus_before_end(&self) -> bool {
        self.fits_nowhere() && self.begins_end(1) && !self.on_new_line()
    }

    /// Whether a node or a subgraph begins there.
    pub(super) fn begins_end(&self, ahead: usize) -> bool {
        self.sees_id(ahead)
            || self.kind(ahead) == Some(WordKind::OpenBrace)
            || self.sees(ahead, TokenKind::Subgraph)
    }

    pub(super) fn is_operator_like(&self, ahead: usize) -> bool {
        let Some(word) = self.peek(ahead) else {
            return false;
        };
        word.is(TokenKind::Dash)
            || word.is(TokenKind::Equals)
            || word.is(TokenKind::Unknown) && word.range.text(self.text) == ">"
    }

    /// `-`, `=>`, `>` where an operator belongs: of how many tokens it is.
    pub(in crate::parse) fn misspelt_operator(&self) -> Option<usize> {
        let run = (0..3)
            .take_while(|&ahead| self.is_operator_like(ahead))
            .count();
        (run > 0 && self.begins_end(run)).then_some(run)
    }

    pub(in crate::parse) fn replace_operator(&mut self) -> EdgeOp {
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
    pub(in crate::parse) fn continues_operator(&self) -> bool {
        match self.kind(1) {
            Some(WordKind::Operator { .. } | WordKind::Token(TokenKind::Unknown)) => {
                self.kind(0).is_some_and(WordKind::is_operator)
            }
            _ => false,
        }
    }

    /// `-->` and `-> ->`
    pub(in crate::parse) fn longer_operator(&mut self) -> EdgeOp {
        let directed = self.kind(0) == Some(WordKind::Operator { directed: true });
        let range = self.keep();
        self.skip_rest_of_arrow();
        self.skip_doubled_operators(EdgeOp::new(range, directed))
    }

    /// The `>` of `-->`.
    pub(super) fn skip_rest_of_arrow(&mut self) {
        let next = self.next_range();
        let is_glued = self.sees(0, TokenKind::Unknown) && next.start() == self.here().end();
        if is_glued && next.text(self.text) == ">" {
            let range = TextRange::new(next.start().saturating_sub(2), next.end());
            let directed = self.state().directed;
            self.skip(|text, _| error::misspelt_operator(text, range, directed));
        }
    }

    /// Leaves out one of two operators: the second, unless only the first is the wrong one.
    pub(super) fn skip_doubled_operators(&mut self, mut first: EdgeOp) -> EdgeOp {
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

    pub(in crate::parse) fn skip_third_colon(&mut self) {
        while self.sees(0, TokenKind::Colon) {
            let colon = self.next_range();
            self.report(|_| error::third_colon(colon));
            self.advance();
            if self.sees_id(0) {
                self.advance();
            }
        }
    }

    pub(in crate::parse) fn missing_port(&mut self) {
        let colon = self.next_range();
        self.report(|_| error::missing_port(colon));
        self.keep();
    }

    /// Whether `subgraph x {`, or `digraph x {` where a subgraph belongs, comes next.
    pub(in crate::parse) fn opens_subgraph(&self) -> bool {
        let is_keyword = matches!(
            self.kind(0),
            Some(WordKind::Token(
                TokenKind::Subgraph | TokenKind::Graph | TokenKind::Digraph | TokenKind::Strict
            ))
        );
        is_keyword && self.opens_block()
    }

    /// Whether names, keywords and then `{` follow the next token.
    pub(super) fn opens_block(&self) -> bool {
        (1..4)
            .take_while(|&ahead| {
                ahead == 1 || self.sees_id(ahead - 1) || self.sees_keyword(ahead - 1)
            })
            .any(|ahead| self.kind(ahead) == Some(WordKind::OpenBrace))
    }

    /// `digraph` for `subgraph`, or one keyword after the other.
    pub(in crate::parse) fn other_subgraph_keyword(&mut self) -> TextRange {
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
    pub(in crate::parse) fn skip_to_brace(&mut self) {
        while !matches!(self.kind(0), Some(WordKind::OpenBrace) | None) {
            self.skip(|text, range| error::unexpected(text, range, "`{`"));
        }
    }

    pub(in crate::parse) fn subgraph_without_body(&mut self) -> Subgraph {
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
