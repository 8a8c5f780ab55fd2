//! What a search for scenarios gives.

use attractor_dot::TextRange;

use super::assignment::Plan;
use crate::expectation::End;
use crate::trace::Trace;

/// Scenarios of one pipeline, and the edges they cannot cover.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The pipeline.
    pub graph: String,
    /// The scenarios, the plain one first.
    pub scenarios: Vec<GeneratedScenario>,
    /// How many edges the pipeline has.
    pub edges: usize,
    /// Edges that no scenario takes.
    pub uncovered: Vec<Uncovered>,
}

/// A scenario that was found.
#[derive(Clone, Debug)]
pub struct GeneratedScenario {
    /// Its name.
    pub name: String,
    pub(crate) plan: Plan,
    /// The limit that stops a run without an end.
    pub(crate) max_steps: Option<u64>,
    /// The run that it describes.
    pub trace: Trace,
    /// The edges it covers, by their places in the pipeline.
    pub covers: Vec<usize>,
}

/// An edge that no scenario takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// `a -> b [condition]`.
    pub edge: String,
    /// Where it is.
    pub range: TextRange,
    /// Why.
    pub reason: String,
}

impl GeneratedScenario {
    /// How its run ended.
    pub(super) fn end(&self) -> End {
        End::of(self.trace.report.status)
    }
}
