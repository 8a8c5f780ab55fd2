//! `initialize`.

use std::sync::Arc;

use lsp_types::{InitializeParams, InitializeResult, ServerInfo};

use crate::capabilities::client::Features;
use crate::capabilities::server;
use crate::session::Session;
use crate::{lifecycle, paths};

/// Negotiates. Touches no file, so that the answer comes at once.
pub(crate) fn handle(session: &Arc<Session>, params: &InitializeParams) -> InitializeResult {
    let client = params.client_info.as_ref().map(|info| info.name.as_str());
    session
        .notifier
        .set_features(Features::read(&params.capabilities, client));
    session.workspace.set_folders(folders(params));
    if let Some(options) = &params.initialization_options {
        let problems = session
            .workspace
            .change_settings(|settings| settings.merge(options));
        session.notifier.show_warnings(problems);
    }
    if let Some(process) = params.process_id {
        tokio::spawn(lifecycle::watch_editor(
            process,
            session.notifier.tasks.stop_token(),
        ));
    }
    InitializeResult {
        capabilities: server::capabilities(session.notifier.features()),
        server_info: Some(ServerInfo {
            name: "attractor".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        offset_encoding: None,
    }
}

#[expect(deprecated, reason = "older clients send nothing else")]
fn folders(params: &InitializeParams) -> Vec<std::path::PathBuf> {
    match &params.workspace_folders {
        Some(folders) => folders
            .iter()
            .filter_map(|folder| paths::path_of(&folder.uri))
            .collect(),
        None => params.root_uri.iter().filter_map(paths::path_of).collect(),
    }
}
