//! The attributes of a graph, node or edge after everything has been applied: own values, defaults in
//! scope, stylesheet, graph defaults. Names are canonical; each value knows where it came from.
//!
//! Getters read a value by its type and fall back to the catalogue's default. [`Attributes::get`] does not
//! fall back: it says what somebody wrote.
//!
//! ```
//! # use attractor_model::Pipeline;
//! let (pipelines, _) = Pipeline::from_text("digraph { goal=x; a [shape=box, timeout=\"2m\"] }");
//! let node = pipelines[0].nodes[0].clone();
//! assert_eq!(node.attributes.duration("timeout").unwrap().as_secs(), 120);
//! ```

mod attribute;
mod items;

use std::sync::Arc;
use std::time::Duration;

use attractor_dot::Substr;
use attractor_dot::graph::NameSet;
use smol_str::SmolStr;

pub(crate) use self::attribute::Pair;
pub use self::attribute::{Attribute, Source, StyleRule};
use self::items::Items;
pub(crate) use self::items::{Gathered, Gathering, Gathers};
use crate::catalogue::{self, Owner};
use crate::lang::duration;

/// Resolved attributes, in the order they were written; what stylesheet and graph give comes last.
#[derive(Clone, Debug)]
pub struct Attributes {
    owner: Owner,
    items: Items,
    /// What nodes alike have in common, kept once for all of them. No name of `items` is among them.
    shared: Option<Arc<[Attribute]>>,
    names: NameSet,
}

/// Attributes to be given to many nodes, each name once.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    items: Arc<[Attribute]>,
    names: NameSet,
}

impl Given {
    /// Of several attributes of one name the first counts.
    pub(crate) fn new(attributes: impl IntoIterator<Item = Attribute>) -> Self {
        let mut items: Vec<Attribute> = Vec::new();
        for attribute in attributes {
            if items.iter().all(|item| item.name() != attribute.name()) {
                items.push(attribute);
            }
        }
        Self {
            names: items.iter().map(Attribute::name).collect(),
            items: items.into(),
        }
    }
}

impl Attributes {
    /// Those that were gathered for an owner, of `all` that were.
    pub(crate) fn new(owner: Owner, gathered: Gathered, all: &Gathers) -> Self {
        Self {
            owner,
            items: all.of(gathered),
            shared: None,
            names: gathered.names,
        }
    }

    /// Whose attributes these are.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// The attribute of that canonical name, as somebody wrote it (no catalogue default).
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        if self.names.may_have(name) {
            self.find(name)
        } else {
            None
        }
    }

    fn find(&self, name: &str) -> Option<&Attribute> {
        let mut own = self.items.as_slice().iter();
        let own = own.find(|item| item.name() == name);
        own.or_else(|| {
            self.shared
                .as_ref()?
                .iter()
                .find(|item| item.name() == name)
        })
    }

    /// Whether somebody wrote it.
    #[inline]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The text of a value, or the catalogue's default.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(attribute) => Some(&attribute.value),
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
    pub fn iter(&self) -> impl Iterator<Item = &Attribute> {
        self.items
            .as_slice()
            .iter()
            .chain(self.shared.iter().flat_map(|shared| shared.iter()))
    }

    /// Attributes whose name starts with `prefix`, with the rest of the name: `var.`, `context.`, `env.`.
    pub fn with_prefix<'s>(
        &'s self,
        prefix: &'s str,
    ) -> impl Iterator<Item = (&'s str, &'s Attribute)> {
        self.iter()
            .filter_map(move |item| Some((item.name().strip_prefix(prefix)?, item)))
    }

    /// Number of attributes somebody wrote.
    pub fn len(&self) -> usize {
        self.items.as_slice().len() + self.shared.as_ref().map_or(0, |shared| shared.len())
    }

    /// Whether nobody wrote any.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an attribute; a value of the same name is replaced.
    pub fn set(&mut self, attribute: Attribute) {
        self.names.add(attribute.name());
        let shared = self.shared.take();
        self.items.change(|items| {
            items.extend(shared.iter().flat_map(|shared| shared.iter().cloned()));
            match items
                .iter_mut()
                .find(|item| item.name() == attribute.name())
            {
                Some(old) => *old = attribute,
                None => items.push(attribute),
            }
        });
    }

    /// Sets a value from outside the file, as the command line does. Wins over graph defaults and
    /// stylesheet, not over what the node says itself.
    pub fn set_default_from_command_line(&mut self, name: &'static str, value: &str) {
        if self
            .get(name)
            .is_some_and(|old| matches!(old.source, Source::Own | Source::Default { .. }))
        {
            return;
        }
        self.set(Attribute {
            written: SmolStr::new_static(name),
            value: Substr::from(value),
            source: Source::CommandLine,
            pair: None,
            row: catalogue::attribute(self.owner, name),
        });
    }

    /// Which names may be among them.
    pub(crate) fn names(&self) -> NameSet {
        self.names
    }

    /// Adds what is given and not there yet.
    pub(crate) fn give(&mut self, given: &Given) {
        if given.items.is_empty() {
            return;
        }
        if self.shared.is_none() && !self.names.may_share(given.names) {
            self.names.join(given.names);
            self.shared = Some(Arc::clone(&given.items));
            return;
        }
        let lacking = given.items.iter().filter(|given| !self.has(given.name()));
        let lacking: Vec<Attribute> = lacking.cloned().collect();
        self.names.join(given.names);
        self.items.change(|items| items.extend(lacking));
    }
}
