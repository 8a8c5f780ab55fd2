//! From a text to its tree, in stages. Each is a module; its doc shows an input and an output.
//!
//! ```text
//!  text
//!   │  1 lexer             text → tokens
//!   │  2 delimiters        tokens → tokens whose `[ ]` and `{ }` match
//!   │  3 statement_tokens  tokens → identifiers, operators and punctuation
//!   │  4 statements        statement tokens → tree, by a chumsky grammar, graph by graph (header, edge_operators)
//!   │  5 recovery            … and what 4 does where a token does not fit
//!   │  6 cascade           errors → errors without those that only follow from others
//!   ▼
//!  tree and errors ──7 quotes: if there are errors, would the text read better with another end of a string?
//! ```
//!
//! A text without errors passes 1 to 4 once; 2, 5 and 6 change nothing, and 7 is not asked. What
//! happens to a broken one, where a `]` is lost and an operator is doubled:
//!
//! ```text
//! digraph { a [x=1; b -> -> c }
//! ```
//!
//! 1. The lexer cuts it into 13 tokens.
//! 2. An operator cannot be in a list, so the list ends before the statement that it belongs to: a `]`
//!    of no width is put in before `b`. *This `[` is never closed.*
//! 3. Every token is a statement token by itself.
//! 4. `a [x=1;]` is a node. `b ->` begins an edge, and then the next token is not a node.
//! 5. Recovery leaves the second `->` out and reports it. The edge is `b -> c`.
//! 6. The second error is within three tokens of the `]` that was put in, so it may only follow from that
//!    guess, and is left out. In `b -> c -> -> d` it would stay.
//! 7. No string is suspect; this is the result: a node, an edge, and one error.

mod attempt;
mod cascade;
mod delimiters;
mod edge_operators;
mod header;
pub(crate) mod lexer;
mod lines;
mod quotes;
mod recovery;
mod statement_tokens;
mod statements;
mod unclosed;

pub use delimiters::MAX_DEPTH;

use attempt::Attempt;
use lexer::ForcedToken;

use crate::error::{self, BrokenRange};
use crate::{SyntaxError, Tokens, ast};

/// The tokens, the tree and the errors of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse {
    /// The tree.
    pub file: ast::File,
    /// Every token; their texts concatenated are the text.
    pub tokens: Tokens,
    /// What is wrong, in order of position. Empty exactly when Graphviz accepts the text too, but for
    /// [`ast::IdKind::Extended`] identifiers.
    pub errors: Vec<SyntaxError>,
    /// What is broken, in order of position: also where no message is needed, because one next to it is enough.
    pub(crate) broken: Vec<BrokenRange>,
}

/// Parses `text`. Always gives a tree, in time and memory linear in the length of the text.
pub fn parse(text: &str) -> Parse {
    if u32::try_from(text.len()).is_err() {
        return Parse {
            errors: vec![error::too_long()],
            ..Parse::default()
        };
    }
    let read = |forced: &[ForcedToken]| Attempt::new(text, forced);
    let plain = read(&[]);
    let Attempt {
        file,
        tokens,
        errors,
    } = if plain.errors.is_empty() {
        plain
    } else {
        quotes::repair(text, plain, read)
    };
    let (errors, broken) = errors.into_sorted();
    Parse {
        file,
        tokens,
        errors,
        broken,
    }
}

/// The tokens of `text` alone, as they are: what is never closed runs to the end.
pub fn lex(text: &str) -> Tokens {
    lexer::lex(text, &[])
}
