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
    let mut items = context::keys(scene, head, &part);
    let dollar = matches!(opener(before), Some(Opener::Dollar | Opener::DollarBrace));
    if dollar || matches!(opener(before), Some(Opener::Mustache)) {
        let goal = word("goal", ItemKind::Key, &part).detail("The graph's goal.");
        items.insert(0, goal.rank(1));
    }
    // Names the file writes elsewhere come first: variables of the run, of the shell, or keys a model sets.
    for name in written(scene, dollar) {
        match items.iter_mut().find(|item| item.label == name) {
            Some(item) => item.rank = 0,
            None => items.push(
                word(name, ItemKind::Key, &part)
                    .detail("used in this file")
                    .rank(1),
            ),
        }
    }
    if dollar {
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

/// The names after `$` in the file, or those in braces, most used first; what the cursor touches is left out.
fn written<'a>(scene: &Scene<'a>, dollar: bool) -> Vec<&'a str> {
    let text: &str = &scene.doc.text;
    let offset = scene.cursor.offset;
    let mut found: Vec<(&str, u32)> = Vec::new();
    let openers = text.match_indices(if dollar { '$' } else { '{' });
    for (at, _) in openers {
        let rest = text.get(at + 1..).unwrap_or_default();
        let name = if dollar {
            name_at(rest.strip_prefix('{').unwrap_or(rest), |c| c == '_')
        } else {
            let inner = rest.trim_start_matches(['{', ' ']);
            let name = name_at(inner, |c| matches!(c, '_' | '.'));
            let after = inner.get(name.len()..).unwrap_or_default();
            if !after.starts_with(['}', ' ', '|']) || rest.starts_with(['\n', '\r']) {
                continue;
            }
            name
        };
        let touched = at < offset && offset <= at + 2 + name.len();
        if name.is_empty() || touched {
            continue;
        }
        if let Some((_, count)) = found.iter_mut().find(|(known, _)| *known == name) {
            *count += 1;
        } else if found.len() < NAMES {
            found.push((name, 1));
        }
    }
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    found.into_iter().map(|(name, _)| name).collect()
}

/// More names than this are not read from a file.
const NAMES: usize = 40;

fn name_at(text: &str, also: impl Fn(char) -> bool) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || also(c);
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let length = text.find(|c| !is_name(c)).unwrap_or(text.len());
    text.get(..length).filter(|_| starts).unwrap_or_default()
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
