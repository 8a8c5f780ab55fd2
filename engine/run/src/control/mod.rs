//! Requests of other processes to the owner of a run: answers, messages to nodes, cancellation.
//!
//! They go over a Unix socket of the owner, whose path the lock of the run names. The socket is in the folder for
//! temporary files, for its user alone; nothing in the folder of a run is a request. The owner looks up who sends, and
//! refuses what it has started itself, directly or not: no command of an agent answers a question of its run.
//!
//! One socket serves all runs of a process, while it owns any.

mod client;
pub(crate) mod pause_request;
pub(crate) mod refusal;
pub(crate) mod request;

pub use client::post;
pub use refusal::refusal;
pub use request::ControlRequest;
