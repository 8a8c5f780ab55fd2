//! The program as its users meet it: real processes, real files, real signals. One file per subject.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod agents;
mod architecture;
mod bad_input;
mod catalogue;
mod cli_agents;
mod configuration;
mod convert;
mod crash;
mod examples;
mod file_changes;
mod fmt;
mod forks;
mod graph;
mod graphviz_parity;
mod handlers;
mod http;
mod human_gates;
mod import_cycles;
mod inspection;
mod invalid;
mod kills;
mod lsp;
mod models;
mod notifications;
mod plans;
mod remote;
mod run;
mod scenarios;
mod schemas;
mod secrets;
mod signals;
mod streams;
mod stylesheets;
mod summary;
mod supervision;
mod templates;
mod terminal;
mod tidy;
mod validate;
mod validator_parity;
mod worktrees;
