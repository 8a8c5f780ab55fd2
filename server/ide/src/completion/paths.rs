//! Files next to the document.

use attractor_dot::TextRange;

use super::{CompletionContext, Item, ItemKind};
use crate::embedded_value::ValuePart;

/// Continuations of a path.
pub(super) fn inside(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let part = inside.last_item(&['/']);
    let entries = entries(ctx, inside.before, part.insert, part.replace);
    entries
        .into_iter()
        .map(|item| {
            let text = part.spell(&item.label);
            item.text(text)
        })
        .collect()
}

/// The entries of the folder that a half-typed path is in. `range` is the path's last part in the text.
fn entries(
    ctx: &CompletionContext<'_>,
    path: &str,
    insert: TextRange,
    replace: TextRange,
) -> Vec<Item> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let entries = ctx.files.list(folder);
    entries
        .iter()
        .filter(|entry| !entry.starts_with('.'))
        .map(|entry| match entry.strip_suffix('/') {
            Some(_) => Item::new(entry, ItemKind::Folder, insert, replace)
                .rank(4)
                .retrigger(),
            None => Item::new(entry, ItemKind::File, insert, replace).rank(3),
        })
        .collect()
}
