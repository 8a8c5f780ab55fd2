//! `window/workDoneProgress/cancel`: the editor's cancel button.

use std::sync::Arc;

use lsp_types::{NumberOrString, WorkDoneProgressCancelParams};

use crate::session::Session;

/// Cancels the run the progress is of.
pub(crate) fn handle(session: &Arc<Session>, params: WorkDoneProgressCancelParams) {
    if let NumberOrString::String(token) = params.token {
        session
            .runs
            .cancel_by_token(&token, &session.notifier.person());
    }
}
