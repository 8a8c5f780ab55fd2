//! What the attributes of one graph mean in a pipeline: rows of the catalogue for their names, escapes undone in
//! their values. Every [`Attributes`](super::Attributes) of the pipeline reads the graph's own lists through it, so
//! that nothing is copied.

use std::sync::{Arc, OnceLock};

use attractor_dot::graph::{self, Graph, ListRange, NameHash};
use attractor_dot::{TextRange, strings};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::given::{Given, Lent};
use super::rows::Rows;
use crate::catalogue::{self, AttributeRow, Owner};

/// The graph, how to read it, and what its nodes have in common, kept once for all of them.
pub(crate) struct Meanings {
    graph: Arc<Graph>,
    rows: Rows,
    unescaped: Unescaped,
    classes: OnceLock<Vec<Box<[SmolStr]>>>,
    given: OnceLock<Vec<Given>>,
}

impl Meanings {
    pub(crate) fn new(graph: Arc<Graph>, rows: Rows, unescaped: Unescaped) -> Self {
        Self {
            graph,
            rows,
            unescaped,
            classes: OnceLock::new(),
            given: OnceLock::new(),
        }
    }

    /// Keeps the lists of classes that nodes have; the first time counts.
    pub(crate) fn keep_classes(&self, classes: Vec<Box<[SmolStr]>>) {
        self.classes.get_or_init(|| classes);
    }

    /// Keeps what nodes are given; the first time counts.
    pub(crate) fn keep_given(&self, given: Vec<Given>) {
        self.given.get_or_init(|| given);
    }

    /// A list of classes by its number.
    pub(super) fn classes(&self, number: u32) -> &[SmolStr] {
        let classes = self.classes.get().and_then(|all| all.get(number as usize));
        classes.map_or(&[], |classes| classes)
    }

    /// What a node is given, by its number.
    pub(super) fn given(&self, number: u32) -> &[Lent] {
        let given = self.given.get().and_then(|all| all.get(number as usize));
        given.map_or(&[], |given| &given.items)
    }

    /// The graph.
    #[inline]
    pub(crate) fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Attributes of an owner with what the catalogue says about them.
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

    /// What an attribute says.
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

/// Values in which `\n`, `\t` and `\\` are escapes, as they are in pipelines, by where they stand in the file.
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
