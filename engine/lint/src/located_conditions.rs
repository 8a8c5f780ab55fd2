//! Every condition of a pipeline with its place: those of edges, each place in the file once, and all others.

use std::ops::Range;

use attractor_dot::TextRange;

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::edge_conditions::EdgeConditions;
use crate::node_conditions::NodeCondition;
use attractor_lang::condition::Condition;

/// A condition and where it is written.
pub(crate) struct LocatedCondition<'s, 'p> {
    pub(crate) site: AttributeSite<'p>,
    pub(crate) condition: &'s Condition,
    /// The byte of the attribute's value where the condition begins.
    start: usize,
}

impl LocatedCondition<'_, '_> {
    /// Where bytes of the condition are in the file.
    pub(crate) fn range(&self, text: &str, bytes: &Range<usize>) -> Option<TextRange> {
        let bytes = bytes.start + self.start..bytes.end + self.start;
        self.site.attribute.range_of(text, bytes)
    }
}

/// The conditions that are of interest; each distinct one is asked about once.
pub(crate) fn conditions<'s, 'p>(
    edges: &'s EdgeConditions<'p>,
    nodes: &'s [NodeCondition<'p>],
    of_interest: impl Fn(&Condition) -> bool,
) -> Vec<LocatedCondition<'s, 'p>> {
    let mut found = Vec::new();
    let mut last = None;
    for (on, condition, worth) in edges.classify(&of_interest) {
        // Edges of one statement share their condition.
        let range = on.written.value_range();
        if range.is_none() || last == range {
            continue;
        }
        last = range;
        if worth {
            let site = AttributeSite {
                target: AttributeTarget::Edge(on.ix),
                attribute: on.written,
            };
            found.push(LocatedCondition {
                site,
                condition,
                start: 0,
            });
        }
    }
    let of_nodes = nodes.iter();
    found.extend(
        of_nodes
            .filter(|on| of_interest(&on.condition))
            .map(|on| LocatedCondition {
                site: on.site,
                condition: &on.condition,
                start: on.bytes.start,
            }),
    );
    found
}
