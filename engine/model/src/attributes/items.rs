//! Lists of attributes, those of all nodes and edges of a pipeline one after the other in one.

use std::sync::Arc;

use attractor_dot::graph::NameSet;

use super::attribute::Attribute;

/// The attributes of one owner: a part of a list that others may share.
#[derive(Clone, Debug)]
pub(super) struct Items {
    all: Arc<Vec<Attribute>>,
    start: u32,
    end: u32,
}

impl Items {
    #[inline]
    pub(super) fn as_slice(&self) -> &[Attribute] {
        let range = self.start as usize..self.end as usize;
        self.all.get(range).unwrap_or_default()
    }

    /// Changes them; they become a list of their own.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Vec<Attribute>)) {
        let mut own = self.as_slice().to_vec();
        change(&mut own);
        *self = Self::from(own);
    }
}

impl From<Vec<Attribute>> for Items {
    fn from(items: Vec<Attribute>) -> Self {
        Self {
            start: 0,
            end: u32::try_from(items.len()).unwrap_or(u32::MAX),
            all: Arc::new(items),
        }
    }
}

/// The attributes of many owners, being collected.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    all: Vec<Attribute>,
}

/// The attributes of one of the owners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered {
    start: u32,
    end: u32,
    pub(super) names: NameSet,
}

impl Gathering {
    /// With room for so many.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            all: Vec::with_capacity(count),
        }
    }

    /// Begins the attributes of the next owner.
    pub(crate) fn begin(&self) -> Gathered {
        let start = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        Gathered {
            start,
            end: start,
            names: NameSet::default(),
        }
    }

    /// Adds an attribute to those of the owner begun last; one of the same name that is there is replaced unless it
    /// `stays`. `name` is its canonical name, as a set of one.
    #[inline]
    pub(crate) fn set_unless(
        &mut self,
        owner: &mut Gathered,
        attribute: Attribute,
        name: NameSet,
        stays: impl FnOnce(&Attribute) -> bool,
    ) {
        if owner.names.may_share(name) {
            let own = self.all.get_mut(owner.start as usize..);
            let mut own = own.unwrap_or_default().iter_mut();
            if let Some(old) = own.find(|item| item.name() == attribute.name()) {
                if !stays(old) {
                    *old = attribute;
                }
                return;
            }
        }
        owner.names.join(name);
        self.all.push(attribute);
        owner.end += 1;
    }

    /// All of them, to be shared by their owners.
    pub(crate) fn finish(self) -> Gathers {
        Gathers(Arc::new(self.all))
    }
}

/// The attributes of many owners, collected.
#[derive(Debug)]
pub(crate) struct Gathers(Arc<Vec<Attribute>>);

impl Gathers {
    /// Those of one of the owners.
    pub(super) fn of(&self, owner: Gathered) -> Items {
        Items {
            all: Arc::clone(&self.0),
            start: owner.start,
            end: owner.end,
        }
    }
}
