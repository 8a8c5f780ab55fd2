//! `attractor/serverToken`: the client sends the token of a server elsewhere that it keeps.

use std::sync::Arc;

use lsp_types::LSPAny;
use serde::Deserialize as _;

use crate::ext::providers::ServerTokenParams;
use crate::runs::remote_connection;
use crate::runs::remote_runs::EditorToken;
use crate::session::Session;

/// The name of the notification.
pub(crate) const METHOD: &str = "attractor/serverToken";

/// Keeps the token for its server, and connects again if that is the server of the setting. What cannot be read is not
/// in the message about it: it may be a token.
pub(crate) fn handle(session: &Arc<Session>, params: &LSPAny) {
    let Ok(ServerTokenParams { server, token }) = ServerTokenParams::deserialize(params) else {
        let message = format!("Invalid {METHOD}: expected {{server: URL, token?: TOKEN}}.");
        session.notifier.show_warnings(vec![message]);
        return;
    };
    let token = token.map(|token| token.trim().to_owned());
    session.runs.remote.set_token(EditorToken {
        server: server.trim().to_owned(),
        token: token.filter(|token| !token.is_empty()),
    });
    remote_connection::update(session);
}
