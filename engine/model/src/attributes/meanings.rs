//! What the attributes of one graph mean in a pipeline: rows of the catalogue for their names, escapes undone in
//! their values. Every [`Attributes`](super::Attributes) of the pipeline reads the graph's own lists through it, so
//! that nothing is copied.

use std::sync::{Arc, OnceLock};

use attractor_dot::graph::{self, Graph, ListRange, NameHash};
use attractor_dot::{TextRange, strings};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::inherited::{InheritedAttribute, InheritedAttributes};
use super::rows::Rows;
use crate::catalogue::{self, AttributeRow, Owner};

/// The graph, how to read it, and what its nodes have in common, kept once for all of them.
pub(crate) struct Meanings {
    graph: Arc<Graph>,
    rows: Rows,
    unescaped: Unescaped,
    classes: OnceLock<Vec<Box<[SmolStr]>>>,
    inherited: OnceLock<Vec<InheritedAttributes>>,
}

impl Meanings {
    pub(crate) fn new(graph: Arc<Graph>, rows: Rows, unescaped: Unescaped) -> Self {
        Self {
            graph,
            rows,
            unescaped,
            classes: OnceLock::new(),
            inherited: OnceLock::new(),
        }
    }

    /// Sets the lists of classes that nodes have; only the first call has an effect.
    pub(crate) fn set_classes(&self, classes: Vec<Box<[SmolStr]>>) {
        self.classes.get_or_init(|| classes);
    }

    /// Sets what nodes inherit; only the first call has an effect.
    pub(crate) fn set_inherited(&self, inherited: Vec<InheritedAttributes>) {
        self.inherited.get_or_init(|| inherited);
    }

    /// A list of classes by its number.
    pub(super) fn classes(&self, number: u32) -> &[SmolStr] {
        let classes = self.classes.get().and_then(|all| all.get(number as usize));
        classes.map_or(&[], |classes| classes)
    }

    /// What a node inherits, by the number of the list.
    pub(super) fn inherited(&self, number: u32) -> &[InheritedAttribute] {
        let inherited = self
            .inherited
            .get()
            .and_then(|all| all.get(number as usize));
        inherited.map_or(&[], |inherited| &inherited.items)
    }

    /// The graph.
    #[inline]
    pub(crate) fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Attributes of an owner with their rows of the catalogue.
    #[inline]
    pub(super) fn read(
        &self,
        owner: Owner,
        written: ListRange,
    ) -> impl Iterator<Item = (&graph::Attribute, Option<&'static AttributeRow>)> {
        let of = self.rows.of(owner);
        let attributes = self.graph.slice(written).iter();
        attributes.map(move |attribute| {
            let row = match of.noted(attribute.name) {
                Some(meaning) => meaning.row,
                None => catalogue::attribute(owner, self.graph.name_of(attribute)),
            };
            (attribute, row)
        })
    }

    /// The attribute of a canonical name, and of its class, among those of an owner.
    pub(super) fn find(
        &self,
        owner: Owner,
        written: ListRange,
        (name, class): (&str, NameHash),
    ) -> Option<(&graph::Attribute, Option<&'static AttributeRow>)> {
        let of = self.rows.of(owner);
        let attributes = self.graph.slice(written);
        let mut next = of.first(class);
        while let Some((at, meaning)) = of.at(next) {
            if meaning.is(name, at, &self.graph) {
                let found = attributes.iter().find(|it| it.name.index() == at);
                if let Some(found) = found {
                    return Some((found, meaning.row));
                }
            }
            next = meaning.next;
        }
        if of.more {
            self.look_through(owner, written, name)
        } else {
            None
        }
    }

    #[cold]
    fn look_through(
        &self,
        owner: Owner,
        written: ListRange,
        name: &str,
    ) -> Option<(&graph::Attribute, Option<&'static AttributeRow>)> {
        let mut read = self.read(owner, written);
        read.find(|(own, row)| catalogue::canonical(*row, self.graph.name_of(own)) == name)
    }

    /// The value of an attribute, escapes decoded.
    #[inline]
    pub(super) fn value(&self, attribute: &graph::Attribute) -> &str {
        let unescaped = if attribute.is_plain() {
            None
        } else {
            self.unescaped.find(attribute)
        };
        unescaped.unwrap_or_else(|| self.graph.value_of(attribute))
    }
}

/// Values in which `\n`, `\t` and `\\` are escapes, as they are in pipelines, by their range in the file.
#[derive(Default)]
pub(crate) struct Unescaped(FxHashMap<TextRange, Box<str>>);

impl Unescaped {
    /// Reads the escapes of a value that has some; several nodes or edges may have it.
    pub(crate) fn add(&mut self, graph: &Graph, attribute: &graph::Attribute) {
        let value = || strings::unescape(graph.value_of(attribute)).into();
        let place = attribute.value_id.range;
        self.0.entry(place).or_insert_with(value);
    }

    fn find(&self, attribute: &graph::Attribute) -> Option<&str> {
        let found = self.0.get(&attribute.value_id.range)?;
        Some(found)
    }
}
