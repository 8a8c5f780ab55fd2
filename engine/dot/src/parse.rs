//! From a text to its tree.
//!
//! ```text
//! text --lex--> tokens --balance--> tokens whose brackets match --build--> statements --grammar--> tree
//! ```
//!
//! A sound text costs one pass each. What is broken is decided on the tokens, before the grammar
//! sees them; then statements are parsed one by one, each failing alone.

mod balance;
mod braces;
mod build;
mod echoes;
mod gather;
mod grammar;
#[cfg(test)]
mod growth;
mod header;
mod lex;
mod lines;
mod lists;
mod mend;
mod operators;
mod quotes;
mod unclosed;
mod words;

use quotes::Forced;

use crate::error::{self, BrokenRange, ErrorSink};
use crate::{SyntaxError, Tokens, ast};

/// Braces nested deeper than this are refused.
pub const MAX_DEPTH: usize = 256;

/// The tokens, the tree and the mistakes of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse {
    /// The tree.
    pub file: ast::File,
    /// Every token; their texts concatenated are the text.
    pub tokens: Tokens,
    /// What is wrong, in order of place. Empty exactly when Graphviz accepts the text too, but for
    /// [`ast::IdKind::Extended`] identifiers.
    pub errors: Vec<SyntaxError>,
    /// What is broken, in order of place: also where no message is needed, because one beside it is enough.
    pub(crate) damage: Vec<BrokenRange>,
}

/// Parses `text`. Always gives a tree, in time and memory linear in the length of the text.
pub fn parse(text: &str) -> Parse {
    if u32::try_from(text.len()).is_err() {
        return Parse {
            errors: vec![error::too_long()],
            ..Parse::default()
        };
    }
    let read = |forced: &[Forced]| Attempt::new(text, forced);
    let plain = read(&[]);
    let Attempt {
        file,
        tokens,
        errors,
    } = if plain.errors.is_empty() {
        plain
    } else {
        quotes::undo(text, plain, read)
    };
    let (errors, damage) = errors.into_sorted();
    Parse {
        file,
        tokens,
        errors,
        damage,
    }
}

/// One reading of a text.
struct Attempt<'t> {
    file: ast::File,
    tokens: Tokens,
    errors: ErrorSink<'t>,
}

impl<'t> Attempt<'t> {
    fn new(text: &'t str, forced: &[Forced]) -> Self {
        let tokens = lex::lex(text, forced);
        let mut errors = ErrorSink::of(text);
        unclosed::check(&tokens, &mut errors);
        let balanced = balance::balance(text, &tokens, &mut errors);
        let brackets = errors.listed().len();
        let file = balanced.map_or_else(ast::File::default, |balanced| {
            build::build(text, &balanced, &mut errors)
        });
        if !errors.is_empty() {
            errors.note_damage();
            echoes::fold(&tokens, brackets, &mut errors);
            unclosed::silence_echoes(text, &tokens, &mut errors);
            unclosed::join_at_end(text, &mut errors);
        }
        Self {
            file,
            tokens,
            errors,
        }
    }

    /// The more mistakes the worse; among equals the fewer statements the worse.
    fn badness(&self) -> (usize, std::cmp::Reverse<usize>) {
        (
            self.errors.count(),
            std::cmp::Reverse(
                self.file
                    .graphs
                    .iter()
                    .map(|graph| count(&graph.body))
                    .sum(),
            ),
        )
    }
}

/// How many statements a block holds, those of subgraphs too.
fn count(block: &ast::Block) -> usize {
    let inner = block.statements.iter().map(|statement| match statement {
        ast::Stmt::Subgraph(subgraph) => subgraph.body.as_ref().map_or(0, count),
        ast::Stmt::Error(_) => 0,
        _ => 1,
    });
    inner.sum()
}

/// The tokens of `text` alone, as they stand: what is never closed runs to the end.
pub fn lex(text: &str) -> Tokens {
    lex::lex(text, &[])
}
