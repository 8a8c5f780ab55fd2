//! Nodes, ports, subgraphs and the edges between them, made acceptable.

use super::{GraphKind, Mender};
use crate::error;
use crate::parse::words::{Word, WordKind};
use crate::{TextRange, TokenKind};

impl Mender<'_, '_> {
    /// A node, a list of nodes, or a subgraph.
    pub(super) fn end(&mut self) {
        let Some(word) = self.peek(0) else {
            return self.missing_end();
        };
        match word.kind {
            WordKind::Body => self.keep(),
            WordKind::Token(
                TokenKind::Subgraph | TokenKind::Graph | TokenKind::Digraph | TokenKind::Strict,
            ) if self.opens_subgraph() => {
                self.subgraph(word);
            }
            WordKind::Token(TokenKind::Subgraph) => {
                self.say(|text| error::subgraph_without_body(text, word.range));
                self.keep();
                if self.sees_id(0) && !self.on_new_line() {
                    self.name();
                }
                self.make_up(WordKind::NoBody);
            }
            _ => self.nodes(),
        }
    }

    /// Whether `subgraph x {`, or `digraph x {` where that is no statement, comes next.
    fn opens_subgraph(&self) -> bool {
        (1..4)
            .take_while(|&ahead| {
                ahead == 1 || self.sees_id(ahead - 1) || self.sees_keyword(ahead - 1)
            })
            .any(|ahead| matches!(self.kind(ahead), Some(WordKind::Body)))
    }

    fn subgraph(&mut self, keyword: Word) {
        if !keyword.is(TokenKind::Subgraph) {
            self.say(|text| error::graph_in_graph(text, keyword.range));
        }
        while self.sees_keyword(0) && self.sees_keyword(1) {
            self.say(|text| error::keyword_as_id(text, keyword.range));
            self.drop_word();
        }
        if let Some(word) = self.peek(0) {
            self.out
                .push(Word::new(WordKind::Token(TokenKind::Subgraph), word.range));
            self.at += 1;
        }
        if self.sees_id(0) {
            self.name();
        }
        while !matches!(self.kind(0), Some(WordKind::Body) | None) {
            let range = self.found().unwrap_or_default();
            self.say(|text| error::unexpected(text, range, "`{`"));
            self.drop_word();
        }
        self.keep();
    }

    fn nodes(&mut self) {
        self.node();
        while self.sees(0, TokenKind::Comma) {
            let comma = self.found().unwrap_or_default();
            if matches!(
                self.kind(1),
                Some(WordKind::Id(_) | WordKind::Odd | WordKind::Key)
            ) {
                self.keep();
                self.node();
            } else {
                self.say_of(comma, |_, word| {
                    error::stray_separator(word, TokenKind::Comma)
                });
                self.drop_word();
            }
        }
    }

    fn node(&mut self) {
        self.name();
        self.port();
    }

    /// A name that is no key: neither dotted nor dashed, nor a word of the language.
    fn name(&mut self) {
        match self.kind(0) {
            Some(WordKind::Id(_)) => self.keep(),
            Some(WordKind::Odd | WordKind::Key) => self.keep_unquoted(),
            Some(WordKind::Token(kind)) if kind.is_keyword() => self.keep_unquoted(),
            _ => self.missing_end(),
        }
    }

    fn missing_end(&mut self) {
        let operator = self
            .at
            .checked_sub(1)
            .and_then(|before| self.words.get(before));
        let range = operator.map_or(TextRange::empty(self.here()), |word| word.range);
        if self.sees(0, TokenKind::LeftBracket) && operator.is_some() && !self.on_new_line() {
            self.say(|text| error::edge_to_list(text, range));
        } else {
            self.say(|text| error::missing_edge_end(text, range));
        }
        self.make_up(WordKind::Missing);
    }

    pub(super) fn port(&mut self) {
        for _ in 0..2 {
            if !self.sees(0, TokenKind::Colon) {
                return;
            }
            if matches!(self.kind(1), Some(WordKind::Id(_))) {
                self.keep();
                self.keep();
            } else {
                let word = self.found().unwrap_or_default();
                self.say(|_| error::missing_port(word));
                self.keep();
                self.make_up(WordKind::Missing);
            }
        }
        while self.sees(0, TokenKind::Colon) {
            let word = self.found().unwrap_or_default();
            self.say(|_| error::third_colon(word));
            self.drop_word();
            if self.sees_id(0) {
                self.drop_word();
            }
        }
    }

