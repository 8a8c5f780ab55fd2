//! What the catalogue says about the names of one graph, looked up once for each owner.

use std::num::NonZeroU16;

use attractor_dot::graph::{self, Graph, Name, NameHash};

use crate::catalogue::{self, AttributeRow, Owner};

/// A name on an owner.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    /// What the catalogue says; `None` when it means nothing there.
    pub(super) row: Option<&'static AttributeRow>,
    /// The class of its canonical name.
    class: NameHash,
    /// The next name of that class.
    pub(super) next: Link,
}

impl Meaning {
    /// Whether the name with that number means this canonical one.
    #[inline]
    pub(super) fn is(&self, canonical: &str, at: usize, graph: &Graph) -> bool {
        match self.row {
            Some(row) if !row.family => row.name == canonical,
            _ => graph.names().get(at).is_some_and(|name| name == canonical),
        }
    }
}

/// The number of a name, if there is one.
pub(super) type Link = Option<NonZeroU16>;

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
pub(super) struct OfOwner {
    /// By the number of the name.
    noted: Vec<Option<Meaning>>,
    /// The first name of each class, counted from 1.
    first: [Link; NameHash::COUNT],
    /// Whether two of the names may mean the same.
    synonyms: bool,
    /// Whether there are names that are not noted.
    pub(super) more: bool,
}

impl Default for OfOwner {
    fn default() -> Self {
        Self {
            noted: Vec::new(),
            first: [None; NameHash::COUNT],
            synonyms: false,
            more: false,
        }
    }
}

impl OfOwner {
    #[inline]
    pub(super) fn noted(&self, name: Name) -> Option<&Meaning> {
        self.noted.get(name.index())?.as_ref()
    }

    /// The first noted name of a class.
    #[inline]
    pub(super) fn first(&self, class: NameHash) -> Link {
        *self.first.get(class.index())?
    }

    /// What a link leads to, and its number.
    #[inline]
    pub(super) fn at(&self, link: Link) -> Option<(usize, &Meaning)> {
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
    ) -> NameHash {
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
    pub(super) fn of(&self, owner: Owner) -> &OfOwner {
        let [first, ..] = &self.0;
        self.0.get(owner.index()).unwrap_or(first)
    }

    fn look_up(&mut self, owner: Owner, graph: &Graph, attribute: &graph::Attribute) -> NameHash {
        let written = graph.name_of(attribute);
        let row = catalogue::attribute(owner, written);
        let name = catalogue::canonical(row, written);
        let class = NameHash::of(name);
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
