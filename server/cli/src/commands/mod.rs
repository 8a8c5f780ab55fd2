//! One command, one file: its options as a struct whose comments are its `--help`, and `run`.

pub mod answer;
pub mod cancel;
pub mod completions;
pub mod config;
pub mod convert;
pub mod explain;
pub mod fmt;
pub mod graph;
pub mod handlers;
pub mod lints;
pub mod lsp;
pub mod man;
pub mod new;
pub mod replay;
pub mod resume;
pub mod run;
pub mod runs;
pub mod validate;

use clap::ValueEnum;
use tokio::runtime::{Builder, Runtime};

use crate::error::Error;

/// The two forms of commands that list something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A table for people
    #[default]
    Human,
    /// A stable JSON contract
    Json,
}

/// What asynchronous commands run on.
fn runtime() -> Result<Runtime, Error> {
    Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::NoRuntime)
}
