//! Inside conditions: keys, operators, and the words that belong on the right side.

use attractor_model::catalogue::{CONDITION_WORDS, CONTEXT_KEYS, ConditionWord, WordClass};
use attractor_model::lang::condition::{self, Expected};

use super::context::source;
use super::documentation::Doc;
use super::word::word;
use super::{Item, ItemKind, Scene, context};
use crate::cursor::Head;
use crate::inside::Inside;

/// What can stand at the cursor in a condition.
pub(super) fn condition(scene: &Scene<'_>, head: &Head, inside: &Inside<'_>) -> Vec<Item> {
    let text = format!("{}{}", inside.before, inside.after);
    let place = condition::place_at(&text, inside.before.len());
    let length = place.replace.end.saturating_sub(inside.before.len());
    let part = inside.part(place.replace.start.min(inside.before.len()), length);
    match place.expected {
        Expected::Operand => {
            let mut items = context::keys(scene, head, &part);
            items.extend(words(WordClass::Outcome, &part).map(|item| item.rank(1)));
            items.extend(
                words(WordClass::Logic, &part)
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
            right_side(scene, head, &part, &side)
        }
        Expected::Operator { .. } => {
            let operators = words(WordClass::Comparison, &part).map(|item| item.rank(1));
            operators.chain(connectives(&part)).collect()
        }
        Expected::Connective => connectives(&part).collect(),
    }
}

fn connectives(inside: &Inside<'_>) -> impl Iterator<Item = Item> {
    words(WordClass::Logic, inside)
        .filter(|item| item.label != "not")
        .map(|item| item.rank(2))
}

/// The labels of the edges that leave the node in question.
pub(super) fn labels(scene: &Scene<'_>, head: &Head) -> impl Iterator<Item = String> {
    let pipeline = scene.pipeline();
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

fn right_side(scene: &Scene<'_>, head: &Head, inside: &Inside<'_>, side: &Side<'_>) -> Vec<Item> {
    let key = side.key.strip_prefix("context.").unwrap_or(side.key);
    let value = |text: &str| word(text, ItemKind::EnumValue, inside).rank(1);
    let row = CONTEXT_KEYS.iter().find(|row| row.name == key);
    let mut items: Vec<Item> = match row.map(|row| row.ty) {
        Some("status") => STATUSES
            .iter()
            .map(|(name, doc)| value(&side.spell(name)).detail(*doc))
            .collect(),
        Some("boolean") => vec![value("true"), value("false")],
        _ => Vec::new(),
    };
    if matches!(key, "preferred_label" | "human.gate.label") {
        items.extend(labels(scene, head).map(|label| value(&side.spell(&label))));
    }
    if key == "failure_class" {
        const CLASSES: [&str; 5] = [
            "transient_infra",
            "deterministic",
            "no_route",
            "budget_exhausted",
            "canceled",
        ];
        items.extend(CLASSES.iter().map(|class| value(&side.spell(class))));
    }
    if side.quoted {
        return items;
    }
    if items.is_empty() {
        items.extend(words(WordClass::Value, inside).map(|item| item.rank(2)));
    }
    if side.operator != "=" {
        items.extend(
            context::keys(scene, head, inside)
                .into_iter()
                .map(|item| item.rank(5)),
        );
    }
    items
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

fn words(class: WordClass, inside: &Inside<'_>) -> impl Iterator<Item = Item> {
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
