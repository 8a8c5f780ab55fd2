//! The program as its users meet it: real processes, real files, real signals. One file per subject.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod architecture;
mod bad_input;
mod catalogue;
mod convert;
mod crash;
mod equal_truth;
mod examples;
mod fmt;
mod graph;
mod handlers;
mod import_cycles;
mod invalid;
mod looking;
mod lsp;
mod parity;
mod people;
mod run;
mod schemas;
mod secrets;
mod signals;
mod starters;
mod streams;
mod stylesheets;
mod summary;
mod terminal;
mod validate;
