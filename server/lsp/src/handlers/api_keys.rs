//! `attractor/apiKeys`: the client sends the keys of providers that it keeps.

use std::sync::Arc;

use attractor::EditorKeys;
use lsp_types::LSPAny;
use serde::Deserialize as _;

use crate::ext::providers::ApiKeysParams;
use crate::session::Session;

/// The name of the notification.
pub(crate) const METHOD: &str = "attractor/apiKeys";

/// Keeps the keys for the runs that start from now on. What cannot be read is not in the message about it: it may be a
/// key.
pub(crate) fn handle(session: &Arc<Session>, params: &LSPAny) {
    match ApiKeysParams::deserialize(params) {
        Ok(ApiKeysParams { keys }) => {
            let keys = keys.into_iter().filter(|(_, key)| !key.trim().is_empty());
            let keys = keys.map(|(provider, key)| (provider, key.into()));
            session.api_keys.replace(keys.collect::<EditorKeys>());
        }
        Err(_) => session.notifier.show_warnings(vec![format!(
            "Invalid {METHOD}: expected {{keys: {{PROVIDER: KEY}}}}. The keys that were sent before stay in use."
        )]),
    }
}
