//! Whether the edges of a graph are written as its kind asks: `->` in a digraph, `--` in a graph.

use super::header::Header;
use super::words::{Word, WordKind};
use crate::error::{self, ErrorSink, SyntaxCode, SyntaxError};
use crate::{TextRange, TokenKind, Tokens};

/// What is known of the operators of a text before its graphs are read.
pub(super) struct Written {
    /// Which ones it holds at all; that is known quickly, and where none can be wrong none need be counted.
    arrows: bool,
    lines: bool,
    /// Where a message stands already that may speak of one, in order.
    told: Vec<usize>,
}

impl Written {
    pub(super) fn of(tokens: &Tokens, errors: &mut ErrorSink<'_>) -> Self {
        Self {
            arrows: tokens.have(TokenKind::Arrow),
            lines: tokens.have(TokenKind::Line),
            told: told(errors.listed()),
        }
    }
}

/// The edge operators of one graph.
pub(super) struct Operators<'w> {
    written: &'w Written,
    /// How many messages there were before those of this graph.
    messages: usize,
    directed: bool,
    /// Whether some operator of the text is the wrong one here.
    suspect: bool,
    right: usize,
    wrong: Vec<TextRange>,
}

impl<'w> Operators<'w> {
    pub(super) fn new(directed: bool, written: &'w Written, errors: &mut ErrorSink<'_>) -> Self {
        Self {
            written,
            messages: errors.listed().len(),
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
    pub(super) fn finish(mut self, header: &Header, errors: &mut ErrorSink<'_>) -> bool {
        self.spare_told(errors.listed());
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

    /// Leaves out those a message speaks of already, at them or beside them. Of the messages only those
    /// are read that are new with this graph, so that many graphs cost no more than one.
    fn spare_told(&mut self, errors: &[SyntaxError]) {
        if self.wrong.is_empty() {
            return;
        }
        let own = told(errors.get(self.messages..).unwrap_or_default());
        let before = &self.written.told;
        self.wrong.retain(|range| {
            let mut beside = [range.start(), range.end(), range.end() + 1].into_iter();
            beside.all(|at| own.binary_search(&at).is_err() && before.binary_search(&at).is_err())
        });
    }
}

/// Where messages begin that may speak of an operator, in order.
fn told(errors: &[SyntaxError]) -> Vec<usize> {
    let of_words = errors.iter().filter(|error| {
        matches!(
            error.code,
            SyntaxCode::WrongEdgeOperator | SyntaxCode::MissingEdgeEnd | SyntaxCode::Unexpected
        )
    });
    let mut told: Vec<usize> = of_words.map(|error| error.range.start()).collect();
    told.sort_unstable();
    told
}

/// `-->`, which is misspelt, not the wrong one.
fn is_arrow_glued(text: &str, operator: Word, next: Option<&Word>) -> bool {
    next.is_some_and(|next| {
        next.is(TokenKind::Unknown)
            && next.range.start() == operator.range.end()
            && next.range.text(text) == ">"
    })
}
