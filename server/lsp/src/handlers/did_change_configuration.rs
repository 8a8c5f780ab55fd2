//! `workspace/didChangeConfiguration`.

use std::sync::Arc;

use lsp_types::DidChangeConfigurationParams;

use crate::reload::reload;
use crate::runs::remote_connection;
use crate::session::Session;

/// Takes over new settings. Clients that answer `workspace/configuration` are asked, as the protocol
/// wants it; others send the settings along.
pub(crate) fn handle(session: &Arc<Session>, params: DidChangeConfigurationParams) {
    if session.notifier.features().configuration {
        super::initialized::fetch_settings(session);
        return;
    }
    let sent = params.settings;
    let section = sent.get("attractor").unwrap_or(&sent);
    let problems = session
        .workspace
        .change_settings(|settings| settings.merge(section));
    session.notifier.show_warnings(problems);
    reload(session);
    remote_connection::update(session);
}
