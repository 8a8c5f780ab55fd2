//! A value with its place in a file.

use attractor_dot::TextRange;

/// A value and its place in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it is, in bytes.
    pub range: TextRange,
}
