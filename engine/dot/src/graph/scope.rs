//! Attributes of one object, and the defaults in scope when it is created.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{Attribute, NameSet};

/// Sets `attribute`, replacing one of the same name. `at` finds the place when there are many.
pub(super) fn set(
    attributes: &mut Vec<Attribute>,
    index: &mut Index,
    object: Object,
    attribute: Attribute,
) {
    let place = index.find(attributes, object, &attribute.name);
    if let Some(old) = place.and_then(|place| attributes.get_mut(place)) {
        *old = attribute;
    } else {
        attributes.push(attribute);
        index.added(attributes, object);
    }
}

/// [`set`], where `names` tells quickly that there is none of the same name.
#[inline]
pub(super) fn add(
    (attributes, names): (&mut Vec<Attribute>, &mut NameSet),
    index: &mut Index,
    object: Object,
    attribute: Attribute,
) {
    if names.insert(&attribute.name) {
        return set(attributes, index, object, attribute);
    }
    attributes.push(attribute);
    index.added(attributes, object);
}

/// Which object attributes belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Object {
    Node(usize),
    Edge(usize),
    /// A scope's own values or defaults.
    Scope(usize, Kind),
    /// The values a subgraph ends up with.
    Subgraph(usize),
    /// What the lists of a statement say.
    Statement,
}

/// What defaults are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Graph,
    Node,
    Edge,
}

/// Finds attributes of objects that have so many that looking through them would be slow.
#[derive(Default)]
pub(super) struct Index {
    places: FxHashMap<Object, FxHashMap<SmolStr, usize>>,
}

/// Up to so many attributes are looked through one by one.
const FEW: usize = 16;

impl Index {
    fn find(&self, attributes: &[Attribute], object: Object, name: &str) -> Option<usize> {
        if attributes.len() <= FEW {
            return attributes
                .iter()
                .position(|attribute| attribute.name == name);
        }
        self.places.get(&object)?.get(name).copied()
    }

    /// Notes that the last of `attributes` is new, or all of them where none is noted.
    #[inline]
    pub(super) fn added(&mut self, attributes: &[Attribute], object: Object) {
        if attributes.len() > FEW {
            self.note(attributes, object);
        }
    }

    fn note(&mut self, attributes: &[Attribute], object: Object) {
        let places = self.places.entry(object).or_default();
        let from = if places.is_empty() {
            0
        } else {
            attributes.len() - 1
        };
        for (place, attribute) in attributes.iter().enumerate().skip(from) {
            places.insert(attribute.name.clone(), place);
        }
    }

    /// Forgets the places of `object`, whose attributes are no longer in the order noted.
    pub(super) fn forget(&mut self, object: Object, attributes: &[Attribute]) {
        if !self.places.is_empty() && self.places.remove(&object).is_some() {
            self.added(attributes, object);
        }
    }
}

/// A graph or subgraph as a place for defaults. They persist when a subgraph is opened again.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) parent: Option<usize>,
    pub(super) graph: Vec<Attribute>,
    pub(super) node: Vec<Attribute>,
    pub(super) edge: Vec<Attribute>,
}

impl Scope {
    pub(super) fn of(&self, kind: Kind) -> &Vec<Attribute> {
        match kind {
            Kind::Graph => &self.graph,
            Kind::Node => &self.node,
            Kind::Edge => &self.edge,
        }
    }

    pub(super) fn of_mut(&mut self, kind: Kind) -> &mut Vec<Attribute> {
        match kind {
            Kind::Graph => &mut self.graph,
            Kind::Node => &mut self.node,
            Kind::Edge => &mut self.edge,
        }
    }
}
