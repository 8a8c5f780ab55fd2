//! Messages beyond plain LSP: the commands any client can call and the notifications a client may ask for.
//!
//! These types are the wire: names and fields are those of `docs/protocol.md`, camelCase, times RFC 3339,
//! durations in milliseconds, ranges in the negotiated encoding. Nothing here does anything.

pub mod commands;
pub mod engine;
pub mod file_changes;
pub mod inputs;
pub mod notifications;
pub mod providers;
#[cfg(test)]
mod reference;
pub mod run_control;
pub mod run_list;
pub mod scenarios;
pub mod semantic_diff;
pub mod trust;
pub mod ways;
