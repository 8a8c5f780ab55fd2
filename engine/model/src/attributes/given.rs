//! Attributes that something other than the node itself gives to nodes.

use std::sync::Arc;

use attractor_dot::graph::NameFilter;
use attractor_dot::{TextRange, ast};

use crate::catalogue::{self, AttributeRow};

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Lent {
    /// The name, possibly an alias.
    pub(crate) written: Arc<str>,
    pub(crate) value: Arc<str>,
    pub(crate) giver: Giver,
    /// What the catalogue says about it on its node.
    pub(crate) row: Option<&'static AttributeRow>,
}

/// What gives it.
#[derive(Clone, Debug)]
pub(crate) enum Giver {
    /// A rule of a stylesheet.
    Stylesheet(Arc<StyleRule>),
    /// An attribute of the graph, with this name and value.
    Graph { key: TextRange, value: ast::Id },
}

/// The rule of a stylesheet that gave a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleRule {
    /// The selector that won, for example `.fast`.
    pub selector: String,
    /// The rule in the file, when the stylesheet stands in it.
    pub range: Option<TextRange>,
}

impl Lent {
    pub(super) fn name(&self) -> &str {
        catalogue::canonical(self.row, &self.written)
    }
}

/// What many nodes are given, each name once.
#[derive(Debug, Default)]
pub(crate) struct Given {
    pub(super) items: Vec<Lent>,
    pub(super) names: NameFilter,
}

impl Given {
    /// The number of nothing; no list is so long.
    pub(crate) const NOTHING: u32 = u32::MAX;

    /// The number it gets as the last of `all`.
    pub(crate) fn number(self, all: &mut Vec<Self>) -> u32 {
        all.push(self);
        u32::try_from(all.len() - 1).unwrap_or(Self::NOTHING)
    }

    /// Of several of one name the first counts.
    pub(crate) fn new(lent: impl IntoIterator<Item = Lent>) -> Self {
        let mut given = Self::default();
        for lent in lent {
            if given.items.iter().all(|item| item.name() != lent.name()) {
                given.names.add(lent.name());
                given.items.push(lent);
            }
        }
        given
    }
}
