//! One file per method that needs more than one document: files, scenarios, runs, the client. The others are in
//! [`attractor_proto::requests`].

pub(crate) mod api_keys;
pub(crate) mod call_hierarchy;
pub(crate) mod cancel_progress;
pub(crate) mod code_action;
pub(crate) mod completion;
pub(crate) mod diagnostic;
pub(crate) mod did_change;
pub(crate) mod did_change_configuration;
pub(crate) mod did_change_watched_files;
pub(crate) mod did_change_workspace_folders;
pub(crate) mod did_close;
pub(crate) mod did_open;
pub(crate) mod did_save;
pub(crate) mod execute_command;
pub(crate) mod initialize;
pub(crate) mod initialized;
pub(crate) mod server_token;
pub(crate) mod set_trace;
pub(crate) mod shutdown;
pub(crate) mod will_rename_files;
pub(crate) mod workspace_diagnostic;
pub(crate) mod workspace_symbol;
