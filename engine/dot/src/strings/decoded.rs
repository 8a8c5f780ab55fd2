//! A decoded identifier that remembers where each byte came from.
//!
//! Languages inside strings (conditions, templates, stylesheets) are parsed decoded; their messages
//! and completions belong at places of the file.

use super::decode::pieces;
use super::unescape::runs;
use crate::TextRange;
use crate::ast::IdKind;

/// Decoded text with a map between its offsets and the file's.
///
/// ```
/// let source = r#"digraph { a [label="x \"y\" z"] }"#;
/// let parse = attractor_dot::parse(source);
/// let label = parse.file.graphs[0].body.statements[0].attributes()[0].items[0].value.unwrap();
/// let decoded = label.decoded(source);
/// assert_eq!(decoded.text, "x \"y\" z");
/// assert_eq!(decoded.range_to_source(3, 4).text(source), "y");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// What the identifier says.
    pub text: String,
    /// Runs taken over unchanged, in order.
    runs: Vec<Run>,
    /// The identifier as written.
    range: TextRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    decoded: usize,
    source: usize,
    length: usize,
}

impl Decoded {
    pub(crate) fn new(range: TextRange, kind: IdKind, source: &str) -> Self {
        let mut text = String::with_capacity(range.len());
        let mut runs = Vec::new();
        for (offset, piece) in pieces(range.text(source), kind) {
            runs.push(Run {
                decoded: text.len(),
                source: range.start() + offset,
                length: piece.len(),
            });
            text.push_str(piece);
        }
        Self { text, runs, range }
    }

    /// The same with the escapes of pipelines decoded too ([`super::unescape`]); the map is kept.
    #[must_use]
    pub fn unescape(self) -> Self {
        if !self.text.contains('\\') {
            return self;
        }
        let mut unescaped = Self {
            text: String::with_capacity(self.text.len()),
            runs: Vec::new(),
            range: self.range,
        };
        for piece in runs(&self.text) {
            self.copy_run(piece.offset, piece.text, &mut unescaped);
        }
        unescaped
    }

    /// Appends `text`, which is for the decoded bytes from `offset` on, to `out`, cut where the
    /// runs of `self` are cut.
    fn copy_run(&self, offset: usize, text: &str, out: &mut Self) {
        let end = offset + text.len();
        let mut at = offset;
        while at < end {
            let index = self.runs.partition_point(|run| run.decoded <= at);
            let run_end = self.runs.get(index).map_or(end, |next| next.decoded);
            let length = run_end.min(end) - at;
            out.runs.push(Run {
                decoded: out.text.len() + (at - offset),
                source: self.to_source(at),
                length,
            });
            at += length;
        }
        out.text.push_str(text);
    }

    /// The file offset of the decoded byte at `offset`; past the end, the end of the text as written.
    pub fn to_source(&self, offset: usize) -> usize {
        let index = self.runs.partition_point(|run| run.decoded <= offset);
        match index
            .checked_sub(1)
            .and_then(|before| self.runs.get(before))
        {
            Some(run) => run.source + (offset - run.decoded).min(run.length),
            None => (self.range.start() + usize::from(self.range.len() > 1)).min(self.range.end()),
        }
    }

    /// The file range of the decoded bytes `start..end`.
    pub fn range_to_source(&self, start: usize, end: usize) -> TextRange {
        let from = self.to_source(start);
        let to = match end.checked_sub(1) {
            Some(last) if end > start => self.to_source(last) + 1,
            _ => from,
        };
        TextRange::new(from, to.max(from))
    }

    /// The decoded offset of the file offset `offset`, or `None` outside the identifier. What
    /// decodes to nothing (quotes, escapes, `+`) counts as the text before it.
    pub fn from_source(&self, offset: usize) -> Option<usize> {
        if !self.range.contains_inclusive(offset) {
            return None;
        }
        let index = self.runs.partition_point(|run| run.source <= offset);
        let run = index
            .checked_sub(1)
            .and_then(|before| self.runs.get(before));
        Some(run.map_or(0, |run| run.decoded + (offset - run.source).min(run.length)))
    }
}

#[cfg(test)]
mod tests {
    use super::Decoded;
    use crate::TextRange;
    use crate::ast::IdKind;

    fn decoded(source: &str, kind: IdKind) -> Decoded {
        Decoded::new(TextRange::new(0, source.len()), kind, source)
    }

    #[test]
    fn maps_both_ways() {
        let source = "\"a\\\"b\" + \"cé\"";
        let decoded = decoded(source, IdKind::Concatenated);
        assert_eq!(decoded.text, "a\"bcé");
        for (offset, _) in decoded.text.char_indices() {
            let there = decoded.to_source(offset);
            assert_eq!(decoded.from_source(there), Some(offset), "{offset} {there}");
            assert_eq!(source.as_bytes()[there], decoded.text.as_bytes()[offset]);
        }
        assert_eq!(decoded.from_source(99), None);
        assert_eq!(decoded.to_source(99), source.len() - 1);
    }

    #[test]
    fn unescaped_text_keeps_its_map() {
        let source = r#""a\"\n" + "b\\c\d""#;
        let unescaped = decoded(source, IdKind::Concatenated).unescape();
        assert_eq!(unescaped.text, "a\"\nb\\c\\d");
        let at = |offset: usize| &source[unescaped.to_source(offset)..][..1];
        assert_eq!(
            [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)],
            ["a", "\"", "\\", "b", "\\", "c", "\\", "d"]
        );
        assert_eq!(unescaped.from_source(source.len() - 2), Some(7));
    }

    #[test]
    fn empty_string_is_between_its_quotes() {
        let decoded = decoded("\"\"", IdKind::Quoted);
        assert_eq!(decoded.to_source(0), 1);
        assert_eq!(decoded.from_source(1), Some(0));
    }
}
