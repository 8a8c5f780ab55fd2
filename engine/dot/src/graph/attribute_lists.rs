//! Lists of attributes, those of all nodes and edges of a graph one after the other in one vector.
//!
//! A list grows in place while it is the last, or where it was given capacity; else it moves to the end. What
//! several objects have in common, such as the defaults in scope, is one list until one of them adds to it.

use super::name_filter::NameHash;
use super::{Attribute, Name, NameFilter};

/// Which attributes something has; [`Graph::list`](super::Graph::list) gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttributeList {
    start: u32,
    length: u32,
    /// So many places are its own; a list without any is shared, and is copied before it is changed.
    capacity: u32,
    /// The names of its attributes.
    names: NameFilter,
}

/// Where the attributes of a list are, without what it takes to ask for names or to add to it;
/// [`Graph::stretch`](super::Graph::stretch) gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListRange {
    start: u32,
    length: u32,
}

impl ListRange {
    /// How many there are.
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    pub(super) fn places(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len()
    }
}

impl AttributeList {
    /// Where its attributes are.
    pub fn range(self) -> ListRange {
        ListRange {
            start: self.start,
            length: self.length,
        }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Whether several objects have it.
    pub fn is_shared(self) -> bool {
        self.capacity == 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Whether an attribute of that name may be among them; `false` is certain.
    #[inline]
    pub fn may_contain(self, name: &str) -> bool {
        self.names.may_contain(name)
    }

    /// Notes a name of that class and says whether it may have been there; `false` is certain.
    #[inline]
    pub(super) fn note(&mut self, class: NameHash) -> bool {
        self.names.insert(class)
    }

    /// Makes it belong to several objects.
    pub(super) fn share(&mut self) -> Self {
        self.capacity = 0;
        *self
    }

    /// The place of each of its attributes.
    pub(super) fn places(self) -> std::ops::Range<usize> {
        self.range().places()
    }
}

/// Gives back the capacity a vector has left, if that is much.
pub(super) fn shrink<T>(items: &mut Vec<T>) {
    if items.capacity() - items.len() > items.len() / 8 {
        items.shrink_to_fit();
    }
}

/// The attributes of all lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lists(Vec<Attribute>);

impl Lists {
    /// Gives back the capacity that is left, if that is much.
    pub(super) fn shrink(&mut self) {
        shrink(&mut self.0);
    }

    #[inline]
    pub(super) fn of(&self, stretch: ListRange) -> &[Attribute] {
        self.0.get(stretch.places()).unwrap_or_default()
    }

    /// The attribute at one of the [`AttributeList::places`].
    pub(super) fn at(&self, place: usize) -> Option<Attribute> {
        self.0.get(place).copied()
    }

    /// Adds an attribute.
    #[inline]
    pub(super) fn push(&mut self, list: &mut AttributeList, attribute: Attribute) {
        if list.is_empty() && list.is_shared() {
            list.start = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        } else if list.is_shared() || list.places().end < self.0.len() {
            return self.push_inside(list, attribute);
        }
        self.0.push(attribute);
        list.length += 1;
        list.capacity = list.length;
    }

    /// Adds an attribute to a list that is not the last, or not its owner's alone.
    #[cold]
    fn push_inside(&mut self, list: &mut AttributeList, attribute: Attribute) {
        if list.length >= list.capacity {
            self.grow(list);
        }
        match self.0.get_mut(list.places().end) {
            Some(place) => *place = attribute,
            None => self.0.push(attribute),
        }
        list.length += 1;
        list.capacity = list.capacity.max(list.length);
    }

    /// Changes the attribute at `position` of the list.
    pub(super) fn replace(
        &mut self,
        list: &mut AttributeList,
        position: usize,
        attribute: Attribute,
    ) {
        if list.capacity == 0 {
            self.relocate(list);
        }
        if let Some(place) = self.0.get_mut(list.start as usize + position) {
            *place = attribute;
        }
    }

    /// The list without attributes of these names.
    pub(super) fn without(&mut self, list: AttributeList, names: &[Name]) -> AttributeList {
        let kept = self
            .of(list.range())
            .iter()
            .filter(|it| !names.contains(&it.name));
        let kept: Vec<Attribute> = kept.copied().collect();
        if kept.len() == list.len() {
            return list;
        }
        let mut rest = AttributeList {
            names: list.names,
            ..AttributeList::default()
        };
        for attribute in kept {
            self.push(&mut rest, attribute);
        }
        rest
    }

    /// Makes a full list able to grow.
    fn grow(&mut self, list: &mut AttributeList) {
        let own = list.capacity > 0;
        self.relocate(list);
        if own {
            // It grew before and may again: as a vector does, it takes twice its capacity.
            self.0.extend_from_within(list.places());
            list.capacity *= 2;
        }
    }

    /// Moves a list to the end.
    fn relocate(&mut self, list: &mut AttributeList) {
        let start = self.0.len();
        self.0.extend_from_within(list.places());
        list.start = u32::try_from(start).unwrap_or(u32::MAX);
        list.capacity = list.length;
    }
}
