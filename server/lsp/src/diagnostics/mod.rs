//! When diagnostics are published.

pub(crate) mod publish;
pub(crate) mod queue;
pub(crate) mod settle;
