//! Two texts in one, as both differ from a third one.

use similar::TextMerge;

/// The lines of `base` with the changes of both other texts; none where they have changed the same lines in other ways.
pub fn merge_lines(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let merge = TextMerge::from_lines(base, ours, theirs);
    (!merge.is_conflicted()).then(|| merge.to_string())
}
