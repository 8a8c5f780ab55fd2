//! What the attributes of one graph mean in a pipeline: rows of the catalogue for their names, escapes undone in
//! their values. Every [`Attributes`](super::Attributes) of the pipeline reads the graph's own lists through it, so
//! that nothing is copied.

use std::sync::Arc;

use attractor_dot::graph::{self, Graph, NameSet, Stretch};
use attractor_dot::{TextRange, strings};
use rustc_hash::FxHashMap;

use crate::catalogue::{self, AttributeRow, Owner};

/// The graph, and how to read it.
pub(crate) struct Meanings {
    graph: Arc<Graph>,
    rows: Rows,
    unescaped: Unescaped,
}

impl Meanings {
    pub(crate) fn new(graph: Arc<Graph>, rows: Rows, unescaped: Unescaped) -> Self {
        Self {
            graph,
            rows,
            unescaped,
        }
    }

    /// The graph.
    #[inline]
    pub(crate) fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Attributes of an owner with what their names mean on it.
    #[inline]
    pub(super) fn read(
        &self,
        owner: Owner,
        written: Stretch,
    ) -> impl Iterator<Item = (&graph::Attribute, Meaning)> {
        let noted = self.rows.of(owner);
        self.graph.stretch(written).iter().map(move |attribute| {
            let meaning = match noted.get(attribute.name.index()) {
                Some(Some(meaning)) => *meaning,
                _ => Meaning::of(owner, self.graph.name_of(attribute)),
            };
            (attribute, meaning)
        })
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

/// A name on an owner.
#[derive(Clone, Copy)]
pub(crate) struct Meaning {
    /// What the catalogue says; `None` when it means nothing there.
    pub(crate) row: Option<&'static AttributeRow>,
    /// Its canonical name, as a set of one.
    pub(crate) name: NameSet,
}

impl Meaning {
    #[cold]
    fn of(owner: Owner, written: &str) -> Self {
        let row = catalogue::attribute(owner, written);
        Self {
            row,
            name: std::iter::once(catalogue::canonical(row, written)).collect(),
        }
    }
}

/// Names beyond these are looked up each time; no graph but a made-up one has so many.
const NOTED: usize = 256;

/// The names of one graph on each owner, looked up once for each.
#[derive(Default)]
pub(crate) struct Rows([OfOwner; Owner::COUNT]);

#[derive(Default)]
struct OfOwner {
    /// By the number of the name.
    noted: Vec<Option<Meaning>>,
    /// Whether two of the names may mean the same.
    synonyms: bool,
}

impl Rows {
    /// What the name of an attribute means on an owner; noted for the next time.
    #[inline]
    pub(crate) fn meaning(
        &mut self,
        owner: Owner,
        graph: &Graph,
        attribute: &graph::Attribute,
    ) -> Meaning {
        match self.of(owner).get(attribute.name.index()) {
            Some(Some(meaning)) => *meaning,
            _ => self.look_up(owner, graph, attribute),
        }
    }

    /// Whether two names that were asked for on an owner may mean the same; `false` is certain.
    pub(crate) fn has_synonyms(&self, owner: Owner) -> bool {
        self.0.get(owner.index()).is_none_or(|of| of.synonyms)
    }

    #[inline]
    fn of(&self, owner: Owner) -> &[Option<Meaning>] {
        let of = self.0.get(owner.index());
        of.map_or(&[], |of| &of.noted)
    }

    fn look_up(&mut self, owner: Owner, graph: &Graph, attribute: &graph::Attribute) -> Meaning {
        let written = graph.name_of(attribute);
        let meaning = Meaning::of(owner, written);
        let Some(of_owner) = self.0.get_mut(owner.index()) else {
            return meaning;
        };
        let names = graph.names();
        of_owner.noted.resize(names.len().min(NOTED), None);
        let known = of_owner.noted.iter().zip(names);
        let mut known = known.filter_map(|(noted, name)| Some((noted.as_ref()?, name)));
        let name = catalogue::canonical(meaning.row, written);
        let is_synonym = known.any(|(noted, other)| {
            noted.name == meaning.name && catalogue::canonical(noted.row, other) == name
        });
        match of_owner.noted.get_mut(attribute.name.index()) {
            Some(noted) => {
                *noted = Some(meaning);
                of_owner.synonyms |= is_synonym;
            }
            None => of_owner.synonyms = true,
        }
        meaning
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
