//! One command, one file: its options as a struct whose comments are its `--help`, and `run`.

pub mod acp;
pub mod agent;
pub mod answer;
pub mod cancel;
pub mod ci;
pub mod complete;
pub mod completions;
pub mod config;
pub mod convert;
pub mod dap;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod fmt;
pub mod fork;
pub mod graph;
pub mod handlers;
pub mod help;
pub mod lints;
pub mod lsp;
pub mod man;
pub mod mcp;
pub mod models;
pub mod new;
pub mod pause;
pub mod replay;
pub mod resume;
pub mod run;
pub mod runs;
pub mod serve;
pub mod sessions;
pub mod stats;
pub mod steer;
pub mod test;
pub mod validate;
pub mod watch;

use clap::ValueEnum;
use tokio::runtime::Builder;

use crate::error::Error;

/// The output formats of commands that list something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A table
    #[default]
    Human,
    /// JSON (stable)
    Json,
}

/// Runs an asynchronous command to its end.
///
/// The runtime is never shut down: a command may end before its tasks do (a second Ctrl-C), and a task that
/// asks a runtime in shutdown for a timer panics. The process ends next, and its tasks with it.
fn block_on<T>(command: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::NoRuntime)?;
    let result = runtime.block_on(command);
    std::mem::forget(runtime);
    result
}
