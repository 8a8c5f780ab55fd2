//! How much is told of a run.

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Nothing but a failure, in one line.
    Quiet,
    /// A line per node.
    #[default]
    Brief,
    /// Everything.
    Verbose,
}
