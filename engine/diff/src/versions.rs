//! What is compared: two versions of a pipeline, with their nodes matched.

use attractor_model::{EdgeIx, Pipeline};

use crate::matching::Matching;

/// Two versions of a pipeline.
#[derive(Clone, Copy)]
pub(crate) struct Versions<'p> {
    pub(crate) old: &'p Pipeline,
    pub(crate) new: &'p Pipeline,
    pub(crate) matching: &'p Matching,
    /// The new id of an old node that was renamed.
    pub(crate) rename: &'p dyn Fn(&str) -> Option<&'p str>,
}

/// Of each new edge the old one, if neither its condition nor its place has changed.
pub(crate) type OldEdges = Vec<Option<EdgeIx>>;
