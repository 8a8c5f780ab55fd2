//! Inside stylesheets: selectors before a brace, properties in it, values after a colon.

use std::ops::Range;

use attractor_lang::stylesheet::{self, StylesheetContext};
use attractor_model::NodeKind;
use attractor_model::catalogue::{self, AttrType, NODE_KINDS, Owner};

use super::documentation::Doc;
use super::typed_values::{models_of, typed};
use super::vocabulary::Vocabulary;
use super::word::word;
use super::{CompletionContext, Item, ItemKind, MAX_ITEMS};
use crate::cursor::ListOwner;
use crate::embedded_value::ValuePart;
use crate::symbol_index::SymbolKey;

/// Completions in a stylesheet.
pub(super) fn stylesheet(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let text = format!("{}{}", inside.before, inside.after);
    let cursor = inside.before.len();
    let part = |replace: &Range<usize>| {
        inside.part(
            replace.start.min(cursor),
            replace.end.saturating_sub(cursor),
        )
    };
    match stylesheet::context_at(&text, cursor) {
        StylesheetContext::Selector { mark, replace } => {
            let marked = replace.start - mark.map_or(0, char::len_utf8)..replace.end;
            selectors(ctx, &part(&marked))
        }
        StylesheetContext::Property { replace } => properties(ctx, &part(&replace)),
        StylesheetContext::Value { property, replace } => {
            let provider = provider_of_rule(&text, cursor);
            property_values(ctx, &property, provider, &part(&replace))
        }
    }
}

fn selectors(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let item = |text: String, kind: ItemKind, rank: u8| word(&text, kind, inside).rank(rank);
    let here = ctx.cursor.graph;
    let mut items = vec![item("*".into(), ItemKind::Operator, 1).detail("every node")];
    for name in ctx.doc.symbol_index().iter() {
        if let SymbolKey::Class(graph, class) = name
            && Some(*graph) == here
        {
            items.push(item(format!(".{class}"), ItemKind::Class, 1).detail("nodes of this class"));
        }
    }
    for row in NODE_KINDS {
        items.push(
            item(row.name.to_owned(), ItemKind::NodeKind, 3)
                .detail(row.summary)
                .doc(Doc::kind(row.kind)),
        );
    }
    items.extend(ctx.nodes().take(MAX_ITEMS).map(|node| {
        item(format!("#{}", node.id), ItemKind::Node, 4).detail(node.label.unwrap_or("this node"))
    }));
    items
}

/// Properties of model calls first, then every attribute of nodes. Other names where the file uses them.
fn properties(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let usage = ctx.doc.usage();
    let all = catalogue::attributes_for(Owner::Node(NodeKind::Codergen))
        .filter(|row| row.prefix().is_none());
    let mut scored = Vec::new();
    for row in all {
        let usual = USUAL.iter().position(|name| *name == row.name);
        for spelling in std::iter::once(&row.name).chain(row.aliases) {
            let (rules, with) = usage.rules(spelling);
            let own = f64::from(with) / (f64::from(rules) + 1.0);
            let is_alias = *spelling != row.name;
            // Someone who writes `llm_model` elsewhere writes it here too.
            let elsewhere = usage.count(spelling) > usage.count(row.name);
            let base = match usual {
                Some(place) if !is_alias || elsewhere => USUAL_SCORES.get(place).copied(),
                Some(_) => Some(0.05),
                None if is_alias => Some(0.0),
                None => Some(0.01),
            };
            let item = word(spelling, ItemKind::Attribute, inside)
                .text(format!("{spelling}: "))
                .note(row.ty.name())
                .doc(Doc::attribute(row))
                .retrigger();
            let item = if is_alias {
                item.detail(format!("the same as {}", row.name))
            } else {
                item
            };
            scored.push((own + base.unwrap_or(0.0), item.rank(1)));
        }
    }
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.into_iter().map(|(_, item)| item).collect()
}

const USUAL: [&str; 9] = [
    "model",
    "provider",
    "reasoning_effort",
    "temperature",
    "max_tokens",
    "timeout",
    "max_retries",
    "fidelity",
    "backend",
];
const USUAL_SCORES: [f64; 9] = [0.5, 0.4, 0.3, 0.2, 0.19, 0.18, 0.17, 0.16, 0.15];

fn property_values(
    ctx: &CompletionContext<'_>,
    property: &str,
    provider: Option<&str>,
    inside: &ValuePart<'_>,
) -> Vec<Item> {
    let owner = Owner::Node(NodeKind::Codergen);
    let Some(row) = catalogue::attribute(owner, property) else {
        return Vec::new();
    };
    let mut items = typed(ctx, &ListOwner::Around, row.ty, inside);
    let mut names: Vec<&str> = vec![row.name];
    names.extend(row.aliases);
    if let Some(vocabulary) = Vocabulary::of(ctx, Some(owner), &names, row.ty) {
        vocabulary.apply(&mut items, inside);
    }
    if row.ty == AttrType::Model {
        models_of(provider, &mut items);
    }
    items
}

/// The provider that the rule around byte `at` of a stylesheet names.
fn provider_of_rule(text: &str, at: usize) -> Option<&str> {
    let (before, after) = text.split_at_checked(at)?;
    let start = before.rfind('{')? + 1;
    let end = after.find('}').map_or(text.len(), |end| at + end);
    let declarations = text.get(start..end)?.split(';');
    let mut pairs = declarations.filter_map(|declaration| declaration.split_once(':'));
    pairs
        .find(|(name, _)| matches!(name.trim(), "provider" | "llm_provider"))
        .map(|(_, value)| value.trim().trim_matches('"'))
}
