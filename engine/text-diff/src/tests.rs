use std::time::Duration;

use expect_test::expect;

use crate::{Edit, TextDiff, merge_lines};

const OLD: &str = "a\nb\nc\nd\ne\nf\n";
const NEW: &str = "a\nb\nc\nD\nE\ne\nf\n";

#[test]
fn lines_are_shown_with_their_context() {
    let diff = TextDiff::of_lines(OLD, NEW);
    expect![[r#"
        --- old
        +++ new
        @@ -3,3 +3,4 @@
         c
        -d
        +D
        +E
         e
    "#]]
    .assert_eq(&diff.unified_with_names(1, "old", "new"));
    assert_eq!(
        diff.changes_with_context(1),
        [
            (Edit::Equal, "c\n"),
            (Edit::Removed, "d\n"),
            (Edit::Added, "D\n"),
            (Edit::Added, "E\n"),
            (Edit::Equal, "e\n"),
        ]
    );
    let counts = [Edit::Equal, Edit::Removed, Edit::Added].map(|edit| diff.count(edit));
    assert_eq!(counts, [5, 1, 2]);
}

#[test]
fn equal_texts_have_no_hunk() {
    let diff = TextDiff::of_lines_within(Duration::ZERO, OLD, OLD);
    assert_eq!(diff.unified_with_names(3, "old", "new"), "");
    assert!(diff.ratio() >= 1.0);
}

#[test]
fn words_are_pieces_with_spaces_between() {
    let diff = TextDiff::of_words("one two", "one three");
    let pieces = [
        (Edit::Equal, "one"),
        (Edit::Equal, " "),
        (Edit::Removed, "two"),
        (Edit::Added, "three"),
    ];
    assert_eq!(diff.changes(), pieces);
}

#[test]
fn changes_of_different_lines_are_merged() {
    let merged = merge_lines(OLD, "A\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nF\n");
    assert_eq!(merged.as_deref(), Some("A\nb\nc\nd\ne\nF\n"));
    assert_eq!(merge_lines("a\n", "b\n", "c\n"), None);
}
