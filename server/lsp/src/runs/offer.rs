//! Offers to go on with a run when its document is opened again, after the editor was closed on it.
//!
//! A message with buttons, which every client can show. Nobody is asked twice about the same run; the lens
//! `⟲ Resume` stays whatever the answer is.

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_ide::runs::{RunState, RunView};
use lsp_types::{MessageActionItem, MessageType};

use super::commands::resume;
use crate::ext::commands::{OnChanges, ResumeArgs};
use crate::session::Session;
use crate::sync::lock;

/// The button that goes on.
const YES: &str = "Resume";
/// The button that does not.
const NO: &str = "Not now";

/// Offers to go on with the newest of `runs`, if its server was told to end or killed. `runs` are those of one
/// document, newest first.
pub(super) async fn make(session: &Arc<Session>, runs: &[RunView]) {
    let Some(newest) = runs.first() else { return };
    if newest.state != RunState::Interrupted
        || !lock(&session.runs.offered).insert(newest.run.clone())
    {
        return;
    }
    let at = match &newest.current {
        Some(node) => format!(" at `{node}`"),
        None => String::new(),
    };
    let text = format!(
        "Pipeline `{}` was interrupted{at}, with {} of {} nodes done.",
        newest.graph, newest.done, newest.total
    );
    if !says_yes(session, text).await {
        return;
    }
    let args = ResumeArgs {
        run: newest.run.clone(),
        inputs: BTreeMap::new(),
        changes: OnChanges::Ask,
    };
    if let Err(refusal) = resume::handle(session, args).await {
        session
            .client
            .show_message(MessageType::ERROR, refusal)
            .await;
    }
}

async fn says_yes(session: &Session, text: String) -> bool {
    let buttons = [YES, NO].map(|title| MessageActionItem {
        title: title.to_owned(),
        properties: std::collections::HashMap::new(),
    });
    let answer = session
        .client
        .show_message_request(MessageType::INFO, text, Some(buttons.into()))
        .await;
    answer.ok().flatten().is_some_and(|it| it.title == YES)
}
