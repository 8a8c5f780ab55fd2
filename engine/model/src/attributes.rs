//! The attributes of a graph, node or edge after everything has been applied: own values, defaults in
//! scope, stylesheet, graph defaults. Names are canonical; each value knows where it came from.
//!
//! Getters read a value by its type and fall back to the catalogue's default. [`Attributes::get`] does not
//! fall back: it says what somebody wrote.
//!
//! ```
//! # use attractor_model::Pipeline;
//! let pipelines = Pipeline::from_text("digraph { goal=x; a [shape=box, timeout=\"2m\"] }");
//! let node = pipelines[0].nodes[0].clone();
//! assert_eq!(node.attributes.duration("timeout").unwrap().as_secs(), 120);
//! ```

mod attribute;
mod given;
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
pub use self::given::StyleRule;
pub(crate) use self::given::{Given, Giver, Lent};
pub(crate) use self::meanings::{Meanings, Unescaped};
pub(crate) use self::rows::Rows;
use crate::catalogue::{self, Owner};
use attractor_lang::duration;

/// Resolved attributes, in the order they were written; what stylesheet and graph give comes last.
#[derive(Clone)]
pub struct Attributes {
    owner: Owner,
    /// What is written, each canonical name once.
    written: ListRange,
    /// How to read it.
    meanings: Arc<Meanings>,
    /// The number of what else it has; no name of what is written is among it.
    given: u32,
    /// All canonical names.
    names: NameFilter,
}

/// Attributes of a graph with their canonical names, each once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canonical {
    pub(crate) written: ListRange,
    pub(crate) names: NameFilter,
}

/// Values that another of the same meaning, which says something else, replaces: where the name of each stands, and
/// where that of the other.
pub type Rivals = FxHashMap<TextRange, TextRange>;

impl Attributes {
    /// Those of a list of the graph that `meanings` reads.
    pub(crate) fn new(owner: Owner, canonical: Canonical, meanings: Arc<Meanings>) -> Self {
        Self {
            owner,
            written: canonical.written,
            meanings,
            given: Given::NOTHING,
            names: canonical.names,
        }
    }

    /// Whose attributes these are.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// The attribute of that canonical name, as somebody wrote it (no catalogue default).
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
        let mut lent = meanings.given(self.given).iter();
        lent.find(|lent| lent.name() == name).map(Attribute::lent)
    }

    /// Whether somebody wrote it.
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

    /// A list by commas, blanks around the items dropped; empty when nothing is written.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.text(name)
            .map(|text| {
                catalogue::values::list(text)
                    .map(|(item, _)| item.to_owned())
                    .collect()
            })
            .unwrap_or_default()
    }

    /// Every attribute somebody wrote, in order.
    pub fn iter(&self) -> impl Iterator<Item = Attribute<'_>> {
        let meanings = &*self.meanings;
        let written = meanings.read(self.owner, self.written);
        let written = written.map(|(own, row)| Attribute::in_list(own, row, meanings));
        let lent = meanings.given(self.given).iter();
        written.chain(lent.map(Attribute::lent))
    }

    /// Attributes whose name starts with `prefix`, with the rest of the name: `var.`, `context.`, `env.`.
    pub fn with_prefix<'s>(
        &'s self,
        prefix: &'s str,
    ) -> impl Iterator<Item = (&'s str, Attribute<'s>)> {
        self.iter()
            .filter_map(move |item| Some((item.name().strip_prefix(prefix)?, item)))
    }

    /// Number of attributes somebody wrote.
    pub fn len(&self) -> usize {
        self.written.len() + self.meanings.given(self.given).len()
    }

    /// Whether nobody wrote any.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which names may be among them.
    pub fn names(&self) -> NameFilter {
        self.names
    }

    /// Gives the attributes with that number of `all`, once; of those only what is not there yet, which is added to
    /// `all` where that differs.
    pub(crate) fn give(&mut self, number: u32, all: &mut Vec<Given>) {
        let Some(given) = all.get(number as usize) else {
            return;
        };
        let names = given.names;
        self.given = number;
        if self.names.may_intersect(names) {
            let lacking = given.items.iter().filter(|lent| !self.has(lent.name()));
            let lacking = Given::new(lacking.cloned());
            if lacking.items.len() < given.items.len() {
                self.given = Given::number(lacking, all);
            }
        }
        self.names.join(names);
    }

    /// The graph they stand in.
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
