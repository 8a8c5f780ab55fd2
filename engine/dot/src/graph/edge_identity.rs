//! Which edges are one: those of a strict graph between the same nodes, and those with the same `key`.
//!
//! A strict graph can hold two edges between the same nodes: one made in a subgraph that has no
//! such edge, under a key that is new. An edge without a key is then the one met last of them, in
//! the innermost subgraph before the whole graph. Graphviz says so too as long as these two are all
//! that ends at the node; a third makes it go by where in memory the names of nodes happen to lie.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::scopes::ROOT;

/// Finds an edge that is there already.
pub(super) struct Edges {
    directed: bool,
    strict: bool,
    by_key: FxHashMap<(usize, usize, SmolStr), usize>,
    /// The edge met last between two ends within a graph or subgraph; kept for strict graphs.
    latest: FxHashMap<(usize, usize, usize), usize>,
    /// Which edge is within which graph or subgraph; kept for strict graphs.
    within: FxHashSet<(usize, usize)>,
}

/// The result of adding an edge.
pub(super) enum EdgeMatch {
    /// A new edge.
    New,
    /// The edge of this index; `reversed` if its ends are the other way round.
    Same { edge: usize, reversed: Reversed },
    /// Nothing: a strict graph has such an edge with another key.
    Refused,
}

/// Whether an undirected edge was found from its other end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reversed {
    Yes,
    No,
}

impl Edges {
    pub(super) fn new(directed: bool, strict: bool) -> Self {
        Self {
            directed,
            strict,
            by_key: FxHashMap::default(),
            latest: FxHashMap::default(),
            within: FxHashSet::default(),
        }
    }

    /// Whether an edge with `key` may be one that is there already.
    pub(super) fn may_exist(&self, key: Option<&str>) -> bool {
        self.strict || key.is_some()
    }

    /// Finds the edge `from`–`to` with `key` in the scopes `enclosing`, innermost first, or records it as the
    /// new edge with the index `next`.
    pub(super) fn find_or_note(
        &mut self,
        (from, to): (usize, usize),
        key: Option<&str>,
        enclosing: impl IntoIterator<Item = usize>,
        next: usize,
    ) -> EdgeMatch {
        let mut enclosing = enclosing.into_iter().peekable();
        let here = enclosing.peek().copied().unwrap_or(ROOT);
        match self.existing((from, to), key, here) {
            Some((edge, reversed)) => {
                let ends = match reversed {
                    Reversed::Yes => (to, from),
                    Reversed::No => (from, to),
                };
                self.note(edge, ends, here, enclosing);
                EdgeMatch::Same { edge, reversed }
            }
            // Graphviz looks for an edge with another key in the innermost subgraph only.
            None if self.latest.contains_key(&(here, from, to)) => EdgeMatch::Refused,
            None => {
                if let Some(key) = key {
                    self.by_key.insert((from, to, SmolStr::new(key)), next);
                }
                self.note(next, (from, to), here, enclosing);
                EdgeMatch::New
            }
        }
    }

    fn existing(
        &self,
        (from, to): (usize, usize),
        key: Option<&str>,
        here: usize,
    ) -> Option<(usize, Reversed)> {
        let either = |look: &dyn Fn(usize, usize) -> Option<usize>| {
            let reversed = || if self.directed { None } else { look(to, from) };
            let found = look(from, to).map(|edge| (edge, Reversed::No));
            found.or_else(|| reversed().map(|edge| (edge, Reversed::Yes)))
        };
        match key {
            Some(key) => either(&|from, to| {
                let named = (from, to, SmolStr::new(key));
                self.by_key.get(&named).copied()
            }),
            None => [here, ROOT]
                .into_iter()
                .find_map(|scope| either(&|from, to| self.latest.get(&(scope, from, to)).copied())),
        }
    }

    /// Notes that `edge` was met here, and makes it part of the scopes that lack it.
    fn note(
        &mut self,
        edge: usize,
        (from, to): (usize, usize),
        here: usize,
        enclosing: impl Iterator<Item = usize>,
    ) {
        if !self.strict {
            return;
        }
        if !self.within.contains(&(here, edge)) {
            self.latest.insert((ROOT, from, to), edge);
        }
        for scope in enclosing {
            self.latest.insert((scope, from, to), edge);
            if !self.within.insert((scope, edge)) {
                break;
            }
        }
    }
}
