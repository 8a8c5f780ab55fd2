//! Lists of neighbouring statements in one column.

use super::gaps::Gap;
use super::layout::Layout;
use crate::TextRange;
use crate::ast::Stmt;

/// Columns further apart than this are not aligned: the line in between would be mostly blank.
const MAX_COLUMN_DISTANCE: usize = 24;

/// Puts the `[` of neighbouring nodes, and of neighbouring edges, into one column.
pub(super) fn align(layout: &mut Layout<'_>, statements: &[Stmt]) {
    let mut group: Vec<Candidate> = Vec::new();
    for statement in statements {
        let candidate = candidate(layout, statement);
        let joins = match (&candidate, group.last()) {
            (Some(next), Some(last)) => {
                next.kind == last.kind && follows(layout, last.range, next.range)
            }
            _ => false,
        };
        if !joins {
            align_group(layout, &group);
            group.clear();
        }
        group.extend(candidate);
    }
    align_group(layout, &group);
}

#[derive(Clone, Copy)]
struct Candidate {
    kind: Kind,
    range: TextRange,
    /// The token `[`.
    open: usize,
    /// What is before it, in characters.
    head: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Node,
    Edge,
}

/// A statement on one line, with a list.
fn candidate(layout: &Layout<'_>, statement: &Stmt) -> Option<Candidate> {
    let (kind, range) = match statement {
        Stmt::Node(node) => (Kind::Node, node.range),
        Stmt::Edge(edge) => (Kind::Edge, edge.range),
        _ => return None,
    };
    let list = statement.attributes().first()?;
    let open = layout.first(list.range);
    let tokens = layout.within(range);
    let one_line = tokens.clone().skip(1).all(|index| {
        let comment_or_long = layout.tokens.get(index).is_none_or(|token| {
            token.kind.is_comment() || token.range.text(layout.text).contains('\n')
        });
        let flat = match layout.gap(index) {
            Gap::None | Gap::Spaces(_) => true,
            Gap::Keep | Gap::SpaceOrLine(_) => !gap_before(layout, index).contains('\n'),
            Gap::Line(_) | Gap::Apart(_) | Gap::TightLine(_) => false,
        };
        flat && !comment_or_long
    });
    if !one_line || layout.is_verbatim(range) {
        return None;
    }
    let head = (tokens.start..open).map(|index| match layout.gap(index) {
        Gap::Keep => layout.width(index) + gap_before(layout, index).chars().count(),
        _ => layout.width(index),
    });
    Some(Candidate {
        kind,
        range,
        open,
        head: head.sum(),
    })
}

fn gap_before<'a>(layout: &Layout<'a>, index: usize) -> &'a str {
    let end = index
        .checked_sub(1)
        .and_then(|before| layout.tokens.get(before))
        .map_or(0, |before| before.range.end());
    let start = layout
        .tokens
        .get(index)
        .map_or(end, |token| token.range.start());
    let text: &'a str = layout.text;
    TextRange::new(end, start).text(text)
}

/// Whether nothing but a separator and a comment on the same line is between two statements.
fn follows(layout: &Layout<'_>, last: TextRange, next: TextRange) -> bool {
    let between = TextRange::new(last.end(), next.start());
    let blank_line = layout.tokens.index_after(last.end().saturating_sub(1));
    let first = layout.first(next);
    let own_line_comment = (blank_line + 1..first).any(|index| {
        let comment = layout
            .tokens
            .get(index)
            .is_some_and(|token| token.kind.is_comment());
        comment && gap_before(layout, index).contains('\n')
    });
    let blank =
        (blank_line + 1..=first).any(|index| gap_before(layout, index).matches('\n').count() > 1);
    !own_line_comment && !blank && !layout.is_verbatim(between)
}

fn align_group(layout: &mut Layout<'_>, group: &[Candidate]) {
    let widest = group
        .iter()
        .map(|candidate| candidate.head)
        .max()
        .unwrap_or(0);
    let narrowest = group
        .iter()
        .map(|candidate| candidate.head)
        .min()
        .unwrap_or(0);
    if widest - narrowest > MAX_COLUMN_DISTANCE {
        return;
    }
    for candidate in group {
        layout.set(candidate.open, Gap::Spaces(1 + widest - candidate.head));
    }
}
