//! The words an attribute usually has as its value: those of this file, and those that are usual at large.

use attractor_model::catalogue::{AttrType, Owner, usage};

use super::word::word;
use super::{CompletionContext, Item, ItemKind};
use crate::embedded_value::ValuePart;

/// What is usual elsewhere counts as much as so many values of the file, and what is usual in public pipelines as much
/// as so many values of the workspace.
const PRIOR: f64 = 4.0;

/// The detail of a word that other files of the workspace use.
pub(super) const USED_IN_WORKSPACE: &str = "used in this workspace";

/// The words of an attribute.
pub(super) struct Vocabulary<'a> {
    /// The name and its other spellings.
    names: &'a [&'a str],
    /// The words of the file, with how often each is written.
    own: Vec<(&'a str, u32)>,
    /// The words of the workspace, with how often each is written.
    workspace: &'a [(String, u32)],
}

impl<'a> Vocabulary<'a> {
    /// The words of an attribute of this type; `None` where values are prose or a language of their own.
    pub(super) fn of(
        ctx: &CompletionContext<'a>,
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
        let mut vocabulary = Self::plain(ctx, owner, names);
        if is_list(ty) {
            vocabulary.split();
        }
        Some(vocabulary)
    }

    /// The words of an attribute.
    pub(super) fn plain(
        ctx: &CompletionContext<'a>,
        owner: Option<Owner>,
        names: &'a [&'a str],
    ) -> Self {
        let used = names
            .iter()
            .flat_map(|name| ctx.doc.usage().values(owner, name, ctx.cursor.offset));
        let mut own: Vec<(&str, u32)> = Vec::new();
        for used in used {
            add(&mut own, &used.value, used.count);
        }
        let workspace = names.first().map(|name| ctx.words.values(name));
        Self {
            names,
            own,
            workspace: workspace.unwrap_or_default(),
        }
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
    pub(super) fn apply(&self, items: &mut Vec<Item>, inside: &ValuePart<'_>) {
        let usual = self.names.iter().flat_map(|name| usage::usual_values(name));
        let own = self
            .own
            .iter()
            .map(|(word, _)| (*word, "used in this file"));
        let workspace = self.workspace.iter();
        let workspace = workspace.map(|(word, _)| (word.as_str(), USED_IN_WORKSPACE));
        let usual = usual.map(|word| (word, ""));
        for (text, detail) in own.chain(workspace).chain(usual) {
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

    /// The score of the word: its share of the file's values, of the workspace's, and of those of public pipelines,
    /// each of which counts less the more is known before it.
    fn score(&self, word: &str) -> f64 {
        let of_name = |name: &&str| usage::value_share(name, word);
        let common = self.names.iter().map(of_name).max().unwrap_or(0);
        let common = f64::from(common) / 100.0;
        let workspace = self.workspace.iter();
        let elsewhere = smoothed(
            workspace.map(|(word, count)| (word.as_str(), *count)),
            word,
            common,
        );
        smoothed(self.own.iter().copied(), word, elsewhere)
    }
}

/// Whether values are several words by comma.
pub(super) fn is_list(ty: AttrType) -> bool {
    matches!(
        ty,
        AttrType::NodeList
            | AttrType::Classes
            | AttrType::EnumList(_)
            | AttrType::PathList
            | AttrType::Keys
            | AttrType::List
    )
}

/// The share of a word, where `prior` counts as much as [`PRIOR`] values.
fn smoothed<'a>(counts: impl Iterator<Item = (&'a str, u32)>, word: &str, prior: f64) -> f64 {
    let (mut total, mut of_word) = (0, 0);
    for (known, count) in counts {
        total += count;
        if known == word {
            of_word += count;
        }
    }
    (f64::from(of_word) + PRIOR * prior) / (f64::from(total) + PRIOR)
}

fn add<'a>(words: &mut Vec<(&'a str, u32)>, word: &'a str, count: u32) {
    match words.iter_mut().find(|(known, _)| *known == word) {
        Some((_, known)) => *known += count,
        None => words.push((word, count)),
    }
}
