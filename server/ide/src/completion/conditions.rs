//! Inside conditions: keys, operators, and the words that can be on the right side.

use attractor_lang::condition::{self, Expected};
use attractor_lang::status::STATUS_WORDS;
use attractor_model::analysis::{KnownValue, ValueSource, ValueType, value_type};
use attractor_model::catalogue::{CONDITION_WORDS, CONTEXT_KEYS, ConditionWord, WordClass};

use super::condition_words::ConditionWords;
use super::context::source;
use super::documentation::Doc;
use super::word::word;
use super::{CompletionContext, Item, ItemKind, context};
use crate::cursor::ListOwner;
use crate::embedded_value::ValuePart;

/// Completions in a condition.
pub(super) fn condition(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    inside: &ValuePart<'_>,
) -> Vec<Item> {
    let text = format!("{}{}", inside.before, inside.after);
    let context = condition::context_at(&text, inside.before.len());
    let length = context.replace.end.saturating_sub(inside.before.len());
    let part = inside.part(context.replace.start.min(inside.before.len()), length);
    let used = ConditionWords::new(ctx, head);
    match context.expected {
        Expected::Operand => {
            let mut items = operands(ctx, head, &part, &used);
            items.extend(
                catalogue_words(WordClass::Logic, &part)
                    .filter(|item| item.label == "not")
                    .map(|item| item.rank(6)),
            );
            items
        }
        Expected::Value {
            key,
            operator,
            quoted,
        } => {
            let side = Side {
                key: key.as_deref().unwrap_or_default(),
                operator: &operator,
                quoted,
            };
            right_side(ctx, head, &part, &side, &used)
        }
        Expected::Operator { .. } => {
            let operators = catalogue_words(WordClass::Comparison, &part).map(|item| item.rank(1));
            operators.chain(connectives(&part)).collect()
        }
        Expected::Connective => connectives(&part).collect(),
    }
}

fn connectives(inside: &ValuePart<'_>) -> impl Iterator<Item = Item> {
    catalogue_words(WordClass::Logic, inside)
        .filter(|item| item.label != "not")
        .map(|item| item.rank(2))
}

/// The labels of the edges that leave the node in question.
pub(super) fn labels(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
) -> impl Iterator<Item = String> {
    let pipeline = ctx.pipeline();
    let node = pipeline.and_then(|pipeline| pipeline.by_id(source(head)?));
    let edges = pipeline
        .zip(node)
        .map_or(&[][..], |(pipeline, node)| pipeline.outgoing(node));
    let edges = edges.iter().filter_map(move |edge| pipeline?.edge(*edge));
    edges.filter_map(|edge| edge.label().map(ToOwned::to_owned))
}

/// The right side of a comparison.
struct Side<'a> {
    key: &'a str,
    operator: &'a str,
    quoted: bool,
}

impl Side<'_> {
    /// The lenient operators read a bare word as text; the typed ones would look it up as a key.
    fn is_lenient(&self) -> bool {
        matches!(self.operator, "=" | "!=")
    }

    fn spell(&self, text: &str) -> String {
        if self.quoted || self.is_lenient() {
            text.to_owned()
        } else {
            format!("'{text}'")
        }
    }
}

/// Keys: those that conditions of the file read, then those that can be set here.
fn operands(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    inside: &ValuePart<'_>,
    used: &ConditionWords<'_>,
) -> Vec<Item> {
    let is_prefixed = inside.before.starts_with(PREFIX);
    let mut items: Vec<Item> = Vec::new();
    for item in context::keys(ctx, head, inside) {
        let rank = if item.label == "outcome" {
            1
        } else {
            item.rank + 1
        };
        items.push(item.rank(rank));
    }
    if !is_prefixed {
        items.extend(catalogue_words(WordClass::Outcome, inside).map(|item| item.rank(4)));
    }
    for (place, key) in used.keys().into_iter().enumerate() {
        let bare = key.strip_prefix(PREFIX).unwrap_or(key);
        let spelling = if is_prefixed { bare } else { key };
        let rank = if place < USUAL { 1 } else { 2 };
        match items.iter_mut().find(|item| item.label == spelling) {
            Some(item) => item.rank = item.rank.min(rank),
            None => items.push(
                word(spelling, ItemKind::Key, inside)
                    .detail("used in this file")
                    .rank(rank),
            ),
        }
    }
    if is_prefixed {
        for item in &mut items {
            item.text = inside.spell(&format!("{PREFIX}{}", item.label));
            item.filter = Some(format!("{PREFIX}{}", item.label));
        }
    } else if !inside.before.is_empty() && PREFIX.starts_with(inside.before) {
        let prefixed = items.iter().filter(|item| !item.label.starts_with(PREFIX));
        let prefixed: Vec<Item> = prefixed
            .map(|item| {
                let label = format!("{PREFIX}{}", item.label);
                let text = inside.spell(&label);
                Item {
                    label,
                    ..item.clone()
                }
                .text(text)
                .rank(5)
            })
            .collect();
        items.extend(prefixed);
    }
    let place = |item: &Item| used.place(&item.label);
    items.sort_by_key(|item| (item.rank, place(item)));
    items
}

