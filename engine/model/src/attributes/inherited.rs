//! Attributes that nodes inherit from a stylesheet or from the graph.

use std::sync::Arc;

use attractor_dot::graph::NameFilter;
use attractor_dot::{TextRange, ast};

use crate::catalogue::{self, AttributeRow};

/// One inherited attribute.
#[derive(Clone, Debug)]
pub(crate) struct InheritedAttribute {
    /// The name, possibly an alias.
    pub(crate) written: Arc<str>,
    pub(crate) value: Arc<str>,
    pub(crate) from: InheritedFrom,
    /// What the catalogue says about it on its node.
    pub(crate) row: Option<&'static AttributeRow>,
}

/// What a node inherits an attribute from.
#[derive(Clone, Debug)]
pub(crate) enum InheritedFrom {
    /// A rule of a stylesheet.
    Stylesheet(Arc<StyleRule>),
    /// An attribute of the graph, with this name and value.
    Graph { key: TextRange, value: ast::Id },
}

/// The rule of a stylesheet that set a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleRule {
    /// The selector that won, for example `.fast`.
    pub selector: String,
    /// The rule in the file, if the stylesheet is part of it.
    pub range: Option<TextRange>,
}

impl InheritedAttribute {
    pub(super) fn name(&self) -> &str {
        catalogue::canonical(self.row, &self.written)
    }
}

/// The attributes that many nodes inherit, each name once.
#[derive(Debug, Default)]
pub(crate) struct InheritedAttributes {
    pub(super) items: Vec<InheritedAttribute>,
    pub(super) names: NameFilter,
}

impl InheritedAttributes {
    /// The number of the empty list; no file has as many lists.
    pub(crate) const NONE: u32 = u32::MAX;

    /// Appends it to `all` and returns its number.
    pub(crate) fn number(self, all: &mut Vec<Self>) -> u32 {
        all.push(self);
        u32::try_from(all.len() - 1).unwrap_or(Self::NONE)
    }

    /// Of several attributes of one name the first is kept.
    pub(crate) fn new(attributes: impl IntoIterator<Item = InheritedAttribute>) -> Self {
        let mut inherited = Self::default();
        for attribute in attributes {
            if inherited
                .items
                .iter()
                .all(|item| item.name() != attribute.name())
            {
                inherited.names.add(attribute.name());
                inherited.items.push(attribute);
            }
        }
        inherited
    }
}
