//! Which nodes of two versions are the same: those of one id, and those that were renamed.
//!
//! A renamed node has the same kind, and nearly the same attributes or neighbours. Nodes that are not found in both
//! versions are compared each with each while they are few, and by equal attributes otherwise.

use attractor_model::{NodeIx, Pipeline};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::similarity::{Profile, share};

/// Most pairs of nodes that are compared.
const MOST_PAIRS: usize = 10_000;
/// Rounds in which nodes are matched by neighbours that were matched before.
const ROUNDS: usize = 4;

/// The nodes of both versions.
pub(crate) struct Matching {
    /// Of each old node the new one.
    to_new: Vec<Option<NodeIx>>,
    /// Of each new node the old one.
    to_old: Vec<Option<NodeIx>>,
}

impl Matching {
    pub(crate) fn of(old: &Pipeline, new: &Pipeline) -> Self {
        let mut matching = Self {
            to_new: old.nodes.iter().map(|node| new.by_id(&node.id)).collect(),
            to_old: new.nodes.iter().map(|node| old.by_id(&node.id)).collect(),
        };
        let removed = unmatched(&matching.to_new);
        let added = unmatched(&matching.to_old);
        if !removed.is_empty() && !added.is_empty() {
            Renames::new((old, removed), (new, added)).find(&mut matching);
        }
        matching
    }

    pub(crate) fn to_new(&self, old: NodeIx) -> Option<NodeIx> {
        self.to_new.get(old.index()).copied().flatten()
    }

    pub(crate) fn to_old(&self, new: NodeIx) -> Option<NodeIx> {
        self.to_old.get(new.index()).copied().flatten()
    }

    /// The new ids of renamed nodes.
    pub(crate) fn new_ids<'p>(
        &self,
        old: &'p Pipeline,
        new: &'p Pipeline,
    ) -> FxHashMap<&'p str, &'p str> {
        let nodes = old.indexed_nodes();
        let pairs = nodes.filter_map(|(ix, node)| {
            let id = new.id(self.to_new(ix)?);
            (*id != *node.id).then_some((&*node.id, id))
        });
        pairs.collect()
    }

    fn join(&mut self, old: NodeIx, new: NodeIx) {
        if let Some(place) = self.to_new.get_mut(old.index()) {
            *place = Some(new);
        }
        if let Some(place) = self.to_old.get_mut(new.index()) {
            *place = Some(old);
        }
    }
}

fn unmatched(nodes: &[Option<NodeIx>]) -> Vec<NodeIx> {
    let nodes = nodes.iter().enumerate();
    let unmatched = nodes.filter(|(_, matched)| matched.is_none());
    unmatched.map(|(index, _)| NodeIx::new(index)).collect()
}

/// Two nodes that may be the same.
struct Candidate {
    old: NodeIx,
    new: NodeIx,
    /// How alike their attributes are; none if neither has any.
    alike: Option<f64>,
    is_distinctive: bool,
}

