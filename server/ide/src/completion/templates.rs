//! Inside templates: keys after `{`, `$`, `${` and `{{`, files after `@`.

use attractor_model::catalogue::TEMPLATE_FORMS;

use super::word::word;
use super::{Item, ItemKind, Scene, context, paths};
use crate::cursor::Head;
use crate::inside::Inside;

/// What can stand at the cursor in a template.
pub(super) fn template(scene: &Scene<'_>, head: &Head, inside: &Inside<'_>) -> Vec<Item> {
    if !inside.is_quoted() {
        return Vec::new();
    }
    if inside.before.starts_with('@') {
        return paths::inside(scene, &inside.part(1, inside.after.len()));
    }
    let part = inside.word(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let before = inside
        .before
        .get(..inside.before.len() - part.before.len())
        .unwrap_or_default();
    let closing = match opener(before) {
        Some(Opener::Dollar) => "",
        Some(Opener::Brace) => "}",
        Some(Opener::Mustache) => "}}",
        None if inside.before.is_empty() => return forms(inside),
        None => return Vec::new(),
    };
    let is_closed = part.after.len() < inside.after.len()
        && inside
            .after
            .get(part.after.len()..)
            .is_some_and(|rest| rest.trim_start().starts_with('}'));
    let mut items = context::keys(scene, head, &part);
    if matches!(opener(before), Some(Opener::Dollar | Opener::Mustache)) {
        items.insert(
            0,
            word("goal", ItemKind::Key, &part)
                .detail("The graph's goal.")
                .rank(1),
        );
    }
    if !closing.is_empty() && !is_closed {
        for item in &mut items {
            item.text.push_str(closing);
        }
    }
    items
}

enum Opener {
    Brace,
    Dollar,
    Mustache,
}

/// What opens a place for a value at the end of a text.
fn opener(before: &str) -> Option<Opener> {
    let trimmed = before.trim_end();
    if trimmed.ends_with("{{") {
        return Some(Opener::Mustache);
    }
    if before.ends_with('{') {
        return Some(Opener::Brace);
    }
    before.ends_with('$').then_some(Opener::Dollar)
}

/// At the very beginning, what a template can hold.
fn forms(inside: &Inside<'_>) -> Vec<Item> {
    let wanted = TEMPLATE_FORMS
        .iter()
        .filter(|form| matches!(form.form, "{key}" | "$goal" | "@path"));
    wanted
        .map(|form| {
            let item = word(form.form, ItemKind::Snippet, inside)
                .detail(form.doc)
                .rank(5);
            match form.form {
                "{key}" => item.snippet("{$1\\}$0").retrigger(),
                "@path" => item.text("@").retrigger(),
                _ => item,
            }
        })
        .collect()
}
