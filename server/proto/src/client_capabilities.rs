//! What the editor can do, read once from its `initialize` request.
//!
//! Everything the server sends on its own account asks here first: nothing is sent to a client that
//! did not announce it.

use attractor_ide::position::Encoding;
use attractor_machine::event::Protocol;
use lsp_types::{ClientCapabilities, PositionEncodingKind, ResourceOperationKind};
use serde::Deserialize;

/// What one client announced; [`Features::default`] is a client that announced nothing.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent extensions of the protocol"
)]
pub struct Features {
    /// The name of the editor.
    pub name: Option<String>,
    /// Which unit columns are counted in.
    pub encoding: Encoding,
    /// Diagnostics are fetched by the client, which can be asked to refresh them.
    pub pull_diagnostics: bool,
    /// `Diagnostic.relatedInformation` is shown.
    pub related_information: bool,
    /// `WorkspaceEdit.documentChanges` is understood.
    pub document_changes: bool,
    /// `WorkspaceEdit.documentChanges` may make files.
    pub creates_files: bool,
    /// `${1:…}` in completions is understood.
    pub snippets: bool,
    /// The command that completes again is known (VS Code's).
    pub suggest_again: bool,
    /// `InsertReplaceEdit` is understood.
    pub insert_replace: bool,
    /// `LocationLink` is understood.
    pub definition_links: bool,
    /// Document symbols may have children.
    pub hierarchical_symbols: bool,
    /// Folding ranges are whole lines only.
    pub line_folding_only: bool,
    /// Code actions may be objects instead of bare commands.
    pub code_action_literals: bool,
    /// `window/workDoneProgress/create` is answered.
    pub progress: bool,
    /// `workspace/codeLens/refresh` is answered.
    pub lens_refresh: bool,
    /// `workspace/inlayHint/refresh` is answered.
    pub hint_refresh: bool,
    /// `workspace/semanticTokens/refresh` is answered.
    pub token_refresh: bool,
    /// `workspace/configuration` is answered.
    pub configuration: bool,
    /// File watchers can be registered.
    pub watched_files: bool,
    /// Changes of the configuration can be registered for.
    pub configuration_registration: bool,
    /// `window/showDocument` is answered.
    pub show_document: bool,
    /// The version of the messages beyond plain LSP.
    pub protocol: Protocol,
    /// `attractor/event` is wanted.
    pub events: bool,
    /// `attractor/question` and `attractor/questionClosed` are wanted.
    pub human_gate: bool,
    /// `attractor/runState` and `attractor/status` are wanted.
    pub run_state: bool,
    /// `attractor/serverToken` is sent before a server elsewhere is asked.
    pub server_token: bool,
}

/// `capabilities.experimental.attractor` of the client.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent extension of the protocol"
)]
pub struct ClientExtensions {
    /// The version of these messages: 1 or 2; the latest where it is missing or unknown. `initialize` answers with the
    /// version that is used.
    pub protocol: Option<u32>,
    /// `attractor/event` is wanted.
    pub events: bool,
    /// `attractor/question` and `attractor/questionClosed` are wanted.
    pub human_gate: bool,
    /// `attractor/runState` and `attractor/status` are wanted.
    pub run_state: bool,
    /// `attractor/serverToken` is sent for each address of the setting `attractor.server.remote`.
    pub server_token: bool,
}

