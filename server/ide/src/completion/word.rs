//! One word of a value.

use super::{Item, ItemKind};
use crate::embedded_value::ValuePart;

/// An item that replaces a whole word of the value.
pub(super) fn word(text: &str, kind: ItemKind, inside: &ValuePart<'_>) -> Item {
    Item::new(text, kind, inside.insert, inside.replace).text(inside.spell(text))
}
