//! One reading of a text: stages 1 to 6 in order.

use super::lexer::{self, ForcedToken};
use super::{cascade, delimiters, statements, unclosed};
use crate::error::ErrorSink;
use crate::{Tokens, ast};

/// One reading of a text.
pub(super) struct Attempt<'t> {
    pub(super) file: ast::File,
    pub(super) tokens: Tokens,
    pub(super) errors: ErrorSink<'t>,
}

impl<'t> Attempt<'t> {
    pub(super) fn new(text: &'t str, forced: &[ForcedToken]) -> Self {
        let tokens = lexer::lex(text, forced);
        let mut errors = ErrorSink::new(text);
        unclosed::check(&tokens, &mut errors);
        let balanced = delimiters::balance(text, &tokens, &mut errors);
        let delimiter_errors = errors.listed().len();
        let file = balanced.map_or_else(ast::File::default, |balanced| {
            statements::build_tree(text, &balanced, &mut errors)
        });
        if !errors.is_empty() {
            errors.mark_reported();
            cascade::suppress_cascading(text, &tokens, delimiter_errors, &mut errors);
        }
        Self {
            file,
            tokens,
            errors,
        }
    }

    /// The more errors the worse; among equals the fewer statements the worse.
    pub(super) fn badness(&self) -> (usize, std::cmp::Reverse<usize>) {
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
