//! What nodes do: all side effects of a run, one file per kind.
//!
//! `registry` knows the handlers by type and `dispatch` calls the one of a node; [`NodeHandler`] is the interface for
//! handlers of a program that embeds the engine.

mod agency;
mod checks;
pub(crate) mod codergen;
mod command_runner;
mod command_spec;
pub(crate) mod commands;
mod custom;
mod dispatch;
mod env;
mod execution;
mod fan_in;
mod guard;
mod handler;
mod inbox;
mod input;
mod json;
mod loops;
mod missing_fields;
mod output;
mod quiet;
pub(crate) mod reasons;
mod registry;
mod rendered_code;
mod reported;
pub(crate) mod script;
mod scripted;
mod status;
mod tool;
pub(crate) mod tool_hooks;
mod work;
mod work_time;
mod workflow;

pub(crate) use agency::is_agent;
pub(crate) use command_runner::CommandRunner;
pub use command_spec::{CommandOutput, CommandSpec};
pub(crate) use dispatch::{prepare, promised};
pub use env::HandlerEnv;
pub use execution::Execution;
pub use handler::NodeHandler;
pub(crate) use inbox::Inbox;
pub use input::NodeInput;
pub(crate) use output::{Output, Questions};
pub use registry::{HandlerError, HandlerRegistry};
pub(crate) use scripted::dry;
use work::fail;
pub(crate) use work::{Prepared, RunEnvironment, Task, Work};
pub(crate) use work_time::WorkTime;
