//! Values in canonical form: two values that mean the same have the same text.

use std::borrow::Cow;

use attractor_lang::condition::pieces;
use attractor_lang::duration;
use attractor_model::catalogue::values::{boolean, float, integer, list, money, names};
use attractor_model::catalogue::{self, AttrType, AttributeRow};

use crate::conditions;

/// Words of an enumeration that mean the same as one that is offered: attribute, word, meaning.
const SYNONYMS: [(&str, &str, &str); 9] = [
    ("join_policy", "any", "first_success"),
    ("join_policy", "any_success", "first_success"),
    ("join_policy", "all", "wait_all"),
    ("on_failure", "succeed", "continue"),
    ("mode", "confirmation", "confirm"),
    ("mode", "yes_no", "confirm"),
    ("mode", "multiple_choice", "choice"),
    ("mode", "multi_select", "multi"),
    ("pace_level", "contingency", "contingent"),
];

/// A value of an attribute in canonical form; none if it is blank, which is as if it were not set.
pub(crate) fn canonical<'v>(row: Option<&AttributeRow>, value: &'v str) -> Option<Cow<'v, str>> {
    let is_family = row.is_some_and(|row| row.family);
    let trimmed = value.trim();
    if is_family {
        return Some(Cow::Borrowed(value));
    }
    if trimmed.is_empty() {
        return None;
    }
    let read = row.and_then(|row| typed(row, trimmed));
    Some(read.map_or(Cow::Borrowed(trimmed), Cow::Owned))
}

/// The canonical form of a value that its type reads.
fn typed(row: &AttributeRow, value: &str) -> Option<String> {
    match row.ty {
        AttrType::Bool => boolean(value).map(|read| read.to_string()),
        AttrType::BoolOrCondition => boolean(value)
            .map(|read| read.to_string())
            .or_else(|| conditions::canonical(value)),
        AttrType::Int { .. } => integer(value).map(|read| read.to_string()),
        AttrType::Float { .. } => float(value).map(|read| read.to_string()),
        AttrType::Money => money(value).map(|read| format!("${read}")),
        AttrType::Duration => duration::parse(value).map(duration::format),
        AttrType::Enum(..) => Some(word(row.name, &value.to_ascii_lowercase()).to_owned()),
        AttrType::EnumList(_) => {
            let mut words: Vec<String> = list(value)
                .map(|(item, _)| item.to_ascii_lowercase())
                .collect();
            words.sort_unstable();
            words.dedup();
            Some(words.join(", "))
        }
        AttrType::Classes => {
            let mut classes: Vec<&str> = names(value)
                .map(|(name, _)| name.trim_start_matches('.'))
                .collect();
            classes.sort_unstable();
            classes.dedup();
            Some(classes.join(", "))
        }
        AttrType::List | AttrType::Keys | AttrType::PathList | AttrType::NodeList => {
            let items: Vec<&str> = list(value).map(|(item, _)| item).collect();
            Some(items.join(", "))
        }
        AttrType::Condition => conditions::canonical(value),
        AttrType::ConditionList => Some(condition_list(value)),
        AttrType::Model => catalogue::model(value).map(|model| model.id.clone()),
        AttrType::Provider => catalogue::provider(value).map(|provider| provider.id.clone()),
        AttrType::Path { .. } => value.strip_prefix("./").map(str::to_owned),
        AttrType::Schema => {
            let schema: serde_json::Value = serde_json::from_str(value).ok()?;
            Some(sorted(&schema).to_string())
        }
        AttrType::Text
        | AttrType::Node
        | AttrType::Choice
        | AttrType::Template
        | AttrType::Command
        | AttrType::Stylesheet
        | AttrType::Key
        | AttrType::Verify
        | AttrType::Handler
        | AttrType::Shape
        | AttrType::SubPipeline => None,
    }
}

fn word<'w>(attribute: &str, word: &'w str) -> &'w str {
    let mut synonyms = SYNONYMS.iter();
    let found = synonyms.find(|(of, other, _)| *of == attribute && *other == word);
    found.map_or(word, |(_, _, meaning)| meaning)
}

fn condition_list(text: &str) -> String {
    let pieces = pieces(text).into_iter();
    let pieces = pieces.filter_map(|bytes| text.get(bytes));
    let conditions = pieces.filter(|piece| !piece.is_empty());
    let conditions =
        conditions.map(|piece| conditions::canonical(piece).unwrap_or_else(|| piece.to_owned()));
    conditions.collect::<Vec<_>>().join("; ")
}

/// The same value with the keys of its objects in order.
fn sorted(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            let fields = fields.into_iter();
            Value::Object(
                fields
                    .map(|(key, value)| (key.clone(), sorted(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}
