//! How alike two nodes are: by their attributes, texts by their words.

use std::hash::{BuildHasher, Hash};

use attractor_model::Node;
use attractor_model::catalogue::AttrType;
use rustc_hash::FxBuildHasher;

use crate::attributes::{Origin, Setting, settings};

/// Texts from this length on distinguish nodes.
const DISTINCTIVE: usize = 12;

/// What is compared of a node.
pub(crate) struct Profile<'p> {
    handler: &'p str,
    values: Vec<Value<'p>>,
    /// Whether it has a text that another node is not likely to have.
    pub(crate) is_distinctive: bool,
    /// Of equal profiles equal.
    pub(crate) signature: u64,
}

struct Value<'p> {
    name: &'p str,
    hash: u64,
    is_text: bool,
    /// Its words, sorted.
    words: Vec<u64>,
}

fn hash(value: impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Whether an attribute says what a node is, also under another id: labels often repeat it, and references name others.
fn is_own(setting: &Setting<'_>) -> bool {
    let ty = setting.row.map(|row| row.ty);
    let is_reference = matches!(
        ty,
        Some(AttrType::Node | AttrType::NodeList | AttrType::Choice)
    );
    setting.origin != Origin::Graph && setting.name != "label" && !is_reference
}

impl<'p> Profile<'p> {
    pub(crate) fn of(node: &'p Node) -> Self {
        let settings = settings(&node.attributes);
        let own: Vec<Setting<'_>> = settings.into_iter().filter(is_own).collect();
        let is_distinctive = own.iter().any(|one| one.value.len() >= DISTINCTIVE);
        let values: Vec<Value<'p>> = own
            .iter()
            .map(|one| {
                let words = one.value.split(|c: char| !c.is_alphanumeric());
                let mut words: Vec<u64> = words.filter(|word| !word.is_empty()).map(hash).collect();
                words.sort_unstable();
                Value {
                    name: one.name,
                    hash: hash(&one.value),
                    is_text: one.value.len() >= DISTINCTIVE || words.len() > 1,
                    words,
                }
            })
            .collect();
        let handler = node.handler();
        let pairs: Vec<(&str, u64)> = values.iter().map(|one| (one.name, one.hash)).collect();
        Self {
            handler,
            is_distinctive,
            signature: hash((handler, pairs)),
            values,
        }
    }

    /// How alike the attributes of two nodes are, from 0 to 1; none if neither has any. Nodes of different kinds are not
    /// compared.
    pub(crate) fn alike(&self, other: &Self) -> Option<f64> {
        if self.handler != other.handler {
            return Some(0.0);
        }
        let (mut alike, mut all) = (0.0, 0.0);
        let mut add = |one: Option<&Value<'_>>, other: Option<&Value<'_>>| {
            let is_text = |one: Option<&Value<'_>>| one.is_some_and(|one| one.is_text);
            let weight = if is_text(one) || is_text(other) {
                3.0
            } else {
                1.0
            };
            all += weight;
            if let (Some(one), Some(other)) = (one, other) {
                alike += weight * one.alike(other);
            }
        };
        for one in &self.values {
            let same = other.values.iter().find(|other| other.name == one.name);
            add(Some(one), same);
        }
        for one in &other.values {
            if self.values.iter().all(|other| other.name != one.name) {
                add(None, Some(one));
            }
        }
        (all > 0.0).then(|| alike / all)
    }
}

impl Value<'_> {
    fn alike(&self, other: &Self) -> f64 {
        if self.hash == other.hash {
            return 1.0;
        }
        let both = self.words.len() + other.words.len();
        if both == 0 {
            return 0.0;
        }
        let (mut common, mut at) = (0, 0);
        for word in &self.words {
            while other.words.get(at).is_some_and(|other| other < word) {
                at += 1;
            }
            if other.words.get(at) == Some(word) {
                common += 1;
                at += 1;
            }
        }
        share(2 * common, both)
    }
}

/// `part` of `all`.
pub(crate) fn share(part: usize, all: usize) -> f64 {
    let [part, all] = [part, all].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    f64::from(part) / f64::from(all.max(1))
}
