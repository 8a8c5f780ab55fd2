//! Identifiers: names of nodes and attributes, and attribute values.

use std::borrow::Cow;

use super::id_kind::IdKind;
use crate::TextRange;
use crate::strings::{Decoded, decode};

/// Where an identifier is and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    /// As written, quotes and angle brackets included.
    pub range: TextRange,
    /// How it is written.
    pub kind: IdKind,
}

impl Id {
    /// What it says, decoded as Graphviz does: `\"` is `"`, backslash and line end vanish, pieces
    /// joined by `+` are one; of HTML what is inside the outer angle brackets.
    #[inline]
    pub fn text<'s>(&self, source: &'s str) -> Cow<'s, str> {
        let written = self.range.text(source);
        if self.kind == IdKind::Bare {
            return Cow::Borrowed(written);
        }
        decode(written, self.kind)
    }

    /// The same with a map from decoded to file offsets.
    pub fn decoded(&self, source: &str) -> Decoded {
        Decoded::new(self.range, self.kind, source)
    }

    /// Whether it is written `<…>`.
    pub fn is_html(&self) -> bool {
        self.kind == IdKind::Html
    }
}
