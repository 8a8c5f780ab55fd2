//! One pipeline in one step of a conversion: what the functions that make the edits see.

use attractor_dot::graph::Graph;
use attractor_dot::{TextRange, ast};
use attractor_model::{Dialect, Options, Pipeline};

/// One pipeline in one step.
pub(super) struct Step<'s> {
    pub(super) dialect: Dialect,
    pub(super) options: &'s Options,
    pub(super) text: &'s str,
    pub(super) tree: &'s ast::Graph,
    pub(super) graph: &'s Graph,
    /// What it meant at first.
    pub(super) meant: &'s Pipeline,
    /// How the dialect reads it now.
    pub(super) read: &'s Pipeline,
    /// The comment that names its dialect.
    pub(super) comment: Option<TextRange>,
    /// Whether a comment says that it is a pipeline.
    pub(super) said_pipeline: bool,
}
