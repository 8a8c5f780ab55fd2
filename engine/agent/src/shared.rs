//! What the agents of one run share: facts with their state, such as a check that failed at one node and passed at
//! another, never instructions.
//!
//! A *worker* is a session (the agent of a node) or one of its subagents. Workers run at the same time, or one after
//! another.
//!
//! | part | what it holds |
//! |---|---|
//! | [`SharedContextState`] | checks and their results, failures per worker, references that compaction removed, insights |
//! | [`SharedEconomicsState`] | calls that several workers repeat, tokens per worker |
//! | [`WorkerBudgetTracker`] | what one worker uses, and its limits |
//! | [`SharedContextEngine`] | the system prompt of a worker |
//! | [`PersistenceAdapter`] | where it is kept: JSON files |
//!
//! [`SharedState`] is all of it for one run; a session has a [`SharedWorker`].

mod checks;
mod context;
mod economics;
mod engine;
mod fingerprint;
mod persistence;
mod state;
mod worker_budget;
mod worker_id;

pub use checks::CheckResult;
pub use context::{Reference, SharedContextConfig, SharedContextState, WorkerFailure};
pub use economics::{GlobalDoomLoop, SharedEconomicsState};
pub use engine::{SharedContextEngine, SharedContextEngineConfig, WorkerTask};
pub use fingerprint::fingerprint;
pub use persistence::{
    JsonFilePersistenceAdapter, PersistenceAdapter, PersistenceError, SqlitePersistenceAdapter,
};
pub use state::{DoomDecision, SharedState, SharedWorker};
pub use worker_budget::{WorkerBudgetConfig, WorkerBudgetTracker, WorkerLimit};
