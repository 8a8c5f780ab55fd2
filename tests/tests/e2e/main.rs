//! The program as its users meet it: real processes, real files, real signals. One file per subject.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod agents;
mod architecture;
mod authoring;
mod bad_input;
mod build_commit;
mod catalogue;
mod ci_init;
mod cli_agents;
mod configuration;
mod consent;
mod convert;
mod crash;
mod damaged_runs;
mod debugger;
mod diff;
mod documentation;
mod dry_runs;
mod embedded_enums;
mod escapes;
mod examples;
mod file_changes;
mod fmt;
mod foreign_runs;
mod forks;
mod generators;
mod git;
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
mod mcp;
mod missing_parts;
mod models;
mod names_and_programs;
mod next_steps;
mod notifications;
mod pauses;
mod plans;
mod reality;
mod remote;
mod revalidation;
mod run;
mod scenarios;
mod schemas;
mod secrets;
mod signals;
mod statistics;
mod streams;
mod stylesheets;
mod summary;
mod supervision;
mod templates;
mod terminal;
mod tidy;
mod type_names;
mod unused_items;
mod validate;
mod validator_parity;
mod versions;
mod watching;
mod worktrees;
