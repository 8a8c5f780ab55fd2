//! Attributes of one owner, and the defaults in scope when it is created.

use rustc_hash::FxHashMap;

use super::attribute_lists::Lists;
use super::{Attribute, AttributeList, Name};

/// Adds `attribute`, or replaces the one of its name. `index` finds it when there are many.
#[inline]
pub(super) fn set(
    lists: &mut Lists,
    (list, owner): (&mut AttributeList, AttributeOwner),
    index: &mut Index,
    attribute: Attribute,
) {
    if list.note(attribute.class) && replace(lists, (list, owner), index, attribute) {
        return;
    }
    if list.len() >= MAX_LINEAR_SEARCH {
        index.added(list.len(), owner, attribute.name);
    }
    lists.push(list, attribute);
}

/// Replaces the attribute of that name, if there is one.
fn replace(
    lists: &mut Lists,
    (list, owner): (&mut AttributeList, AttributeOwner),
    index: &mut Index,
    attribute: Attribute,
) -> bool {
    let attributes = lists.of(list.range());
    let found = index.find(attributes, owner, attribute.name);
    if let Some(position) = found {
        let old = attributes.get(position);
        let is_default = old.is_some_and(|old| old.inherited);
        index.repeated |= !is_default || matches!(owner, AttributeOwner::Scope(..));
        lists.replace(list, position, attribute);
    }
    found.is_some()
}

/// Which owner attributes belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AttributeOwner {
    Node(usize),
    Edge(usize),
    /// A scope's own values or defaults.
    Scope(usize, Kind),
    /// The values a subgraph ends up with; those of the graph itself are of none.
    Subgraph(Option<usize>),
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
    positions: FxHashMap<AttributeOwner, FxHashMap<Name, usize>>,
    /// Whether a value took the place of another that was no default.
    pub(super) repeated: bool,
}

/// Up to so many attributes are looked through one by one.
const MAX_LINEAR_SEARCH: usize = 16;

impl Index {
    fn find(
        &mut self,
        attributes: &[Attribute],
        owner: AttributeOwner,
        name: Name,
    ) -> Option<usize> {
        let positions = || attributes.iter().map(|it| it.name);
        if attributes.len() <= MAX_LINEAR_SEARCH {
            return positions().position(|other| other == name);
        }
        let noted = self.positions.entry(owner);
        let noted = noted.or_insert_with(|| positions().zip(0..).collect());
        noted.get(&name).copied()
    }

    /// Notes an attribute that `owner` gets at `position`.
    fn added(&mut self, position: usize, owner: AttributeOwner, name: Name) {
        if let Some(noted) = self.positions.get_mut(&owner) {
            noted.insert(name, position);
        }
    }

    /// Forgets the positions of `owner`, whose attributes are no longer in the order noted.
    pub(super) fn forget(&mut self, owner: AttributeOwner) {
        if !self.positions.is_empty() {
            self.positions.remove(&owner);
        }
    }
}

/// A scope as nodes and edges note it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScopeId(u32);

impl ScopeId {
    pub(super) fn new(scope: usize) -> Self {
        Self(u32::try_from(scope).unwrap_or(u32::MAX))
    }

    /// The subgraph it is, if it is not the graph itself.
    pub(super) fn subgraph(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }
}

/// The scope of the graph itself; that of the subgraph `i` is `i + 1`.
pub(super) const ROOT: usize = 0;

/// A graph or subgraph as a place for defaults. They persist when a subgraph is opened again.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) parent: Option<usize>,
    graph: AttributeList,
    node: AttributeList,
    edge: AttributeList,
}

impl Scope {
    pub(super) fn inside(parent: usize) -> Self {
        Self {
            parent: Some(parent),
            ..Self::default()
        }
    }

    pub(super) fn of(&mut self, kind: Kind) -> &mut AttributeList {
        match kind {
            Kind::Graph => &mut self.graph,
            Kind::Node => &mut self.node,
            Kind::Edge => &mut self.edge,
        }
    }
}