/// The search for renamed nodes.
struct Renames<'p> {
    old: &'p Pipeline,
    new: &'p Pipeline,
    removed: Vec<(NodeIx, Profile<'p>)>,
    added: Vec<(NodeIx, Profile<'p>)>,
}

impl<'p> Renames<'p> {
    fn new(
        (old, removed): (&'p Pipeline, Vec<NodeIx>),
        (new, added): (&'p Pipeline, Vec<NodeIx>),
    ) -> Self {
        let profiles = |pipeline: &'p Pipeline, nodes: Vec<NodeIx>| {
            let nodes = nodes.into_iter();
            nodes
                .filter_map(|ix| Some((ix, Profile::of(pipeline.node(ix)?))))
                .collect()
        };
        Self {
            old,
            new,
            removed: profiles(old, removed),
            added: profiles(new, added),
        }
    }

    fn find(mut self, matching: &mut Matching) {
        self.match_equal(matching);
        self.retain_unmatched(matching);
        if self.removed.len() * self.added.len() > MOST_PAIRS {
            return;
        }
        let candidates = self.candidates();
        for _ in 0..ROUNDS {
            if !self.match_alike(&candidates, matching) {
                return;
            }
        }
    }

    /// Matches nodes with equal attributes that no other unmatched node has.
    fn match_equal(&self, matching: &mut Matching) {
        let mut equal: FxHashMap<u64, [Vec<NodeIx>; 2]> = FxHashMap::default();
        for (ix, profile) in self.removed.iter().filter(|(_, one)| one.is_distinctive) {
            let [removed, _] = equal.entry(profile.signature).or_default();
            removed.push(*ix);
        }
        for (ix, profile) in self.added.iter().filter(|(_, one)| one.is_distinctive) {
            let [_, added] = equal.entry(profile.signature).or_default();
            added.push(*ix);
        }
        for [removed, added] in equal.into_values() {
            if let ([old], [new]) = (removed.as_slice(), added.as_slice()) {
                matching.join(*old, *new);
            }
        }
    }

    fn retain_unmatched(&mut self, matching: &Matching) {
        self.removed
            .retain(|(ix, _)| matching.to_new(*ix).is_none());
        self.added.retain(|(ix, _)| matching.to_old(*ix).is_none());
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (old, one) in &self.removed {
            for (new, other) in &self.added {
                let alike = one.alike(other);
                if alike.is_none_or(|alike| alike >= 0.5) {
                    candidates.push(Candidate {
                        old: *old,
                        new: *new,
                        alike,
                        is_distinctive: one.is_distinctive,
                    });
                }
            }
        }
        candidates
    }

    /// Matches the most similar nodes; whether there were any.
    fn match_alike(&self, candidates: &[Candidate], matching: &mut Matching) -> bool {
        let mut accepted = Vec::new();
        for Candidate {
            old,
            new,
            alike,
            is_distinctive,
        } in candidates
        {
            if matching.to_new(*old).is_some() || matching.to_old(*new).is_some() {
                continue;
            }
            let near = self.near(*old, *new, matching);
            let is_same = match alike {
                None => near.is_some_and(|near| near > 0.99),
                Some(alike) => {
                    *alike > 0.8 && *is_distinctive && near.is_none_or(|near| near > 0.0)
                        || near.is_some_and(|near| *alike >= 0.5 && near >= 0.5)
                }
            };
            if is_same {
                let score = 2.0 * alike.unwrap_or(0.5) + near.unwrap_or(0.5);
                accepted.push((score, *old, *new));
            }
        }
        accepted.sort_by(|left, right| right.0.total_cmp(&left.0));
        let is_some = !accepted.is_empty();
        for (_, old, new) in accepted {
            if matching.to_new(old).is_none() && matching.to_old(new).is_none() {
                matching.join(old, new);
            }
        }
        is_some
    }

    /// The share of neighbours that two nodes have in common, of those that are matched; none without any.
    fn near(&self, old: NodeIx, new: NodeIx, matching: &Matching) -> Option<f64> {
        let ends = |pipeline: &Pipeline, ix: NodeIx| -> Vec<(bool, NodeIx)> {
            let out = pipeline.successors(ix).map(|ix| (true, ix));
            out.chain(pipeline.predecessors(ix).map(|ix| (false, ix)))
                .collect()
        };
        let before: FxHashSet<(bool, NodeIx)> = ends(self.old, old)
            .into_iter()
            .filter_map(|(out, ix)| Some((out, matching.to_new(ix)?)))
            .collect();
        let after: FxHashSet<(bool, NodeIx)> = ends(self.new, new)
            .into_iter()
            .filter(|(_, ix)| matching.to_old(*ix).is_some())
            .collect();
        let all = before.union(&after).count();
        (all > 0).then(|| share(before.intersection(&after).count(), all))
    }
}
