//! Finding nodes by name.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// The positions of nodes by their names. It holds no names itself, so whoever asks says which node has which.
///
/// ```
/// use attractor_dot::graph::Ids;
/// let names = ["build", "test"];
/// let mut ids = Ids::default();
/// for at in 0..names.len() {
///     ids.insert(at, |at| names[at]);
/// }
/// assert_eq!(ids.find("test", |at| names[at]), Some(1));
/// assert_eq!(ids.find("deploy", |at| names[at]), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ids(HashTable<u32>);

impl Ids {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self(HashTable::with_capacity(count))
    }

    /// The node of that name, where `name_of` says the name of the node at a position.
    pub fn find<'n>(&self, name: &str, name_of: impl Fn(usize) -> &'n str) -> Option<usize> {
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

    /// Adds the node at a position, whose name is new.
    pub fn insert<'n>(&mut self, at: usize, name_of: impl Fn(usize) -> &'n str) {
        let Ok(at) = u32::try_from(at) else { return };
        let hash = |at: &u32| hash(name_of(*at as usize));
        self.0.insert_unique(hash(&at), at, hash);
    }
}

/// Two are equal if they find the same; of equal lists of nodes they always are.
impl PartialEq for Ids {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
    }
}

impl Eq for Ids {}

fn hash(name: &str) -> u64 {
    FxBuildHasher.hash_one(name)
}
