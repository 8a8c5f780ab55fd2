//! Finding nodes by name.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// The positions of nodes by their names. It holds no names itself, so whoever asks says which node has which.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeIndex(HashTable<u32>);

impl NodeIndex {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self(HashTable::with_capacity(count))
    }

    /// The node of that name, where `name_of` says the name of the node at a position.
    pub(super) fn find<'n>(&self, name: &str, name_of: impl Fn(usize) -> &'n str) -> Option<usize> {
        let is = |at: &u32| name_of(*at as usize) == name;
        Some(*self.0.find(hash(name), is)? as usize)
    }

    /// The node of that name; where there is none yet, it is added at the position `next`.
    pub(super) fn find_or_add<'n>(
        &mut self,
        name: &str,
        next: usize,
        name_of: impl Fn(usize) -> &'n str,
    ) -> usize {
        let is = |at: &u32| name_of(*at as usize) == name;
        let rehash = |at: &u32| hash(name_of(*at as usize));
        let Ok(at) = u32::try_from(next) else {
            return next;
        };
        match self.0.entry(hash(name), is, rehash) {
            Entry::Occupied(known) => *known.get() as usize,
            Entry::Vacant(unknown) => {
                unknown.insert(at);
                next
            }
        }
    }
}

/// Two are equal if they find the same; of equal lists of nodes they always are.
impl PartialEq for NodeIndex {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
    }
}

impl Eq for NodeIndex {}

fn hash(name: &str) -> u64 {
    FxBuildHasher.hash_one(name)
}

#[cfg(test)]
mod tests {
    use super::NodeIndex;

    #[test]
    fn a_name_has_the_position_it_was_added_at() {
        let names = ["build", "test"];
        let name_of = |at: usize| names[at];
        let mut ids = NodeIndex::default();
        for (at, name) in names.into_iter().enumerate() {
            assert_eq!(ids.find_or_add(name, at, name_of), at);
        }
        assert_eq!(ids.find_or_add("build", 2, name_of), 0);
        assert_eq!(ids.find("test", name_of), Some(1));
        assert_eq!(ids.find("deploy", name_of), None);
    }
}
