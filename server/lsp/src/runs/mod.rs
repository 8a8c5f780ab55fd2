//! The bridge between the editor and the engine.
//!
//! A command starts a run and answers with its id; a task of its own ([`follower`]) reads the run's events and notifies
//! the client. What the editor shows (lenses, diagnostics, actions) is computed when it is requested, from
//! [`run_views`]. No handler ever waits for a run. Where a run is, in this process, on the disk or on a server elsewhere, only
//! [`run_source`] knows.

pub(crate) mod failure_message;
pub(crate) mod follower;
pub(crate) mod gates;
mod other_process;
pub(crate) mod other_processes;
pub(crate) mod prepare;
pub(crate) mod progress;
pub(crate) mod projection;
pub(crate) mod registry;
pub(crate) mod remote_connection;
pub(crate) mod remote_documents;
pub(crate) mod remote_run;
pub(crate) mod remote_runs;
pub(crate) mod resumable_runs;
pub(crate) mod resume_prompt;
pub(crate) mod run_record;
pub(crate) mod run_source;
mod run_state;
pub(crate) mod run_views;
pub(crate) mod runs_on_disk;
pub(crate) mod server_run;
pub(crate) mod status;
pub(crate) mod trust_prompt;
