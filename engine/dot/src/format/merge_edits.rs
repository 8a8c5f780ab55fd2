//! Two rounds of edits as one.

use crate::{Edit, TextRange};

/// The edits that make of `text` in one round what `first` and then `second` make of it.
///
/// Both are in order of position, and no edit of `second` holds half of one of `first`: it replaces words
/// and the gaps between them, which is what those of `first` are.
pub(super) fn merge(text: &str, first: Vec<Edit>, second: Vec<Edit>) -> Vec<Edit> {
    let mut merged = Vec::with_capacity(first.len());
    let mut shift = Shift::default();
    let mut first = first.into_iter().peekable();
    for edit in second {
        while let Some(before) = first.next_if(|one| shift.new_end(one) <= edit.range.start()) {
            shift.pass(&before);
            merged.push(before);
        }
        let start = shift.old(edit.range.start());
        while let Some(inside) = first.next_if(|one| shift.new_end(one) <= edit.range.end()) {
            shift.pass(&inside);
        }
        let range = TextRange::new(start, shift.old(edit.range.end()));
        if range.text(text) != edit.text {
            merged.push(Edit::replace(range, edit.text));
        }
    }
    merged.extend(first);
    merged
}

/// How far the edits passed so far have moved what follows.
#[derive(Default)]
struct Shift {
    added: usize,
    removed: usize,
}

impl Shift {
    fn pass(&mut self, edit: &Edit) {
        self.added += edit.text.len();
        self.removed += edit.range.len();
    }

    /// Where the new text of the next edit ends.
    fn new_end(&self, edit: &Edit) -> usize {
        edit.range.start() + self.added + edit.text.len() - self.removed
    }

    /// Where the place `new` was.
    fn old(&self, new: usize) -> usize {
        new + self.removed - self.added
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    #[test]
    fn one_round_does_what_two_do() {
        let text = "x[b=1,a  =2]y";
        let first = vec![
            Edit::insert(1, " "),
            Edit::insert(6, " "),
            Edit::delete(TextRange::new(7, 9)),
            Edit::insert(13, "\n"),
        ];
        let once = apply(text, &first);
        assert_eq!(once, "x [b=1, a=2]y\n");
        let second = vec![Edit::replace(TextRange::new(3, 11), "a=2, b=1")];
        let merged = merge(text, first.clone(), second.clone());
        assert_eq!(apply(text, &merged), apply(&once, &second));
        assert_eq!(merged.len(), 3);
    }
}
