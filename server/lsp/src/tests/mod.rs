//! What a client sees of the server, over the wire format.

mod api_keys;
mod authoring;
mod diagnostics;
mod files;
mod hostile;
mod lifecycle;
mod order;
mod run_commands;
mod runs;
mod scenarios;
mod semantic_diff;
