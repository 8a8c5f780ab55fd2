//! Every condition of a pipeline with its place: those of edges, each place in the file once, and all others.

use std::ops::Range;

use attractor_dot::TextRange;

use crate::LintContext;
use crate::attribute_index::{AttributeSite, Place};
use attractor_lang::condition::Condition;

/// A condition and where it is written.
pub(crate) struct Placed<'s, 'p> {
    pub(crate) spot: AttributeSite<'p>,
    pub(crate) condition: &'s Condition,
    /// The byte of the attribute's value where the condition begins.
    start: usize,
}

impl Placed<'_, '_> {
    /// Where bytes of the condition are in the file.
    pub(crate) fn range(&self, text: &str, bytes: &Range<usize>) -> Option<TextRange> {
        let bytes = bytes.start + self.start..bytes.end + self.start;
        self.spot.attribute.place(text, bytes)
    }
}

/// The conditions that are of interest; each distinct one is asked about once.
pub(crate) fn conditions<'s, 'p>(
    ctx: &'s LintContext<'p>,
    of_interest: impl Fn(&Condition) -> bool,
) -> Vec<Placed<'s, 'p>> {
    let mut found = Vec::new();
    let mut last = None;
    for (on, condition, worth) in ctx.on_edges().judged(&of_interest) {
        // Edges of one statement share their condition.
        let range = on.written.value_range();
        if range.is_none() || last == range {
            continue;
        }
        last = range;
        if worth {
            let spot = AttributeSite {
                place: Place::Edge(on.ix),
                attribute: on.written,
            };
            found.push(Placed {
                spot,
                condition,
                start: 0,
            });
        }
    }
    let asked = ctx.asked().iter();
    found.extend(
        asked
            .filter(|asked| of_interest(&asked.condition))
            .map(|asked| Placed {
                spot: asked.spot,
                condition: &asked.condition,
                start: asked.bytes.start,
            }),
    );
    found
}
