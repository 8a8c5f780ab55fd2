//! The question before a run is continued that this user has not recorded: it came with a project, or from another machine.

use std::sync::Arc;

use lsp_types::MessageType;

use crate::errors::ServerError;
use crate::ext::commands::RunResult;
use crate::session::Session;

/// The button that continues the run.
const CONTINUE: &str = "Continue Anyway";
/// The button that does not.
const CANCEL: &str = "Cancel";

/// Asks if the engine refused the run because somebody else recorded it. On a yes `continued` follows.
pub(super) fn ask_if_foreign(
    session: &Arc<Session>,
    result: Result<RunResult, ServerError>,
    continued: impl Future<Output = Result<RunResult, ServerError>> + Send + 'static,
) -> Result<RunResult, ServerError> {
    let question = match result {
        Err(foreign @ ServerError::ForeignRun { .. }) => foreign.to_string(),
        other => return other,
    };
    let notifier = Arc::clone(&session.notifier);
    session.notifier.tasks.spawn(async move {
        let buttons = [CONTINUE, CANCEL];
        let answer = notifier.show_message_request(MessageType::WARNING, question, buttons);
        if answer.await.as_deref() == Some(CONTINUE)
            && let Err(error) = continued.await
        {
            notifier.show_message(MessageType::ERROR, error).await;
        }
    });
    Ok(RunResult::asked())
}