/// What dialects write before keys of the context.
const PREFIX: &str = "context.";
/// Keys of the file that are offered with `outcome`.
const USUAL: usize = 8;

fn right_side(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    inside: &ValuePart<'_>,
    side: &Side<'_>,
    used: &ConditionWords<'_>,
) -> Vec<Item> {
    let key = side.key.strip_prefix(PREFIX).unwrap_or(side.key);
    let ty = value_type(key);
    let value = |text: &str| word(text, ItemKind::EnumValue, inside).rank(2);
    let mut items: Vec<Item> = used
        .values(key)
        .into_iter()
        .map(|text| value(&side.spell(text)).detail("used in this file").rank(1))
        .collect();
    let mut add = |item: Item| match items.iter_mut().find(|known| known.label == item.label) {
        Some(known) => known.detail = item.detail,
        None => items.push(item),
    };
    if ty == ValueType::Status {
        for (name, doc) in STATUSES {
            add(value(&side.spell(name)).detail(*doc));
        }
    }
    for known in used.known(key) {
        add(known_value(&known, &value(&side.spell(&known.text))));
    }
    match ty {
        ValueType::Integer => {
            for number in ["0", "1", "2", "3", "5"] {
                add(value(number));
            }
        }
        ValueType::Status | ValueType::Label | ValueType::Any if !is_of_engine(key) => {
            for text in used.guesses() {
                add(value(&side.spell(&text))
                    .detail("named by the node before")
                    .rank(3));
            }
        }
        _ => {}
    }
    if side.quoted {
        return items;
    }
    if ty == ValueType::Any {
        for item in catalogue_words(WordClass::Value, inside) {
            add(item.rank(3));
        }
    }
    if side.operator != "=" {
        for item in context::keys(ctx, head, inside) {
            add(item.rank(5));
        }
    }
    items
}

/// Whether only the engine sets a key, so that no word of the pipeline's own can be its value.
fn is_of_engine(key: &str) -> bool {
    !matches!(key, "preferred_label" | "outcome") && CONTEXT_KEYS.iter().any(|row| row.name == key)
}

/// What is said of a value, and how far ahead it is.
fn known_value(known: &KnownValue, item: &Item) -> Item {
    let item = item.clone();
    match known.source {
        ValueSource::Listed => {
            if let Some((_, doc)) = STATUSES.iter().find(|(name, _)| *name == known.text) {
                return item.detail(*doc);
            }
            let alias = STATUS_WORDS.iter().find(|(name, _)| *name == known.text);
            match alias {
                Some((_, status)) => item
                    .detail(format!("the same as {}", status.name()))
                    .rank(4),
                None => item,
            }
        }
        ValueSource::Label => item,
        ValueSource::Printed => item.detail("printed by the command").rank(1),
        ValueSource::Named => item.detail("named by the node before"),
    }
}

const STATUSES: &[(&str, &str)] = &[
    ("success", "the node did its work"),
    ("fail", "the node failed"),
    (
        "partial_success",
        "tries are used up, and what there is counts",
    ),
    ("retry", "the node asks to be tried again"),
    ("skipped", "the node was left out"),
];

fn catalogue_words(class: WordClass, inside: &ValuePart<'_>) -> impl Iterator<Item = Item> {
    let kind = if class == WordClass::Value {
        ItemKind::EnumValue
    } else {
        ItemKind::Operator
    };
    let of_class = CONDITION_WORDS
        .iter()
        .filter(move |row: &&ConditionWord| row.class == class);
    of_class.map(move |row| {
        word(row.name, kind, inside)
            .detail(row.doc)
            .doc(Doc::name(row.name))
    })
}
