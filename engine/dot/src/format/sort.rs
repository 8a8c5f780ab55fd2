//! The attributes of each list in the order of their names.
//!
//! Works on a text in canonical layout, where every attribute begins a line or follows `, `. An
//! attribute takes the comments above and after it along. A blank line in a list parts it: each part
//! is sorted by itself. A name given twice keeps its order, because the later one counts. Statements
//! are never moved: their order means something.

use std::cmp::Ordering;

use super::tree;
use super::verbatim::VerbatimRanges;
use crate::ast::{Attr, AttrList};
use crate::{Edit, Parse, TextRange, TokenKind};

/// What to change in `text`, which is in canonical layout, so that its lists are sorted.
pub(super) fn edits(text: &str, parse: &Parse) -> Vec<Edit> {
    let verbatim = VerbatimRanges::of(text, parse);
    tree::lists(&parse.file)
        .into_iter()
        .filter(|list| list.items.len() > 1 && !verbatim.touches(list.range))
        .filter_map(|list| in_list(text, parse, list))
        .collect()
}

/// An attribute with the comments that belong to it.
struct StatementEntry<'a> {
    /// The comments on the lines above it, and the attribute.
    main: TextRange,
    /// The comments after it on its line.
    trail: TextRange,
    name: std::borrow::Cow<'a, str>,
}

/// One edit for all of the list: its gaps and separators are edited, too, and edits keep apart.
fn in_list(text: &str, parse: &Parse, list: &AttrList) -> Option<Edit> {
    let entries: Vec<StatementEntry> = (0..list.items.len())
        .filter_map(|place| entry(text, parse, list, place))
        .collect();
    let all = TextRange::new(entries.first()?.main.start(), entries.last()?.trail.end());
    let gap = |place: usize| {
        let (before, next) = (entries.get(place)?, entries.get(place + 1)?);
        Some(TextRange::new(before.trail.end(), next.main.start()).text(text))
    };
    let parted = |place: &usize| gap(*place).is_none_or(|gap| gap.matches('\n').count() > 1);
    let mut new = String::with_capacity(all.len());
    let mut start = 0;
    for end in (0..entries.len()).filter(parted) {
        let mut part: Vec<&StatementEntry> = entries.get(start..=end)?.iter().collect();
        // Where a `#` line may be is not ours to choose.
        if !part.iter().any(|entry| has_hash_line(parse, entry)) {
            part.sort_by(|a, b| by_name(&a.name, &b.name));
        }
        for (place, entry) in (start..).zip(part) {
            let separator = if place + 1 < entries.len() { "," } else { "" };
            let parts = [
                entry.main.text(text),
                separator,
                entry.trail.text(text),
                gap(place).unwrap_or_default(),
            ];
            new.extend(parts);
        }
        start = end + 1;
    }
    (all.text(text) != new).then(|| Edit::replace(all, new))
}

/// Capitals do not count unless nothing else differs.
fn by_name(a: &str, b: &str) -> Ordering {
    a.to_lowercase().cmp(&b.to_lowercase()).then(a.cmp(b))
}

fn entry<'a>(
    text: &'a str,
    parse: &Parse,
    list: &AttrList,
    place: usize,
) -> Option<StatementEntry<'a>> {
    let item = list.items.get(place)?;
    let from = match place
        .checked_sub(1)
        .and_then(|before| list.items.get(before))
    {
        Some(before) => trail(text, parse, before, item.range().start()).end(),
        // What is after the `[` stays there.
        None => behind(text, parse, list.range.start() + 1, item.range().start()),
    };
    let until = list
        .items
        .get(place + 1)
        .map_or(list.range.end(), |next| next.range().start());
    let above = parse
        .tokens
        .touching(TextRange::new(from, item.range().start()))
        .find(|token| token.kind.is_comment() && token.range.start() >= from);
    let start = above.map_or(item.range().start(), |comment| comment.range.start());
    Some(StatementEntry {
        main: TextRange::new(start, item.range().end()),
        trail: trail(text, parse, item, until),
        name: item.key.text(text),
    })
}

/// From after an attribute and its comma to the end of the last comment on its line.
fn trail(text: &str, parse: &Parse, item: &Attr, until: usize) -> TextRange {
    let after = item.range().end();
    let comma = parse
        .tokens
        .touching(TextRange::new(after, until))
        .find(|token| token.kind == TokenKind::Comma && token.range.start() == after);
    let start = comma.map_or(after, |comma| comma.range.end());
    TextRange::new(start, behind(text, parse, start, until))
}

/// Where the last of the comments ends that begin on the line of `start`, before `until`.
fn behind(text: &str, parse: &Parse, start: usize, until: usize) -> usize {
    let mut end = start;
    for token in parse.tokens.touching(TextRange::new(start, until)) {
        let gap = TextRange::new(end, token.range.start().max(end)).text(text);
        if token.range.start() < start {
            continue;
        }
        if !token.kind.is_comment() || gap.contains('\n') {
            break;
        }
        // A line comment of a text with CRLF holds the CR.
        let comment = token.range.text(text);
        end = token.range.start() + comment.trim_end_matches('\r').len();
    }
    end
}

fn has_hash_line(parse: &Parse, entry: &StatementEntry) -> bool {
    parse
        .tokens
        .touching(entry.main.cover(entry.trail))
        .any(|token| token.kind == TokenKind::HashLine)
}
