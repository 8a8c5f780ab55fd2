//! How much is told of a run.

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// A line per node.
    #[default]
    Brief,
    /// Everything.
    Verbose,
}
