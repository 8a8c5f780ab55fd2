//! Two texts of a file as a bounded unified diff.

use std::time::Duration;

use attractor_text_diff::{Edit, TextDiff};

/// Lines of context on each side of a change.
const CONTEXT: usize = 2;

/// A longer search for the smallest difference is given up for a larger one.
const LONGEST_SEARCH: Duration = Duration::from_millis(200);

/// Lines of a diff that are shown.
const MAX_LINES: usize = 60;

/// Characters of a line that are shown.
const MAX_COLUMNS: usize = 200;

/// How two texts differ.
pub(super) struct Difference {
    pub(super) added: u64,
    pub(super) removed: u64,
    /// Hunks without the names of the files.
    pub(super) text: String,
}

pub(super) fn difference(before: &str, after: &str) -> Difference {
    let diff = TextDiff::of_lines_within(LONGEST_SEARCH, before, after);
    Difference {
        added: diff.count(Edit::Added) as u64,
        removed: diff.count(Edit::Removed) as u64,
        text: shortened(&diff.unified(CONTEXT)),
    }
}

fn shortened(diff: &str) -> String {
    let mut lines = diff.lines();
    let shown: Vec<String> = lines
        .by_ref()
        .take(MAX_LINES)
        .map(|line| match line.char_indices().nth(MAX_COLUMNS) {
            Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
            None => line.to_owned(),
        })
        .collect();
    let text = shown.join("\n");
    match lines.count() {
        0 => text,
        1 => format!("{text}\n… 1 more line"),
        more => format!("{text}\n… {more} more lines"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn lines_are_counted_and_shown_with_their_context() {
        let difference = difference("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nD\nE\ne\nf\n");
        assert_eq!((difference.added, difference.removed), (2, 1));
        expect![[r#"
            @@ -2,5 +2,6 @@
             b
             c
            -d
            +D
            +E
             e
             f"#]]
        .assert_eq(&difference.text);
    }

    #[test]
    fn a_long_diff_is_cut_and_says_so() {
        let after = format!("{}\n", "x".repeat(500)).repeat(100);
        let difference = difference("", &after);
        assert_eq!(difference.added, 100);
        assert_eq!(difference.text.lines().count(), MAX_LINES + 1);
        assert!(difference.text.ends_with("… 41 more lines"));
        assert!(difference.text.len() < (MAX_COLUMNS + 10) * (MAX_LINES + 1));
    }
}
