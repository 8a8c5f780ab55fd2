//! A template with its values, not yet put together.

use super::Insert;

/// What is at a part.
pub(super) enum Piece<'a> {
    Text(&'a str),
    Value(&'a Insert, String),
}

impl Piece<'_> {
    pub(super) fn plain(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Value(_, value) => value,
        }
    }
}
