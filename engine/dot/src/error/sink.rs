//! The errors found so far, as many as a person can use.
//!
//! The same error over and over on one line (`}}}}`, `;;;`) is one message over all of it, and
//! beyond so many for the length of the text, a thousand at most, the rest are only counted. So a
//! text of garbage costs no more than it is long.

use super::{SyntaxCode, SyntaxError, too_many};
use crate::TextRange;

/// So many messages are listed at most.
const MAX_ERRORS: usize = 1000;

/// So many messages are listed of a text of that many bytes: each takes hundreds of times the memory of a byte.
fn limit(length: usize) -> usize {
    const BASE: usize = 100;
    const BYTES_PER_ERROR: usize = 64;
    (BASE + length / BYTES_PER_ERROR).min(MAX_ERRORS)
}

/// A stretch that is broken, whether a message reports it or one next to it does for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokenRange {
    pub(crate) range: TextRange,
    pub(crate) code: SyntaxCode,
}

/// Messages about a text.
pub(crate) struct ErrorSink<'t> {
    text: &'t str,
    listed: Vec<SyntaxError>,
    /// What is broken, and that may be more than what is reported in the end.
    broken: Vec<BrokenRange>,
    /// How many are not listed.
    more: usize,
    /// Where the last message, if it is garbage, last reports.
    garbage: Option<TextRange>,
}

impl<'t> ErrorSink<'t> {
    /// None yet.
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            listed: Vec::new(),
            broken: Vec::new(),
            more: 0,
            garbage: None,
        }
    }

    /// Adds the message `make` makes, or makes the last one longer. What is not listed is not made.
    pub(crate) fn push(&mut self, make: impl FnOnce(&'t str) -> SyntaxError) {
        self.garbage = None;
        if self.listed.len() >= limit(self.text.len()) {
            self.more += 1;
            return;
        }
        let error = make(self.text);
        match self.listed.last_mut() {
            Some(last) if is_same_run(self.text, last, &error) => extend_to(last, error.range),
            _ => self.listed.push(error),
        }
    }

    /// Adds the message `make` makes about the garbage at `range`. The same garbage over and over
    /// makes the last message longer and needs no other.
    pub(crate) fn push_garbage(
        &mut self,
        range: TextRange,
        make: impl FnOnce(&'t str, TextRange) -> SyntaxError,
    ) {
        let text = self.text;
        let same = self.garbage.is_some_and(|last| {
            last.text(text) == range.text(text) && only_separators_between(text, last, range)
        });
        match self.listed.last_mut().filter(|_| same) {
            Some(last) => extend_to(last, range),
            None => self.push(|text| make(text, range)),
        }
        self.garbage = Some(range);
    }

    /// Notes that the statement at `range` is broken, though no message may report it.
    pub(crate) fn mark_broken(&mut self, range: TextRange) {
        let text = self.text;
        let follows = |last: &&mut BrokenRange| only_separators_between(text, last.range, range);
        if let Some(last) = self.broken.last_mut().filter(follows) {
            last.range = last.range.cover(range);
        } else if self.broken.len() <= MAX_ERRORS {
            self.broken.push(BrokenRange {
                range,
                code: SyntaxCode::Unexpected,
            });
        }
    }

    /// Notes that what the messages so far report is broken, whichever of them will be reported.
    pub(crate) fn mark_reported(&mut self) {
        let reported = self.listed.iter().map(|error| BrokenRange {
            range: error.range,
            code: error.code,
        });
        self.broken.extend(reported);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.listed.len() + self.more
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// Those that are listed.
    pub(crate) fn listed(&mut self) -> &mut Vec<SyntaxError> {
        &mut self.listed
    }

    /// All of them, and what is broken, in order of position.
    pub(crate) fn into_sorted(mut self) -> (Vec<SyntaxError>, Vec<BrokenRange>) {
        self.listed.sort_by_key(|error| error.range);
        if let Some(last) = self.listed.last().filter(|_| self.more > 0) {
            let more = too_many(last.range, self.more);
            self.listed.push(more);
        }
        self.broken.sort_by_key(|broken| broken.range);
        (self.listed, self.broken)
    }
}

/// Whether `next` says the same of what follows `last` on its line, but for separators.
fn is_same_run(text: &str, last: &SyntaxError, next: &SyntaxError) -> bool {
    let is_garbage = matches!(
        next.code,
        SyntaxCode::StrayCloser | SyntaxCode::StraySeparator | SyntaxCode::Unexpected
    );
    is_garbage
        && last.code == next.code
        && last.message == next.message
        && last.related.is_empty()
        && only_separators_between(text, last.range, next.range)
}

fn only_separators_between(text: &str, last: TextRange, next: TextRange) -> bool {
    last.end() <= next.start()
        && TextRange::new(last.end(), next.start())
            .text(text)
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b';' | b','))
}

/// Makes `last`, and the deletion that repairs it, reach to the end of `next`.
fn extend_to(last: &mut SyntaxError, next: TextRange) {
    last.range = last.range.cover(next);
    for edit in last.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
        if edit.text.is_empty() && edit.range.end() <= last.range.end() {
            edit.range = edit.range.cover(next);
        }
    }
}
