//! The attributes of a graph, node or edge after everything has been applied: own values, defaults in
//! scope, stylesheet, graph defaults. Names are canonical; each value knows where it came from.
//!
//! Getters read a value by its type and fall back to the catalogue's default. [`Attributes::get`] does not
//! fall back: it returns only what is set in the file.
//!
//! ```
//! # use attractor_model::Pipeline;
//! let pipelines = Pipeline::from_text("digraph { goal=x; a [shape=box, timeout=\"2m\"] }");
//! let node = pipelines[0].nodes[0].clone();
//! assert_eq!(node.attributes.duration("timeout").unwrap().as_secs(), 120);
//! ```

mod attribute;
mod inherited;
mod meanings;
mod rows;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use attractor_dot::TextRange;
use attractor_dot::graph::{Graph, ListRange, NameFilter, NameHash};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

pub use self::attribute::{Attribute, Source};
pub use self::inherited::StyleRule;
pub(crate) use self::inherited::{InheritedAttribute, InheritedAttributes, InheritedFrom};
pub(crate) use self::meanings::{Meanings, Unescaped};
pub(crate) use self::rows::Rows;
use crate::catalogue::{self, Owner};
use attractor_lang::duration;

/// Resolved attributes, in the order they were written; those of the stylesheet and the graph follow.
#[derive(Clone)]
pub struct Attributes {
    owner: Owner,
    /// The attributes of the owner's own lists, each canonical name once.
    written: ListRange,
    /// How to read them.
    meanings: Arc<Meanings>,
    /// The number of its inherited attributes; their names differ from those of its own lists.
    inherited: u32,
    /// All canonical names.
    names: NameFilter,
}

/// Attributes of a graph with their canonical names, each once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canonical {
    pub(crate) written: ListRange,
    pub(crate) names: NameFilter,
}

/// Values overridden by a different value under another name of the same attribute: the range of the overridden name,
/// and that of the other name.
pub type Rivals = FxHashMap<TextRange, TextRange>;

impl Attributes {
    /// The attributes of a list of the graph, read through `meanings`.
    pub(crate) fn new(owner: Owner, canonical: Canonical, meanings: Arc<Meanings>) -> Self {
        Self {
            owner,
            written: canonical.written,
            meanings,
            inherited: InheritedAttributes::NONE,
            names: canonical.names,
        }
    }

    /// The owner of these attributes.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// The attribute of that canonical name, if the file sets it (no catalogue default).
    #[inline]
    pub fn get(&self, name: &str) -> Option<Attribute<'_>> {
        let class = NameHash::of(name);
        if self.names.may_contain_hash(class) {
            self.find(name, class)
        } else {
            None
        }
    }

    fn find(&self, name: &str, class: NameHash) -> Option<Attribute<'_>> {
        let meanings = &*self.meanings;
        if let Some((own, row)) = meanings.find(self.owner, self.written, (name, class)) {
            return Some(Attribute::in_list(own, row, meanings));
        }
        let mut inherited = meanings.inherited(self.inherited).iter();
        inherited
            .find(|attribute| attribute.name() == name)
            .map(Attribute::inherited)
    }

    /// Whether the file sets it.
    #[inline]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The text of a value, or the catalogue's default.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(attribute) => Some(attribute.value()),
            None => catalogue::default_value(self.owner, name),
        }
    }

    /// A truth value by Graphviz's rule (`true`, `yes`, `1` and their opposites, any case).
    pub fn bool(&self, name: &str) -> Option<bool> {
        catalogue::values::boolean(self.text(name)?)
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> Option<i64> {
        catalogue::values::integer(self.text(name)?)
    }

    /// A number.
    pub fn float(&self, name: &str) -> Option<f64> {
        catalogue::values::float(self.text(name)?)
    }

    /// An amount of US dollars.
    pub fn money(&self, name: &str) -> Option<f64> {
        catalogue::values::money(self.text(name)?)
    }

    /// A duration; a bare number counts seconds.
    pub fn duration(&self, name: &str) -> Option<Duration> {
        duration::parse(self.text(name)?)
    }

    /// A comma-separated list, its items trimmed; empty if it is not set.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.text(name)
            .map(|text| {
                catalogue::values::list(text)
                    .map(|(item, _)| item.to_owned())
                    .collect()
            })
            .unwrap_or_default()
    }

    /// Every attribute the file sets, in order.
    pub fn iter(&self) -> impl Iterator<Item = Attribute<'_>> {
        let meanings = &*self.meanings;
        let written = meanings.read(self.owner, self.written);
        let written = written.map(|(own, row)| Attribute::in_list(own, row, meanings));
        let inherited = meanings.inherited(self.inherited).iter();
        written.chain(inherited.map(Attribute::inherited))
    }

    /// Attributes whose name starts with `prefix`, with the rest of the name: `var.`, `context.`, `env.`.
    pub fn with_prefix<'s>(
        &'s self,
        prefix: &'s str,
    ) -> impl Iterator<Item = (&'s str, Attribute<'s>)> {
        self.iter()
            .filter_map(move |item| Some((item.name().strip_prefix(prefix)?, item)))
    }

    /// Number of attributes the file sets.
    pub fn len(&self) -> usize {
        self.written.len() + self.meanings.inherited(self.inherited).len()
    }

    /// Whether the file sets none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which names may be among them.
    pub fn names(&self) -> NameFilter {
        self.names
    }

    /// Inherits the attributes with that number of `all`, once. Where some of them are set already, the others are
    /// added to `all` as a list of their own.
    pub(crate) fn inherit(&mut self, number: u32, all: &mut Vec<InheritedAttributes>) {
        let Some(inherited) = all.get(number as usize) else {
            return;
        };
        let names = inherited.names;
        self.inherited = number;
        if self.names.may_intersect(names) {
            let missing = inherited
                .items
                .iter()
                .filter(|attribute| !self.has(attribute.name()));
            let missing = InheritedAttributes::new(missing.cloned());
            if missing.items.len() < inherited.items.len() {
                self.inherited = InheritedAttributes::number(missing, all);
            }
        }
        self.names.join(names);
    }

    /// The graph they belong to.
    pub(crate) fn graph(&self) -> &Graph {
        self.meanings.graph()
    }

    /// A list of classes of the same pipeline.
    pub(crate) fn classes(&self, number: u32) -> &[SmolStr] {
        self.meanings.classes(number)
    }
}

impl fmt::Debug for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
