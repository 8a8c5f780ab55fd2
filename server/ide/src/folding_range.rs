//! Folding ranges: blocks in braces, attribute lists, long strings and comments.
//!
//! Computed from the tree where there is one and from the tokens for the rest, so a block that is still
//! open folds too. Only what spans lines is given.

use attractor_dot::{TextRange, TokenKind};

use crate::document::Document;
use crate::walk;

/// A part of the text that can be folded away; its first line stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From the opening to the closing character.
    pub range: TextRange,
    /// What it is.
    pub kind: FoldKind,
}

/// What is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// Braces or brackets.
    Block,
    /// A comment, or line comments on lines that follow each other.
    Comment,
    /// A string over several lines: a prompt, a script.
    Text,
}

/// Everything that can be folded, ordered by where it begins.
pub fn folds(doc: &Document) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut add = |range: TextRange, kind| {
        if range.text(&doc.text).contains(['\n', '\r']) {
            folds.push(Fold { range, kind });
        }
    };
    for graph in &doc.parse.file.graphs {
        add(graph.body.range, FoldKind::Block);
    }
    walk::statements(&doc.parse.file, |_, _, statement| {
        for body in walk::subgraphs(statement).filter_map(|subgraph| subgraph.body.as_ref()) {
            add(body.range, FoldKind::Block);
        }
        for list in statement.attributes() {
            add(list.range, FoldKind::Block);
        }
    });
    for token in doc.parse.tokens.solid() {
        match token.kind {
            TokenKind::String | TokenKind::Html => add(token.range, FoldKind::Text),
            TokenKind::BlockComment => add(token.range, FoldKind::Comment),
            _ => {}
        }
    }
    for range in comment_runs(doc) {
        add(range, FoldKind::Comment);
    }
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}

/// Line comments with nothing but one line end and spaces between them.
fn comment_runs(doc: &Document) -> Vec<TextRange> {
    let mut runs: Vec<TextRange> = Vec::new();
    for token in doc
        .parse
        .tokens
        .solid()
        .filter(|token| token.kind == TokenKind::LineComment)
    {
        let joined = runs.last_mut().filter(|run| {
            let between = TextRange::new(run.end(), token.range.start()).text(&doc.text);
            between.trim().is_empty() && between.matches('\n').count() <= 1
        });
        match joined {
            Some(run) => *run = run.cover(token.range),
            None => runs.push(token.range),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{doc, draw};

    #[track_caller]
    fn check(text: &str, expect: Expect) {
        let doc = doc(text);
        expect.assert_eq(&draw(
            &doc,
            folds(&doc)
                .into_iter()
                .map(|fold| (fold.range, format!("{:?}", fold.kind))),
        ));
    }

    #[test]
    fn what_spans_lines_folds() {
        check(
            "// one\n// two\n\n// three\ndigraph {\n  a [\n    prompt=\"first\nsecond\"\n  ]\n  /* long\n     story */\n  b -> {\n    c\n  } [label=x]\n  subgraph s {\n    d\n  }\n}",
            expect![[r#"
                1 | // one
                  | ^^^^^^… Comment
                5 | digraph {
                  |         ^… Block
                6 |   a [
                  |     ^… Block
                7 |     prompt="first
                  |            ^^^^^^… Text
                10 |   /* long
                   |   ^^^^^^^… Comment
                12 |   b -> {
                   |        ^… Block
                15 |   subgraph s {
                   |              ^… Block
            "#]],
        );
    }

    #[test]
    fn an_open_block_folds_too() {
        check(
            "digraph {\n  a\n  b",
            expect![[r#"
                1 | digraph {
                  |         ^… Block
            "#]],
        );
    }
}
