//! The HTTP face of the engine: submit pipelines, follow their events, answer their questions.
//!
//! A server is a reader of runs and a sender of commands; it holds no state of a run. It serves the runs of one folder:
//! those it started, and those of other processes. Every request but `/healthz` needs the token; see [`guard`] for who
//! is refused.
//!
//! `docs/http.md` is the reference of its paths.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

mod allowed_run;
mod body;
mod connections;
mod drawing;
mod error;
mod guard;
mod limits;
mod mcp;
#[cfg(test)]
mod openapi;
mod pipeline_source;
mod project;
mod protocol;
mod refused_pipeline;
mod routes;
mod runs;
mod sender;
mod server;
mod session;
mod shared;
mod submission;
mod submission_policy;
#[cfg(test)]
mod tests;
mod token;
mod unapproved;
mod view;

pub use limits::ServeLimits;
pub use server::{ServeOptions, Server};
pub use submission_policy::{AllowedHandlers, Submissions};
pub use token::Token;
