//! Subagents: sessions that a session starts for parts of its work, within its limits and permissions.

mod environment;
mod manager;
mod tools;

pub(crate) use manager::{StartSession, SubSession, Subagents};
pub(crate) use tools::register;
