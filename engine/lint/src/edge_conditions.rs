//! The conditions of edges, found once for every lint that reads them. Few texts say what most edges ask, so a lint
//! looks at each distinct condition first and then at the edges of those that matter to it.

use rustc_hash::FxHashMap;

use attractor_lang::condition::Condition;
use attractor_model::Attribute;
use attractor_model::{Edge, EdgeIx, Pipeline};

/// An edge that asks something that can be read.
pub(crate) struct EdgeCondition<'p> {
    pub(crate) ix: EdgeIx,
    pub(crate) edge: &'p Edge,
    /// Where it is.
    pub(crate) written: Attribute<'p>,
    /// Its number among [`EdgeConditions::distinct`].
    number: usize,
}

/// Every condition on an edge that can be read.
pub(crate) struct EdgeConditions<'p> {
    /// Those that differ.
    pub(crate) distinct: Vec<&'p Condition>,
    /// The edges in the order written.
    pub(crate) all: Vec<EdgeCondition<'p>>,
}

impl<'p> EdgeConditions<'p> {
    /// One walk over the edges.
    pub(crate) fn of(pipeline: &'p Pipeline) -> Self {
        // Equal conditions are one, so their address identifies their text.
        let mut numbers: FxHashMap<*const Condition, usize> = FxHashMap::default();
        let mut found = Self {
            distinct: Vec::new(),
            all: Vec::new(),
        };
        for (ix, edge) in pipeline.indexed_edges() {
            let Some(condition) = edge.condition.as_deref() else {
                continue;
            };
            let Some(written) = edge.attributes.get("condition") else {
                continue;
            };
            let number = *numbers.entry(condition).or_insert_with(|| {
                found.distinct.push(condition);
                found.distinct.len() - 1
            });
            found.all.push(EdgeCondition {
                ix,
                edge,
                written,
                number,
            });
        }
        found
    }

    /// The edges with whether their condition is one `of_interest`, which is asked once for each distinct condition.
    pub(crate) fn classify(
        &self,
        of_interest: impl Fn(&Condition) -> bool,
    ) -> impl Iterator<Item = (&EdgeCondition<'p>, &'p Condition, bool)> {
        let classify: Vec<(&Condition, bool)> = self
            .distinct
            .iter()
            .map(|condition| (*condition, of_interest(condition)))
            .collect();
        self.all.iter().filter_map(move |on| {
            let (condition, of_interest) = *classify.get(on.number)?;
            Some((on, condition, of_interest))
        })
    }
}
