//! How much is printed of a run.

/// How much is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// Only a failure, in one line.
    Quiet,
    /// A line per node.
    #[default]
    Brief,
    /// Everything.
    Verbose,
}
