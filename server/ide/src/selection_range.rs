//! Growing the selection: from the word under the cursor outwards to the whole file.
//!
//! The steps are what a user means by "a bit more": word, text in the quotes, whole value, attribute,
//! what the brackets hold, list, statement, what the braces hold, block, graph, file.

use attractor_dot::TextRange;
use attractor_dot::ast::{Attr, Block, Stmt};

use crate::document::Document;
use crate::walk;

/// The ranges around an offset, from the innermost to the outermost, each larger than the one before.
pub fn ranges(doc: &Document, offset: usize) -> Vec<TextRange> {
    let mut outer = vec![TextRange::new(0, doc.text.len())];
    if let Some((number, path)) = walk::around(&doc.parse.file, offset) {
        if let Some(graph) = doc.parse.file.graphs.get(number) {
            outer.push(graph.range);
            block(&graph.body, &mut outer);
        }
        for statement in path {
            in_statement(statement, offset, &mut outer);
        }
    }
    if let Some(token) = doc
        .parse
        .tokens
        .at_offset(offset)
        .filter(|token| !token.kind.is_trivia())
    {
        outer.push(token.range);
    }
    outer.push(word(&doc.text, offset));
    nested(outer, offset)
}

fn in_statement(statement: &Stmt, offset: usize, outer: &mut Vec<TextRange>) {
    outer.push(statement.range());
    if let Stmt::Assign(attr) = statement {
        attribute(attr, offset, outer);
    }
    for list in statement.attributes() {
        outer.push(list.range);
        outer.push(between_brackets(list.range));
        for item in &list.items {
            attribute(item, offset, outer);
        }
    }
    for node in walk::nodes(statement) {
        outer.extend([node.range(), node.id.range]);
    }
    for subgraph in walk::subgraphs(statement) {
        outer.push(subgraph.range);
        if let Some(body) = &subgraph.body {
            block(body, outer);
        }
    }
}

fn attribute(attr: &Attr, offset: usize, outer: &mut Vec<TextRange>) {
    if !attr.range().contains_inclusive(offset) {
        return;
    }
    outer.extend([attr.range(), attr.key.range]);
    if let Some(value) = attr.value {
        outer.extend([value.range, between_brackets(value.range)]);
    }
}

fn block(body: &Block, outer: &mut Vec<TextRange>) {
    outer.push(body.range);
    if body.closed {
        outer.push(between_brackets(body.range));
    }
}

fn between_brackets(range: TextRange) -> TextRange {
    TextRange::new(range.start() + 1, range.end().saturating_sub(1))
}

/// The letters, digits and underscores around an offset.
fn word(text: &str, offset: usize) -> TextRange {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, after) = text.split_at_checked(offset).unwrap_or((text, ""));
    let start = before.trim_end_matches(is_word).len();
    let end = offset + (after.len() - after.trim_start_matches(is_word).len());
    TextRange::new(start, end)
}

/// Keeps what surrounds the offset, innermost first, each inside the next.
fn nested(mut ranges: Vec<TextRange>, offset: usize) -> Vec<TextRange> {
    ranges.retain(|range| range.contains_inclusive(offset) && !range.is_empty());
    ranges.sort_by_key(|range| (range.len(), *range));
    ranges.dedup();
    let mut kept: Vec<TextRange> = Vec::new();
    for range in ranges {
        if kept.last().is_none_or(|last| range.contains_range(*last)) {
            kept.push(range);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::cursor;

    #[track_caller]
    fn check(fixture: &str, expect: Expect) {
        let (doc, offset) = cursor(fixture);
        let steps: Vec<String> = ranges(&doc, offset)
            .iter()
            .map(|range| range.text(&doc.text).replace('\n', "⏎"))
            .collect();
        expect.assert_eq(&steps.join("\n"));
    }

    #[test]
    fn from_the_word_to_the_file() {
        check(
            "digraph { subgraph s { a [label=\"two wo$0rds\", x=y] } }",
            expect![[r#"
                words
                two words
                "two words"
                label="two words"
                label="two words", x=y
                [label="two words", x=y]
                a [label="two words", x=y]
                 a [label="two words", x=y] 
                { a [label="two words", x=y] }
                subgraph s { a [label="two words", x=y] }
                 subgraph s { a [label="two words", x=y] } 
                { subgraph s { a [label="two words", x=y] } }
                digraph { subgraph s { a [label="two words", x=y] } }"#]],
        );
        check(
            "digraph { a -> $0b:n [w=1] }\n",
            expect![[r#"
                b
                b:n
                a -> b:n [w=1]
                 a -> b:n [w=1] 
                { a -> b:n [w=1] }
                digraph { a -> b:n [w=1] }
                digraph { a -> b:n [w=1] }⏎"#]],
        );
        check("$0", expect![""]);
    }
}
