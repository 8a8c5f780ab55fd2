//! Whether the edges of a graph are written as its kind requires: `->` in a digraph, `--` in a graph.
//!
//! ```text
//! input:   graph { a -> b  b -> c }
//! output:  one error at `graph`: all its edges are written `->`; did you mean `digraph`?
//! ```

use super::header::Header;
use crate::error::{self, ErrorSink, SyntaxCode, SyntaxError};
use crate::{TextRange, Token, TokenKind, Tokens};

/// What is known of the operators of a text before its graphs are read.
pub(super) struct OperatorSurvey {
    /// Which ones it holds at all; that is known quickly, and where none can be wrong none need be counted.
    arrows: bool,
    lines: bool,
    /// Where a message is already that may report one, in order.
    reported: Vec<usize>,
}

impl OperatorSurvey {
    pub(super) fn new(tokens: &Tokens, errors: &mut ErrorSink<'_>) -> Self {
        Self {
            arrows: tokens.have(TokenKind::Arrow),
            lines: tokens.have(TokenKind::Line),
            reported: reported(errors.listed()),
        }
    }
}

/// The edge operators of one graph.
pub(super) struct EdgeOperators<'w> {
    survey: &'w OperatorSurvey,
    /// How many messages there were before those of this graph.
    messages: usize,
    directed: bool,
    /// Whether some operator of the text is the wrong one here.
    suspect: bool,
    right: usize,
    wrong: Vec<TextRange>,
}

impl<'w> EdgeOperators<'w> {
    pub(super) fn new(
        directed: bool,
        survey: &'w OperatorSurvey,
        errors: &mut ErrorSink<'_>,
    ) -> Self {
        Self {
            survey,
            messages: errors.listed().len(),
            directed,
            suspect: if directed {
                survey.lines
            } else {
                survey.arrows
            },
            right: 0,
            wrong: Vec::new(),
        }
    }

    /// Counts those among the tokens of these indices.
    pub(super) fn count(&mut self, text: &str, tokens: &Tokens, of: std::ops::Range<usize>) {
        if !self.suspect {
            return;
        }
        let mut before = TokenKind::Unknown;
        for index in of {
            let Some(token) = tokens.get(index).filter(|token| token.is_seen()) else {
                continue;
            };
            // After a `=` it takes the place of a value, which recovery reports.
            if token.kind.is_edge_operator()
                && before != TokenKind::Equals
                && !is_misspelt(text, tokens, index, token)
            {
                if (token.kind == TokenKind::Arrow) == self.directed {
                    self.right += 1;
                } else {
                    self.wrong.push(token.range);
                }
            }
            before = token.kind;
        }
    }

    /// Says what is wrong: at the graph's keyword when all its edges contradict it, else at each
    /// edge. Returns whether the graph is directed; where the keyword is missing, its edges decide.
    pub(super) fn finish(mut self, header: &Header, errors: &mut ErrorSink<'_>) -> bool {
        self.spare_reported(errors.listed());
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

    /// Leaves out those a message reports already, at them or next to them. Of the messages only those
    /// are read that are new with this graph, so that many graphs cost no more than one.
    fn spare_reported(&mut self, errors: &[SyntaxError]) {
        if self.wrong.is_empty() {
            return;
        }
        let own = reported(errors.get(self.messages..).unwrap_or_default());
        let before = &self.survey.reported;
        self.wrong.retain(|range| {
            let mut offsets = [range.start(), range.end(), range.end() + 1].into_iter();
            offsets.all(|at| own.binary_search(&at).is_err() && before.binary_search(&at).is_err())
        });
    }
}

/// Where messages begin that may report an operator, in order.
fn reported(errors: &[SyntaxError]) -> Vec<usize> {
    let of_words = errors.iter().filter(|error| {
        matches!(
            error.code,
            SyntaxCode::WrongEdgeOperator | SyntaxCode::MissingEdgeEnd | SyntaxCode::Unexpected
        )
    });
    let mut reported: Vec<usize> = of_words.map(|error| error.range.start()).collect();
    reported.sort_unstable();
    reported
}

/// `-->`, which is misspelt, and not the wrong one.
fn is_misspelt(text: &str, tokens: &Tokens, index: usize, operator: Token) -> bool {
    tokens.get(index + 1).is_some_and(|next| {
        next.range.start() == operator.range.end() && next.range.text(text) == ">"
    })
}