impl Features {
    /// Reads the capabilities of a client, by its name where the protocol has no word for one.
    pub fn read(capabilities: &ClientCapabilities, client: Option<&str>) -> Self {
        let workspace = capabilities.workspace.clone().unwrap_or_default();
        let document = capabilities.text_document.clone().unwrap_or_default();
        let window = capabilities.window.clone().unwrap_or_default();
        let completion_item = document.completion.and_then(|it| it.completion_item);
        let refreshes_diagnostics = workspace.diagnostics.and_then(|it| it.refresh_support);
        let edits = workspace.workspace_edit.unwrap_or_default();
        let extensions = extensions(capabilities);
        Self {
            name: client.map(str::to_owned),
            encoding: encoding(capabilities),
            pull_diagnostics: document.diagnostic.is_some() && refreshes_diagnostics == Some(true),
            related_information: document
                .publish_diagnostics
                .and_then(|it| it.related_information)
                .or(document.diagnostic.and_then(|it| it.related_information))
                .unwrap_or_default(),
            document_changes: edits.document_changes.unwrap_or_default(),
            creates_files: edits.document_changes.unwrap_or_default()
                && edits
                    .resource_operations
                    .is_some_and(|known| known.contains(&ResourceOperationKind::Create)),
            snippets: completion_item
                .as_ref()
                .and_then(|it| it.snippet_support)
                .unwrap_or_default(),
            suggest_again: client
                .is_some_and(|name| VS_CODE.iter().any(|known| name.contains(known))),
            insert_replace: completion_item
                .and_then(|it| it.insert_replace_support)
                .unwrap_or_default(),
            definition_links: document
                .definition
                .and_then(|it| it.link_support)
                .unwrap_or_default(),
            hierarchical_symbols: document
                .document_symbol
                .and_then(|it| it.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            line_folding_only: document
                .folding_range
                .and_then(|it| it.line_folding_only)
                .unwrap_or_default(),
            code_action_literals: document
                .code_action
                .is_some_and(|it| it.code_action_literal_support.is_some()),
            progress: window.work_done_progress.unwrap_or_default(),
            lens_refresh: workspace
                .code_lens
                .and_then(|it| it.refresh_support)
                .unwrap_or_default(),
            hint_refresh: workspace
                .inlay_hint
                .and_then(|it| it.refresh_support)
                .unwrap_or_default(),
            token_refresh: workspace
                .semantic_tokens
                .and_then(|it| it.refresh_support)
                .unwrap_or_default(),
            configuration: workspace.configuration.unwrap_or_default(),
            watched_files: workspace
                .did_change_watched_files
                .and_then(|it| it.dynamic_registration)
                .unwrap_or_default(),
            configuration_registration: workspace
                .did_change_configuration
                .and_then(|it| it.dynamic_registration)
                .unwrap_or_default(),
            show_document: window.show_document.is_some_and(|it| it.support),
            protocol: extensions
                .protocol
                .and_then(Protocol::from_number)
                .unwrap_or_default(),
            events: extensions.events,
            human_gate: extensions.human_gate,
            run_state: extensions.run_state,
            server_token: extensions.server_token,
        }
    }
}

/// Names of VS Code and what is built from it.
const VS_CODE: [&str; 4] = ["Visual Studio Code", "VSCodium", "code-server", "Cursor"];

/// UTF-8 where the client offers it, since the text is UTF-8 here; else what the protocol prescribes.
fn encoding(capabilities: &ClientCapabilities) -> Encoding {
    let offered = capabilities
        .general
        .as_ref()
        .and_then(|general| general.position_encodings.as_deref())
        .unwrap_or_default();
    let preference = [
        (PositionEncodingKind::UTF8, Encoding::Utf8),
        (PositionEncodingKind::UTF16, Encoding::Utf16),
        (PositionEncodingKind::UTF32, Encoding::Utf32),
    ];
    preference
        .into_iter()
        .find(|(kind, _)| offered.contains(kind))
        .map_or(Encoding::Utf16, |(_, encoding)| encoding)
}

fn extensions(capabilities: &ClientCapabilities) -> ClientExtensions {
    capabilities
        .experimental
        .as_ref()
        .and_then(|experimental| experimental.get("attractor"))
        .and_then(|extensions| ClientExtensions::deserialize(extensions).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(value: Value) -> Features {
        Features::read(
            &serde_json::from_value(value).expect("the test writes capabilities"),
            None,
        )
    }

    #[test]
    fn utf8_is_preferred_and_utf16_is_the_default() {
        let encoding =
            |offered: Value| read(json!({ "general": { "positionEncodings": offered } })).encoding;
        assert_eq!(encoding(json!(["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(encoding(json!(["utf-32", "utf-16"])), Encoding::Utf16);
        assert_eq!(encoding(json!(["utf-32"])), Encoding::Utf32);
        assert_eq!(encoding(json!(["klingon"])), Encoding::Utf16);
        assert_eq!(read(json!({})).encoding, Encoding::Utf16);
    }

    #[test]
    fn a_client_that_announces_nothing_gets_nothing_of_ours() {
        let silent = read(json!({}));
        assert!(!silent.events && !silent.human_gate && !silent.run_state && !silent.progress);
        let ours =
            read(json!({ "experimental": { "attractor": { "events": true, "runState": true } } }));
        assert!(ours.events && ours.run_state && !ours.human_gate);
        let odd = read(json!({ "experimental": { "attractor": "yes" } }));
        assert!(!odd.events);
    }

    #[test]
    fn pull_diagnostics_require_refresh_support() {
        let pulls = json!({ "textDocument": { "diagnostic": {} } });
        assert!(!read(pulls).pull_diagnostics);
        let refreshes = json!({
            "textDocument": { "diagnostic": {} },
            "workspace": { "diagnostics": { "refreshSupport": true } },
        });
        assert!(read(refreshes).pull_diagnostics);
    }
}
