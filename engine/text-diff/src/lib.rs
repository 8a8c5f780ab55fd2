//! Differences of texts by lines and by words, and the merge of two texts.
//!
//! The only crate that calls `similar`: its functions are generic, so each crate that called them would contain all of its
//! algorithms again.
//!
//! ```
//! use attractor_text_diff::TextDiff;
//! let diff = TextDiff::of_lines("a\nb\n", "a\nc\n");
//! assert_eq!(diff.unified(3), "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
//! ```

mod conflict_reason;
mod merge;

use std::time::Duration;

use similar::{Change, ChangeTag};

pub use conflict_reason::ConflictReason;
pub use merge::merge_lines;

/// Lines of context on each side of a change, as in other programs.
pub const CONTEXT: usize = 3;

/// How one text differs from another.
pub struct TextDiff<'t>(similar::TextDiff<'t, 't, str>);

/// What has happened to a piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// It is in both.
    Equal,
    /// It is in the old text only.
    Removed,
    /// It is in the new text only.
    Added,
}

impl<'t> TextDiff<'t> {
    /// The smallest difference by lines.
    pub fn of_lines(old: &'t str, new: &'t str) -> Self {
        Self(similar::TextDiff::from_lines(old, new))
    }

    /// A difference by lines: the smallest one, unless the search for it takes longer than `limit`.
    pub fn of_lines_within(limit: Duration, old: &'t str, new: &'t str) -> Self {
        let mut search = similar::TextDiff::configure();
        Self(search.timeout(limit).diff_lines(old, new))
    }

    /// The smallest difference by words and the spaces between them.
    pub fn of_words(old: &'t str, new: &'t str) -> Self {
        Self(similar::TextDiff::from_words(old, new))
    }

    /// Every piece of both texts, in order.
    pub fn changes(&self) -> Vec<(Edit, &str)> {
        self.0.iter_all_changes().map(piece).collect()
    }

    /// The pieces that differ, each with so many equal ones around it.
    pub fn changes_with_context(&self, context: usize) -> Vec<(Edit, &str)> {
        let groups = self.0.grouped_ops(context);
        groups
            .iter()
            .flatten()
            .flat_map(|group| self.0.iter_changes(group))
            .map(piece)
            .collect()
    }

    /// How many pieces were added, or removed, or are equal.
    pub fn count(&self, wanted: Edit) -> usize {
        let changes = self.0.iter_all_changes().map(piece);
        changes.filter(|(edit, _)| *edit == wanted).count()
    }

    /// The hunks of a unified diff with so many lines of context; empty for equal texts.
    pub fn unified(&self, context: usize) -> String {
        self.0.unified_diff().context_radius(context).to_string()
    }

    /// A unified diff with the names of both versions above it; empty for equal texts.
    pub fn unified_with_names(&self, context: usize, old: &str, new: &str) -> String {
        let mut unified = self.0.unified_diff();
        unified.context_radius(context).header(old, new).to_string()
    }

    /// How alike the texts are: from 0.0, nothing is equal, to 1.0.
    pub fn ratio(&self) -> f32 {
        self.0.ratio()
    }
}

fn piece(change: Change<&str>) -> (Edit, &str) {
    let edit = match change.tag() {
        ChangeTag::Equal => Edit::Equal,
        ChangeTag::Delete => Edit::Removed,
        ChangeTag::Insert => Edit::Added,
    };
    (edit, change.value())
}

#[cfg(test)]
mod tests;
