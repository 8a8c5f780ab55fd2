//! `initialize`.

use std::sync::Arc;

use attractor_proto::server_capabilities;
use lsp_types::{
    DiagnosticServerCapabilities, FileOperationFilter, FileOperationPattern,
    FileOperationRegistrationOptions, InitializeParams, InitializeResult, OneOf,
    ServerCapabilities, ServerInfo, WorkspaceFileOperationsServerCapabilities,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use crate::ext::commands::COMMANDS;
use crate::session::Session;
use crate::{lifecycle, paths};
use attractor_proto::Features;

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
        capabilities: capabilities(session.notifier.features()),
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

/// What the server answers about documents, and about the workspace.
fn capabilities(features: &Features) -> ServerCapabilities {
    let commands = COMMANDS.iter().map(|row| row.name);
    let mut capabilities = server_capabilities::capabilities(features, commands);
    if let Some(DiagnosticServerCapabilities::Options(options)) =
        &mut capabilities.diagnostic_provider
    {
        options.workspace_diagnostics = true;
    }
    capabilities.workspace = Some(WorkspaceServerCapabilities {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        }),
        file_operations: Some(WorkspaceFileOperationsServerCapabilities {
            will_rename: Some(FileOperationRegistrationOptions {
                filters: vec![any_file()],
            }),
            ..WorkspaceFileOperationsServerCapabilities::default()
        }),
    });
    capabilities
}

/// Any file and any folder may be one that a pipeline names.
fn any_file() -> FileOperationFilter {
    FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern {
            glob: "**/*".to_owned(),
            ..FileOperationPattern::default()
        },
    }
}
