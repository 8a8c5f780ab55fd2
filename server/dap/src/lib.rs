//! `attractor dap`: a debugger for runs of pipelines, over the Debug Adapter Protocol.
//!
//! A run is launched or attached to; one that has ended can be looked at. Breakpoints are met by the process of the run
//! itself, before the work of a node begins. Steps back go through the journal: nothing is executed. A node begins again as
//! a new run (`restartFrame`).
//!
//! The session is a function of messages and events; the server around it does the IO. Runs are found and started by a
//! [`Host`].

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod breakpoints;
mod client_format;
mod conditions;
mod debuggee;
mod evaluate;
mod framing;
mod hit_condition;
mod host;
mod owner;
mod places;
mod protocol;
mod scopes;
mod server;
mod session;
mod stack;
mod time_travel;
mod values;
mod why;

pub use host::{Host, Restart};
pub use protocol::{LaunchArguments, LaunchMode, RestartFiles};
pub use server::serve;
