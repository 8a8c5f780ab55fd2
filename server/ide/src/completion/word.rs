//! One word of a value.

use super::{Item, ItemKind};
use crate::inside::Inside;

/// An item that stands for a whole word of the value.
pub(super) fn word(text: &str, kind: ItemKind, inside: &Inside<'_>) -> Item {
    Item::new(text, kind, inside.insert, inside.replace).text(inside.spell(text))
}
