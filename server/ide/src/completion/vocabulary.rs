//! The words an attribute usually has as its value: those of this file, and those that are usual at large.

use attractor_model::catalogue::{AttrType, Owner, usage};

use super::word::word;
use super::{Item, ItemKind, Scene};
use crate::inside::Inside;

/// What is usual at large counts as much as so many values of the file.
const PRIOR: f64 = 4.0;

/// The words of an attribute.
pub(super) struct Vocabulary<'a> {
    /// The name and its other spellings.
    names: &'a [&'a str],
    /// The words of the file, with how often each is written.
    own: Vec<(&'a str, u32)>,
}

impl<'a> Vocabulary<'a> {
    /// The words of an attribute of this type; `None` where values are prose or a language of their own.
    pub(super) fn of(
        scene: &Scene<'a>,
        owner: Option<Owner>,
        names: &'a [&'a str],
        ty: AttrType,
    ) -> Option<Self> {
        let has_words = match ty {
            AttrType::Template
            | AttrType::Command
            | AttrType::Stylesheet
            | AttrType::Condition
            | AttrType::ConditionList
            | AttrType::Schema
            | AttrType::Verify => false,
            AttrType::Text => {
                owner == Some(Owner::Edge) || !matches!(names, ["label" | "description", ..])
            }
            _ => true,
        };
        if !has_words {
            return None;
        }
        let mut vocabulary = Self::plain(scene, owner, names);
        if super::values::is_list(ty) {
            vocabulary.split();
        }
        Some(vocabulary)
    }

    /// The words of an attribute.
    pub(super) fn plain(scene: &Scene<'a>, owner: Option<Owner>, names: &'a [&'a str]) -> Self {
        let used = names
            .iter()
            .flat_map(|name| scene.doc.usage().values(owner, name, scene.cursor.offset));
        let mut own: Vec<(&str, u32)> = Vec::new();
        for used in used {
            add(&mut own, &used.value, used.count);
        }
        Self { names, own }
    }

    /// The items of lists in place of whole lists.
    fn split(&mut self) {
        let mut items = Vec::new();
        for (value, count) in &self.own {
            for (item, _) in attractor_model::catalogue::values::list(value) {
                add(&mut items, item, *count);
            }
        }
        self.own = items;
    }

    /// Adds the words that are not among the items, and puts likely ones first.
    pub(super) fn apply(&self, items: &mut Vec<Item>, inside: &Inside<'_>) {
        let usual = self.names.iter().flat_map(|name| usage::usual_values(name));
        let own = self
            .own
            .iter()
            .map(|(word, _)| (*word, "used in this file"));
        for (text, detail) in own.chain(usual.map(|word| (word, ""))) {
            if !items.iter().any(|item| item.label == text) {
                items.push(word(text, ItemKind::Value, inside).detail(detail).rank(1));
            }
        }
        let mut scored: Vec<(f64, Item)> = items
            .drain(..)
            .map(|item| (self.score(&item.label), item))
            .collect();
        scored.sort_by(|(a, one), (b, other)| one.rank.cmp(&other.rank).then(b.total_cmp(a)));
        items.extend(scored.into_iter().map(|(_, item)| item));
    }

    fn score(&self, word: &str) -> f64 {
        let total: u32 = self.own.iter().map(|(_, count)| count).sum();
        let own = self.own.iter().find(|(own, _)| *own == word);
        let share = self
            .names
            .iter()
            .map(|name| usage::value_share(name, word))
            .max();
        let share = f64::from(share.unwrap_or(0)) / 100.0;
        let own = f64::from(own.map_or(0, |(_, count)| *count));
        (own + PRIOR * share) / (f64::from(total) + PRIOR)
    }
}

fn add<'a>(words: &mut Vec<(&'a str, u32)>, word: &'a str, count: u32) {
    match words.iter_mut().find(|(known, _)| *known == word) {
        Some((_, known)) => *known += count,
        None => words.push((word, count)),
    }
}
