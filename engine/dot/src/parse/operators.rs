//! Whether the edges of a graph are written as its kind asks: `->` in a digraph, `--` in a graph.

use std::collections::HashSet;

use super::header::Header;
use super::words::{Word, WordKind};
use crate::error::{self, Mistakes, SyntaxCode, SyntaxError};
use crate::{TextRange, TokenKind, Tokens};

/// Which operators a text holds at all; that is known quickly, and where none can be wrong none need be counted.
#[derive(Clone, Copy)]
pub(super) struct Written {
    arrows: bool,
    lines: bool,
}

impl Written {
    pub(super) fn of(tokens: &Tokens) -> Self {
        Self {
            arrows: tokens.have(TokenKind::Arrow),
            lines: tokens.have(TokenKind::Line),
        }
    }
}

/// The edge operators of one graph.
pub(super) struct Operators {
    directed: bool,
    /// Whether some operator of the text is the wrong one here.
    suspect: bool,
    right: usize,
    wrong: Vec<TextRange>,
}

impl Operators {
    pub(super) fn new(directed: bool, written: Written) -> Self {
        Self {
            directed,
            suspect: if directed {
                written.lines
            } else {
                written.arrows
            },
            right: 0,
            wrong: Vec::new(),
        }
    }

    /// Counts those among `words`.
    pub(super) fn count(&mut self, text: &str, words: &[Word]) {
        if !self.suspect {
            return;
        }
        for (at, word) in words.iter().enumerate() {
            let WordKind::Operator { directed } = word.kind else {
                continue;
            };
            // Misspelt, or in the place of a value: told where that is mended.
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let is_value = before.is_some_and(|before| before.is(TokenKind::Equals));
            if is_value || is_arrow_glued(text, *word, words.get(at + 1)) {
                continue;
            }
            if directed == self.directed {
                self.right += 1;
            } else {
                self.wrong.push(word.range);
            }
        }
    }

    /// Says what is wrong: at the graph's keyword when all its edges contradict it, else at each
    /// edge. Returns whether the graph is directed; where the keyword is missing, its edges decide.
    pub(super) fn finish(mut self, header: &Header, errors: &mut Mistakes<'_>) -> bool {
        spare_told(&mut self.wrong, errors.listed());
        // Inner blocks are counted before what stands around them.
        self.wrong.sort_unstable();
        let contradicted = self.right == 0 && !self.wrong.is_empty();
        if header.keyword.is_empty() && contradicted {
            return !self.directed;
        }
        match self.wrong.as_slice() {
            [first, _, ..] if contradicted => {
                errors.push(|_| error::wrong_graph_kind(header.keyword, self.directed, *first));
            }
            wrong => {
                for &range in wrong {
                    errors.push(|_| error::wrong_operator(range, self.directed, header.keyword));
                }
            }
        }
        self.directed
    }
}

/// Leaves out those a message speaks of already, at them or beside them.
fn spare_told(wrong: &mut Vec<TextRange>, errors: &[SyntaxError]) {
    let of_words = errors.iter().filter(|error| {
        matches!(
            error.code,
            SyntaxCode::WrongEdgeOperator | SyntaxCode::MissingEdgeEnd | SyntaxCode::Unexpected
        )
    });
    let told: HashSet<usize> = of_words.map(|error| error.range.start()).collect();
    wrong.retain(|range| {
        let beside = [range.start(), range.end(), range.end() + 1];
        beside.iter().all(|start| !told.contains(start))
    });
}

/// `-->`, which is misspelt, not the wrong one.
fn is_arrow_glued(text: &str, operator: Word, next: Option<&Word>) -> bool {
    next.is_some_and(|next| {
        next.is(TokenKind::Unknown)
            && next.range.start() == operator.range.end()
            && next.range.text(text) == ">"
    })
}
