//! The mistakes found so far, as many as a person can use.
//!
//! The same mistake over and over on one line (`}}}}`, `;;;`) is one message over all of it, and
//! after a thousand messages the rest are only counted. So a text of garbage costs no more than it
//! is long.

use super::{SyntaxCode, SyntaxError, too_many};
use crate::TextRange;

/// So many messages are listed.
const LIMIT: usize = 1000;

/// Messages about a text.
pub(crate) struct Mistakes<'t> {
    text: &'t str,
    listed: Vec<SyntaxError>,
    /// How many are not listed.
    more: usize,
}

impl<'t> Mistakes<'t> {
    /// None yet.
    pub(crate) fn of(text: &'t str) -> Self {
        Self {
            text,
            listed: Vec::new(),
            more: 0,
        }
    }

    /// Adds a message, or makes the last one longer.
    pub(crate) fn push(&mut self, error: SyntaxError) {
        let room = self.listed.len() < LIMIT;
        match self.listed.last_mut() {
            Some(last) if is_same_run(self.text, last, &error) => prolong(last, &error),
            _ if room => self.listed.push(error),
            _ => self.more += 1,
        }
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

    /// All of them, in order of place.
    pub(crate) fn into_sorted(mut self) -> Vec<SyntaxError> {
        self.listed.sort_by_key(|error| error.range);
        if let Some(last) = self.listed.last().filter(|_| self.more > 0) {
            let more = too_many(last.range, self.more);
            self.listed.push(more);
        }
        self.listed
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
        && last.range.end() <= next.range.start()
        && last.message == next.message
        && last.related.is_empty()
        && TextRange::new(last.range.end(), next.range.start())
            .text(text)
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b';' | b','))
}

/// Makes `last`, and the deletion that mends it, reach to the end of `next`.
fn prolong(last: &mut SyntaxError, next: &SyntaxError) {
    last.range = last.range.cover(next.range);
    for edit in last.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
        if edit.text.is_empty() && edit.range.end() <= last.range.end() {
            edit.range = edit.range.cover(next.range);
        }
    }
}
