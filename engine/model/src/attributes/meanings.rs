//! What the attributes of one graph mean in a pipeline: rows of the catalogue for their names, escapes undone in
//! their values. Every [`Attributes`](super::Attributes) of the pipeline reads the graph's own lists through it, so
//! that nothing is copied.

use std::num::NonZeroU16;
use std::sync::{Arc, OnceLock};

use attractor_dot::graph::{self, Graph, Name, NameClass, Stretch};
use attractor_dot::{TextRange, strings};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::given::{Given, Lent};
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
        written: Stretch,
    ) -> impl Iterator<Item = (&graph::Attribute, Option<&'static AttributeRow>)> {
        let of = self.rows.of(owner);
        let attributes = self.graph.stretch(written).iter();
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
        written: Stretch,
        (name, class): (&str, NameClass),
    ) -> Option<(&graph::Attribute, Option<&'static AttributeRow>)> {
        let of = self.rows.of(owner);
        let attributes = self.graph.stretch(written);
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
        written: Stretch,
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

/// A name on an owner.
#[derive(Clone, Copy)]
struct Meaning {
    /// What the catalogue says; `None` when it means nothing there.
    row: Option<&'static AttributeRow>,
    /// The class of its canonical name.
    class: NameClass,
    /// The next name of that class.
    next: Link,
}

impl Meaning {
    /// Whether the name with that number means this canonical one.
    #[inline]
    fn is(&self, canonical: &str, at: usize, graph: &Graph) -> bool {
        match self.row {
            Some(row) if !row.family => row.name == canonical,
            _ => graph.names().get(at).is_some_and(|name| name == canonical),
        }
    }
}

/// The number of a name, if there is one.
type Link = Option<NonZeroU16>;

/// Names beyond these are looked up each time; no graph but a made-up one has so many.
const NOTED: usize = 256;

/// The names of one graph on each owner, looked up once for each.
pub(crate) struct Rows([OfOwner; Owner::COUNT]);

impl Default for Rows {
    fn default() -> Self {
        Self(std::array::from_fn(|_| OfOwner::default()))
    }
}

/// The names on one owner.
struct OfOwner {
    /// By the number of the name.
    noted: Vec<Option<Meaning>>,
    /// The first name of each class, counted from 1.
    first: [Link; NameClass::COUNT],
    /// Whether two of the names may mean the same.
    synonyms: bool,
    /// Whether there are names that are not noted.
    more: bool,
}

impl Default for OfOwner {
    fn default() -> Self {
        Self {
            noted: Vec::new(),
            first: [None; NameClass::COUNT],
            synonyms: false,
            more: false,
        }
    }
}

impl OfOwner {
    #[inline]
    fn noted(&self, name: Name) -> Option<&Meaning> {
        self.noted.get(name.index())?.as_ref()
    }

    /// The first noted name of a class.
    #[inline]
    fn first(&self, class: NameClass) -> Link {
        *self.first.get(class.index())?
    }

    /// What a link leads to, and its number.
    #[inline]
    fn at(&self, link: Link) -> Option<(usize, &Meaning)> {
        let at = usize::from(link?.get()) - 1;
        Some((at, self.noted.get(at)?.as_ref()?))
    }
}

impl Rows {
    /// The class of the canonical name of an attribute on an owner; what the name means is noted.
    #[inline]
    pub(crate) fn class(
        &mut self,
        owner: Owner,
        graph: &Graph,
        attribute: &graph::Attribute,
    ) -> NameClass {
        match self.of(owner).noted(attribute.name) {
            Some(meaning) => meaning.class,
            None => self.look_up(owner, graph, attribute),
        }
    }

    /// Whether two names that were asked for on an owner may mean the same; `false` is certain.
    pub(crate) fn has_synonyms(&self, owner: Owner) -> bool {
        self.of(owner).synonyms
    }

    #[inline]
    fn of(&self, owner: Owner) -> &OfOwner {
        let [first, ..] = &self.0;
        self.0.get(owner.index()).unwrap_or(first)
    }

    fn look_up(&mut self, owner: Owner, graph: &Graph, attribute: &graph::Attribute) -> NameClass {
        let written = graph.name_of(attribute);
        let row = catalogue::attribute(owner, written);
        let name = catalogue::canonical(row, written);
        let class = NameClass::of(name);
        let at = attribute.name.index();
        let Some(of) = self.0.get_mut(owner.index()) else {
            return class;
        };
        let link = u16::try_from(at + 1).ok().and_then(NonZeroU16::new);
        of.noted.resize(graph.names().len().min(NOTED), None);
        let next = |meaning: &Meaning| of.at(meaning.next);
        let mut known = std::iter::successors(of.at(of.first(class)), |(_, last)| next(last));
        let same = known.any(|(at, other)| other.is(name, at, graph));
        let noted = of.noted.get_mut(at).zip(of.first.get_mut(class.index()));
        of.synonyms |= same || noted.is_none();
        of.more |= noted.is_none();
        if let Some((noted, first)) = noted {
            let next = std::mem::replace(first, link);
            *noted = Some(Meaning { row, class, next });
        }
        class
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
