//! What a crate can only show from outside: parity with Graphviz, recovery figures, laws.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod cascade;
mod degenerate;
mod generate;
mod graphviz;
mod laws;
mod messages;
mod oracle;
mod recovery;
mod wild;
