//! Changes of attributes of the graph. Those that nodes inherit are changes only where a node inherits them.

use attractor_model::lower::inherited_as;
use rustc_hash::FxHashMap;

use crate::attributes::{AttributeChange, Defaults, compare, settings};
use crate::difference::{Change, Subject};
use crate::topic::Topic;
use crate::versions::Versions;

/// The attributes that nodes inherit from the graph and that have changed there, with the number of nodes they have
/// changed for.
#[derive(Default)]
pub(crate) struct NodeDefaults(FxHashMap<&'static str, usize>);

impl NodeDefaults {
    /// Whether a change of what a node inherits follows from a change of the graph. It is counted then.
    pub(crate) fn explains(&mut self, name: &str) -> bool {
        let found = self.0.get_mut(name);
        found.is_some_and(|nodes| {
            *nodes += 1;
            true
        })
    }

    fn applies(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|nodes| *nodes > 0)
    }
}

/// The attributes of the graph that have changed, and those of them that are defaults of nodes.
pub(crate) fn compare_graphs(
    Versions {
        old, new, rename, ..
    }: Versions<'_>,
) -> (Vec<AttributeChange<'_>>, NodeDefaults) {
    let [before, after] = [old, new].map(|pipeline| settings(&pipeline.attributes));
    let changes = compare(before, after, Defaults::Apply, rename);
    let defaults = changes
        .iter()
        .filter_map(|change| Some((inherited_as(change.name)?, 0)));
    let defaults = NodeDefaults(defaults.collect());
    (changes, defaults)
}

/// The changes that have an effect, after the nodes have been compared.
pub(crate) fn effective(
    changes: Vec<AttributeChange<'_>>,
    defaults: &NodeDefaults,
) -> impl Iterator<Item = Change> {
    let effective = changes
        .into_iter()
        .filter(|change| inherited_as(change.name).is_none_or(|name| defaults.applies(name)));
    effective.map(|change| {
        let topic = Topic::of(change.name, change.row, Topic::Graph);
        change.into_change(topic, Subject::Pipeline)
    })
}
