//! Inside templates: keys after `{`, `$`, `${` and `{{`, files after `@`.

use attractor_model::catalogue::TEMPLATE_FORMS;

use super::vocabulary::USED_IN_WORKSPACE;
use super::word::word;
use super::{CompletionContext, Item, ItemKind, context, paths};
use crate::cursor::ListOwner;
use crate::embedded_value::ValuePart;
use crate::workspace_words::template_names::{self, Syntax};

/// Completions in a template.
pub(super) fn template(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    inside: &ValuePart<'_>,
) -> Vec<Item> {
    if !inside.is_quoted() {
        return Vec::new();
    }
    if inside.before.starts_with('@') {
        return paths::inside(ctx, &inside.part(1, inside.after.len()));
    }
    let part = inside.word(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let before = inside
        .before
        .get(..inside.before.len() - part.before.len())
        .unwrap_or_default();
    let closing = match opener(before) {
        Some(Opener::Dollar) => "",
        Some(Opener::Brace | Opener::DollarBrace) => "}",
        Some(Opener::Mustache) => "}}",
        None if inside.before.is_empty() => return forms(inside),
        None => return Vec::new(),
    };
    let is_closed = part.after.len() < inside.after.len()
        && inside
            .after
            .get(part.after.len()..)
            .is_some_and(|rest| rest.trim_start().starts_with('}'));
    let mut items = context::keys(ctx, head, &part);
    let dollar = matches!(opener(before), Some(Opener::Dollar | Opener::DollarBrace));
    if dollar || matches!(opener(before), Some(Opener::Mustache)) {
        let goal = word("goal", ItemKind::Key, &part).detail("The graph's goal.");
        items.insert(0, goal.rank(1));
    }
    let syntax = if dollar {
        Syntax::Dollar
    } else {
        Syntax::Braces
    };
    // Names the file writes elsewhere come first: variables of the run, of the shell, or keys a model sets.
    let own = template_names::in_file(ctx.doc, syntax, ctx.cursor.offset);
    for (name, _) in own {
        match items.iter_mut().find(|item| item.label == name) {
            Some(item) => item.rank = 0,
            None => items.push(
                word(name, ItemKind::Key, &part)
                    .detail("used in this file")
                    .rank(1),
            ),
        }
    }
    for (name, _) in ctx.words.template_names(syntax) {
        if !items.iter().any(|item| item.label == *name) {
            let item = word(name, ItemKind::Key, &part).detail(USED_IN_WORKSPACE);
            items.push(item.rank(4));
        }
    }
    if matches!(opener(before), Some(Opener::Dollar)) {
        for item in &mut items {
            // `$a.b` is `$a` and the text `.b`.
            if item.label.contains('.') {
                item.rank = 8;
            }
        }
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
    DollarBrace,
    Mustache,
}

/// What opens a place for a value at the end of a text.
fn opener(before: &str) -> Option<Opener> {
    let trimmed = before.trim_end();
    if trimmed.ends_with("{{") {
        return Some(Opener::Mustache);
    }
    if before.ends_with("${") {
        return Some(Opener::DollarBrace);
    }
    if before.ends_with('{') {
        return Some(Opener::Brace);
    }
    before.ends_with('$').then_some(Opener::Dollar)
}

/// At the very beginning, what a template can hold.
fn forms(inside: &ValuePart<'_>) -> Vec<Item> {
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
