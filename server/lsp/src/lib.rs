//! The language server and its bridge to runs.
//!
//! [`serve_stdio`] and [`serve_tcp`] serve LSP 3.17 to one client each. A message passes through the ingress in wire
//! order, a handler takes an immutable snapshot of its document and calls [`attractor_ide`] for the answer; each run has
//! a task of its own that notifies the client. What is about one document only is in [`attractor_proto`].
//!
//! Where to look: `server` (method dispatch), `handlers/` (one file per method), `commands/` (one file per command),
//! `session` (the state, a struct of parts), `context` (the snapshot a request works on), `notifier` (what the server
//! sends on its own), `runs/` (the bridge to the engine), `trust/`, `settings/`, [`ext`] (messages beyond plain LSP).
//!
//! ```no_run
//! # async fn program() -> std::process::ExitCode {
//! let exit = attractor_lsp::serve_stdio(attractor_lsp::Settings::default(), None).await;
//! exit.exit_code()
//! # }
//! ```
#![cfg_attr(
    test,
    expect(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::panic,
        reason = "tests fail by panicking"
    )
)]

mod analysis;
mod api_keys;
mod commands;
mod context;
mod diagnostics;
mod documents;
mod errors;
pub mod ext;
mod file_watcher;
mod handlers;
mod ingress;
mod large_responses;
mod lifecycle;
mod notifier;
mod paths;
mod refresh;
mod refresh_queue;
mod reload;
mod request;
mod run_errors;
mod runs;
mod scenarios;
mod serve;
mod server;
mod session;
pub mod settings;
mod show_document;
mod stdio;
mod tasks;
mod tcp;
mod transport;
mod trust;
mod workspace;
mod workspace_files;
mod workspace_words;
mod workspace_words_cache;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use self::errors::{PipelineError, ServerError};
pub use self::serve::{ServerExit, serve, serve_stdio};
pub use self::settings::Settings;
pub use self::tcp::serve_tcp;
