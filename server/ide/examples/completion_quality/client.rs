//! What a client makes of a list: it keeps the items whose filter text begins with what was typed, and sorts them by
//! their sort text.

use attractor_ide::completion::Item;

/// The items a client shows, in its order, for the text before the cursor.
pub(crate) fn shown<'i>(items: &'i [Item], before: &str) -> Vec<&'i Item> {
    let mut kept: Vec<&Item> = items
        .iter()
        .filter(|item| begins(item.filter_text(), typed(item, before)))
        .collect();
    kept.sort_by(|a, b| (&a.sort, &a.label).cmp(&(&b.sort, &b.label)));
    kept
}

/// The text before the cursor in the range the item replaces.
fn typed<'t>(item: &Item, before: &'t str) -> &'t str {
    before.get(item.insert.start()..).unwrap_or_default()
}

fn begins(text: &str, typed: &str) -> bool {
    let mut letters = text.chars().flat_map(char::to_lowercase);
    typed
        .chars()
        .flat_map(char::to_lowercase)
        .all(|letter| letters.next() == Some(letter))
}
