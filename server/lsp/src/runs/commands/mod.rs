//! One file per command: `handle` takes the argument and gives the result or a refusal.

pub(crate) mod answer;
pub(crate) mod cancel;
pub(crate) mod consent;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod graph;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod new;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod trust;
pub(crate) mod validate;