    pub(super) fn edge_tail(&mut self) {
        loop {
            match self.kind(0) {
                Some(WordKind::Operator { .. }) => {}
                Some(WordKind::Token(
                    TokenKind::Dash
                    | TokenKind::Equals
                    | TokenKind::Unknown
                    | TokenKind::UnclosedHtml,
                )) if self.wrong_operator() => {}
                _ => return,
            }
            self.keep_operator();
            while matches!(self.kind(0), Some(WordKind::Operator { .. })) && !self.on_new_line() {
                self.drop_operator();
            }
            self.end_or_missing();
        }
    }

    /// Leaves out one of two operators: the second, unless only the first is the wrong one.
    fn drop_operator(&mut self) {
        let directed = self.kind == GraphKind::Directed;
        let is_right = |word: &Word| word.kind == WordKind::Operator { directed };
        let (Some(second), Some(first)) = (self.peek(0), self.out.last_mut()) else {
            return;
        };
        let surplus = if is_right(&second) && !is_right(first) {
            std::mem::replace(first, second)
        } else {
            second
        };
        self.say(|text| error::doubled_operator(text, surplus.range));
        self.drop_word();
    }

    fn keep_operator(&mut self) {
        if matches!(self.kind(0), Some(WordKind::Operator { .. })) {
            self.keep();
            // `-->`
            let glued = self
                .found()
                .is_some_and(|next| next.start() == self.here() && next.text(self.text) == ">");
            if glued {
                let range = TextRange::new(self.here().saturating_sub(2), self.here() + 1);
                let directed = self.kind == GraphKind::Directed;
                self.say(|text| error::misspelt_operator(text, range, directed));
                self.drop_word();
            }
        }
    }

    /// Whether `-`, `=>`, `>` stands where an operator should; if so it is replaced by one.
    fn wrong_operator(&mut self) -> bool {
        let run = (0..3)
            .take_while(|&ahead| self.is_operator_like(ahead))
            .count();
        let (Some(first), Some(last)) = (self.peek(0), self.peek(run.saturating_sub(1))) else {
            return false;
        };
        if run == 0 || !self.begins_end(run) {
            return false;
        }
        let range = first.range.cover(last.range);
        let directed = self.kind == GraphKind::Directed;
        self.say(|text| error::misspelt_operator(text, range, directed));
        self.at += run;
        self.out
            .push(Word::new(WordKind::Operator { directed: true }, range));
        true
    }

    /// Whether a node or a subgraph begins there.
    fn begins_end(&self, ahead: usize) -> bool {
        matches!(
            self.kind(ahead),
            Some(
                WordKind::Id(_)
                    | WordKind::Odd
                    | WordKind::Key
                    | WordKind::Body
                    | WordKind::Token(TokenKind::Subgraph)
            )
        )
    }

    pub(super) fn is_operator_like(&self, ahead: usize) -> bool {
        self.peek(ahead)
            .is_some_and(|word| matches!(word.range.text(self.text), "-" | "=" | ">"))
    }

    /// What follows an operator: the end of the edge, unless the line and the statement are over.
    fn end_or_missing(&mut self) {
        match self.kind(0) {
            Some(WordKind::Id(_) | WordKind::Odd | WordKind::Key)
                if self.sees(1, TokenKind::Equals) && self.on_new_line() =>
            {
                self.missing_end();
            }
            Some(WordKind::Token(kind))
                if kind.is_keyword() && self.on_new_line() && !self.opens_subgraph() =>
            {
                self.missing_end();
            }
            Some(_) if self.fits_nowhere() && self.begins_end(1) && !self.on_new_line() => {
                let range = self.found().unwrap_or_default();
                self.say(|text| error::surplus(text, range));
                self.drop_word();
                self.end();
            }
            _ => self.end(),
        }
    }
}
