//! The language server and its bridge to runs.
//!
//! [`serve_stdio`] and [`serve_tcp`] speak LSP 3.17 with one client each. A message passes through the
//! ingress in wire order, a handler takes an immutable snapshot of its document and asks
//! [`attractor_ide`] for the answer; runs live in tasks of their own and tell the client what happens.
//! This is the only crate that knows a type of the protocol.
//!
//! Where to look: `server` (which method goes where), `handlers/` (one file per method), `documents`
//! (snapshots), `diagnostics` (publishing), `runs/` (the bridge), `trust/`, `settings/`, [`ext`] (messages
//! beyond plain LSP), `from_proto` and `to_proto` (the border).
//!
//! ```no_run
//! # async fn program() -> std::process::ExitCode {
//! let ended = attractor_lsp::serve_stdio(attractor_lsp::Settings::default()).await;
//! ended.exit_code()
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

mod capabilities;
mod diagnostics;
mod direct;
mod documents;
mod errors;
pub mod ext;
mod from_proto;
mod handlers;
mod ingress;
mod layout;
mod lifecycle;
mod refresh;
mod runs;
mod serve;
mod server;
mod session;
pub mod settings;
mod stdio;
mod sync;
mod to_proto;
mod tokens;
mod transport;
mod trust;
mod watch;
mod workspace;
mod workspace_words;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use self::errors::{Mistake, Refusal};
pub use self::serve::{Ended, serve, serve_stdio, serve_tcp};
pub use self::settings::Settings;
pub use self::workspace::ENDINGS;
