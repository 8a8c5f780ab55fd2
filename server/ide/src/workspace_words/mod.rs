//! The words that the pipelines of a workspace use: short values of attributes, and names in templates.
//!
//! A project uses a handful of models, providers, limits and variables. Completion ranks them after the words of
//! the file itself and before what is common elsewhere. Values that only mean something in their own file (nodes,
//! classes, paths, conditions) are left out.

pub(crate) mod template_names;

use attractor_model::NodeKind;
use attractor_model::catalogue::{self, AttrType, Owner};
use rustc_hash::FxHashMap;

use crate::document::Document;
use template_names::Syntax;

/// Different values that are kept of an attribute, and names of each syntax.
const MAX_WORDS: usize = 200;

type Counts = Vec<(String, u32)>;

/// Words and how many times each is used, most used first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceWords {
    /// By the canonical name of the attribute.
    values: FxHashMap<&'static str, Counts>,
    dollar_names: Counts,
    braced_names: Counts,
}

impl WorkspaceWords {
    /// The words of one document.
    pub fn of(doc: &Document) -> Self {
        let mut words = Self::default();
        for (name, used) in doc.usage().all_values() {
            if let Some(name) = shared_attribute(name) {
                add(
                    words.values.entry(name).or_default(),
                    &used.value,
                    used.count,
                );
            }
        }
        for (syntax, names) in [
            (Syntax::Dollar, &mut words.dollar_names),
            (Syntax::Braces, &mut words.braced_names),
        ] {
            let found = template_names::in_file(doc, syntax, usize::MAX);
            names.extend(
                found
                    .into_iter()
                    .map(|(name, count)| (name.to_owned(), count)),
            );
        }
        words
    }

    /// The words of several documents together.
    pub fn merged<'w>(parts: impl IntoIterator<Item = &'w Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            for (name, counts) in &part.values {
                add_all(all.values.entry(name).or_default(), counts);
            }
            add_all(&mut all.dollar_names, &part.dollar_names);
            add_all(&mut all.braced_names, &part.braced_names);
        }
        let lists = all.values.values_mut();
        for counts in lists.chain([&mut all.dollar_names, &mut all.braced_names]) {
            counts.sort_by(|(a, more), (b, less)| less.cmp(more).then(a.cmp(b)));
        }
        all
    }

    /// The values of an attribute, by its canonical name.
    pub(crate) fn values(&self, attribute: &str) -> &[(String, u32)] {
        let counts = self.values.get(attribute);
        counts.map(Vec::as_slice).unwrap_or_default()
    }

    /// The names in templates.
    pub(crate) fn template_names(&self, syntax: Syntax) -> &[(String, u32)] {
        match syntax {
            Syntax::Dollar => &self.dollar_names,
            Syntax::Braces => &self.braced_names,
        }
    }
}

/// The canonical name of an attribute whose values mean the same in every file.
fn shared_attribute(name: &str) -> Option<&'static str> {
    let owner = Owner::Node(NodeKind::Codergen);
    let row = catalogue::attribute(owner, name)
        .or_else(|| catalogue::attribute_elsewhere(owner, name))?;
    let is_shared = matches!(
        row.ty,
        AttrType::Model
            | AttrType::Provider
            | AttrType::Duration
            | AttrType::Int { .. }
            | AttrType::Float { .. }
            | AttrType::Money
            | AttrType::Enum(..)
    );
    is_shared.then_some(row.name)
}

fn add_all(counts: &mut Counts, more: &Counts) {
    for (word, count) in more {
        add(counts, word, *count);
    }
}

fn add(counts: &mut Counts, word: &str, count: u32) {
    if let Some((_, known)) = counts.iter_mut().find(|(known, _)| known == word) {
        *known += count;
    } else if counts.len() < MAX_WORDS {
        counts.push((word.to_owned(), count));
    }
}
