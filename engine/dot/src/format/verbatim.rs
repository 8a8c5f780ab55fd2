//! What is left as it is, because it is broken.

use super::tree::bodies;
use crate::ast::{Block, Graph};
use crate::error::BrokenRange;
use crate::{Parse, SyntaxCode, TextRange};

/// A text broken in more places than this is left alone.
const MAX_BROKEN_RANGES: usize = 128;

/// The ranges of a text in which nothing may change, in order and apart from each other.
pub(super) struct VerbatimRanges(Vec<TextRange>);

impl VerbatimRanges {
    /// Those of `text`.
    pub(super) fn of(text: &str, parse: &Parse) -> Self {
        if parse.broken.len() > MAX_BROKEN_RANGES {
            return Self(vec![TextRange::new(0, text.len())]);
        }
        let mut ranges: Vec<TextRange> = parse
            .broken
            .iter()
            .map(|damage| around(text, parse, *damage))
            .collect();
        ranges.sort_unstable();
        ranges.dedup_by(|next, last| {
            let touches = next.start() <= last.end();
            if touches {
                *last = last.cover(*next);
            }
            touches
        });
        Self(ranges)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `range` overlaps one of them or ends where one begins.
    pub(super) fn touches(&self, range: TextRange) -> bool {
        let after = self
            .0
            .partition_point(|verbatim| verbatim.start() <= range.end());
        let last = after.checked_sub(1).and_then(|last| self.0.get(last));
        last.is_some_and(|verbatim| verbatim.end() >= range.start())
    }
}

fn around(text: &str, parse: &Parse, BrokenRange { range, code }: BrokenRange) -> TextRange {
    let graph = parse
        .file
        .graphs
        .iter()
        .find(|graph| graph.range.contains_range(range));
    let all = TextRange::new(0, text.len());
    match (code, graph) {
        // Where a block ends is a guess then.
        (
            SyntaxCode::UnclosedBrace
            | SyntaxCode::TooLarge
            | SyntaxCode::UnclosedComment
            | SyntaxCode::OutsideGraph,
            _,
        )
        | (_, None) => all,
        (SyntaxCode::StrayCloser, Some(_)) if range.text(text) == "}" => all,
        (_, Some(graph)) if range.start() <= graph.body.range.start() => {
            lines(text, header(graph).cover(range))
        }
        (_, Some(graph)) => {
            let statement = statement_of(graph, range).unwrap_or(range).cover(range);
            lines(text, statement)
        }
    }
}

/// From what is before the name of a graph to its `{`.
fn header(graph: &Graph) -> TextRange {
    let brace = graph.body.range.start();
    TextRange::new(graph.range.start(), brace + 1)
}

/// The range grown to whole lines.
fn lines(text: &str, range: TextRange) -> TextRange {
    let start = TextRange::new(0, range.start())
        .text(text)
        .rfind('\n')
        .map_or(0, |end| end + 1);
    let end = TextRange::new(range.end(), text.len())
        .text(text)
        .find('\n')
        .map_or(text.len(), |end| range.end() + end);
    TextRange::new(start, end)
}

/// The innermost statement that touches `range`.
fn statement_of(graph: &Graph, range: TextRange) -> Option<TextRange> {
    in_block(&graph.body, range)
}

fn in_block(block: &Block, range: TextRange) -> Option<TextRange> {
    let touching = block.statements.iter().filter(|statement| {
        let found = statement.range();
        found.start() <= range.end() && range.start() <= found.end()
    });
    let mut cover: Option<TextRange> = None;
    for statement in touching {
        let inner = bodies(statement)
            .into_iter()
            .find(|body| body.range.start() < range.start() && range.end() < body.range.end());
        let found = match inner {
            Some(body) => in_block(body, range).unwrap_or(range),
            None => statement.range(),
        };
        cover = Some(cover.map_or(found, |cover| cover.cover(found)));
    }
    cover
}
