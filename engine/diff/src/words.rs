//! The difference of two texts by words.

use attractor_text_diff::{Edit as TextEdit, TextDiff};
use serde::Serialize;

/// Longer texts are compared by lines, to bound the time.
const MOST_BYTES: usize = 60_000;

/// A piece of a text, and what has happened to it. The pieces of a difference are the old text without those that were
/// added, and the new text without those that were removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Piece {
    /// What has happened to it.
    pub edit: Edit,
    /// The text.
    pub text: String,
}

/// What has happened to a piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// It is in both.
    Equal,
    /// It was removed.
    Removed,
    /// It was added.
    Added,
}

/// The difference of two texts; whole where they have little in common.
pub(crate) fn diff(old: &str, new: &str) -> Vec<Piece> {
    let is_long = old.len() + new.len() > MOST_BYTES;
    let diff = if is_long {
        TextDiff::of_lines(old, new)
    } else {
        TextDiff::of_words(old, new)
    };
    let mut draft = Draft::default();
    for (edit, text) in diff.changes() {
        let edit = match edit {
            TextEdit::Equal => Edit::Equal,
            TextEdit::Removed => Edit::Removed,
            TextEdit::Added => Edit::Added,
        };
        draft.push(edit, text);
    }
    let pieces = draft.finish();
    if is_alike(&pieces, old, new) {
        pieces
    } else {
        whole(old, new)
    }
}

/// Whether enough of both texts is equal, so that it helps to see what is not.
fn is_alike(pieces: &[Piece], old: &str, new: &str) -> bool {
    let equal: usize = pieces
        .iter()
        .filter(|piece| piece.edit == Edit::Equal)
        .map(|piece| piece.text.trim().len())
        .sum();
    4 * equal >= old.len().min(new.len())
}

fn whole(old: &str, new: &str) -> Vec<Piece> {
    let piece = |edit, text: &str| Piece {
        edit,
        text: text.to_owned(),
    };
    vec![piece(Edit::Removed, old), piece(Edit::Added, new)]
}

/// Pieces as they are found: spaces between two changes are part of both.
#[derive(Default)]
struct Draft<'t> {
    pieces: Vec<Piece>,
    removed: String,
    added: String,
    /// Equal spaces after a change.
    spaces: &'t str,
}

impl<'t> Draft<'t> {
    fn push(&mut self, edit: Edit, text: &'t str) {
        let in_change = !(self.removed.is_empty() && self.added.is_empty());
        match edit {
            Edit::Equal if in_change && self.spaces.is_empty() && text.trim().is_empty() => {
                self.spaces = text;
            }
            Edit::Equal => {
                self.end_change();
                self.equal(text);
            }
            Edit::Removed | Edit::Added => {
                self.removed.push_str(self.spaces);
                self.added.push_str(self.spaces);
                self.spaces = "";
                let side = if edit == Edit::Removed {
                    &mut self.removed
                } else {
                    &mut self.added
                };
                side.push_str(text);
            }
        }
    }

    fn end_change(&mut self) {
        let removed = std::mem::take(&mut self.removed);
        let added = std::mem::take(&mut self.added);
        for (edit, text) in [(Edit::Removed, removed), (Edit::Added, added)] {
            if !text.is_empty() {
                self.pieces.push(Piece { edit, text });
            }
        }
        let spaces = std::mem::take(&mut self.spaces);
        self.equal(spaces);
    }

    fn equal(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece {
                edit: Edit::Equal,
                text: last,
            }) => last.push_str(text),
            _ => self.pieces.push(Piece {
                edit: Edit::Equal,
                text: text.to_owned(),
            }),
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        self.end_change();
        self.pieces
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Edit, Piece, diff};

    fn drawn(old: &str, new: &str) -> String {
        let pieces = diff(old, new);
        let drawn = pieces.iter().map(|Piece { edit, text }| match edit {
            Edit::Equal => text.clone(),
            Edit::Removed => format!("[-{text}-]"),
            Edit::Added => format!("{{+{text}+}}"),
        });
        drawn.collect()
    }

    #[test]
    fn changes_are_words() {
        assert_eq!(
            drawn(
                "Review the diff for bugs",
                "Review the whole diff for errors"
            ),
            "Review the {+whole +}diff for [-bugs-]{+errors+}"
        );
        assert_eq!(
            drawn("a b see what there is", "c d see what there is"),
            "[-a b-]{+c d+} see what there is"
        );
        assert_eq!(
            drawn("one two", "three four five"),
            "[-one two-]{+three four five+}"
        );
    }

    proptest! {
        #[test]
        fn pieces_are_both_texts(old in "[a-c \n]{0,40}", new in "[a-c \n]{0,40}") {
            let pieces = diff(&old, &new);
            let side = |left_out: Edit| -> String {
                let kept = pieces.iter().filter(|piece| piece.edit != left_out);
                kept.map(|piece| piece.text.as_str()).collect()
            };
            prop_assert_eq!(side(Edit::Added), old.clone());
            prop_assert_eq!(side(Edit::Removed), new.clone());
        }
    }
}
