//! A short list: one element is stored in place, any other number on the heap.

use std::ops::Deref;

/// Reads as a slice.
#[derive(Clone, Debug)]
pub enum OneOrMany<T> {
    /// The usual case.
    One(T),
    /// None, two or more.
    Many(Box<[T]>),
}

impl<T> OneOrMany<T> {
    /// Empties `items`, which keeps its room.
    pub(crate) fn take(items: &mut Vec<T>) -> Self {
        match items.pop() {
            Some(one) if items.is_empty() => Self::One(one),
            Some(last) => {
                items.push(last);
                Self::Many(items.drain(..).collect())
            }
            None => Self::default(),
        }
    }
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self::Many(Box::default())
    }
}

impl<T> Deref for OneOrMany<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

impl<T> From<Vec<T>> for OneOrMany<T> {
    fn from(mut items: Vec<T>) -> Self {
        match (items.len(), items.pop()) {
            (1, Some(one)) => Self::One(one),
            (_, Some(last)) => {
                items.push(last);
                Self::Many(items.into_boxed_slice())
            }
            (_, None) => Self::Many(Box::default()),
        }
    }
}

impl<'a, T> IntoIterator for &'a OneOrMany<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for OneOrMany<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for OneOrMany<T> {}
