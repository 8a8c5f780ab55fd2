//! The ends of an edge statement: nearly always two, which are stored in place.

use std::ops::{Deref, DerefMut};

use super::EdgeEnd;

/// Reads as a slice.
#[derive(Clone, Debug)]
pub enum Ends {
    /// `a -> b`
    Two([EdgeEnd; 2]),
    /// `a -> b -> c`
    Many(Box<[EdgeEnd]>),
}

impl Ends {
    /// `first` and then `more`, which is emptied and keeps its room.
    pub(crate) fn take(first: EdgeEnd, more: &mut Vec<EdgeEnd>) -> Self {
        match more.pop() {
            Some(second) if more.is_empty() => Self::Two([first, second]),
            last => Self::Many(
                std::iter::once(first)
                    .chain(more.drain(..))
                    .chain(last)
                    .collect(),
            ),
        }
    }
}

impl Deref for Ends {
    type Target = [EdgeEnd];

    fn deref(&self) -> &[EdgeEnd] {
        match self {
            Self::Two(two) => two,
            Self::Many(many) => many,
        }
    }
}

impl DerefMut for Ends {
    fn deref_mut(&mut self) -> &mut [EdgeEnd] {
        match self {
            Self::Two(two) => two,
            Self::Many(many) => many,
        }
    }
}

impl<'a> IntoIterator for &'a Ends {
    type Item = &'a EdgeEnd;
    type IntoIter = std::slice::Iter<'a, EdgeEnd>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Ends {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Ends {}
