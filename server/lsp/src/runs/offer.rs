//! Offers to go on with a run when its document is opened again, after the editor was closed on it.
//!
//! A message with buttons, which every client can show. Nobody is asked twice about the same run; the lens
//! `⟲ Resume` stays whatever the answer is.

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_run::RunState;
use lsp_types::{MessageActionItem, MessageType};

use super::commands::resume;
use super::past::PastRun;
use crate::ext::commands::{OnChanges, ResumeArgs};
use crate::session::Session;
use crate::sync::lock;

/// The button that goes on.
const YES: &str = "Resume";
/// The button that does not.
const NO: &str = "Not now";

/// Offers to resume the newest of `runs` that was interrupted. `runs` are the newest of each graph of one document,
/// newest first.
pub(super) async fn make(session: &Arc<Session>, runs: &[Arc<PastRun>]) {
    let mut runs = runs.iter();
    let Some(newest) = runs.find(|run| run.now.snapshot.state == RunState::Interrupted) else {
        return;
    };
    if !lock(&session.runs.offered).insert(newest.id.clone()) {
        return;
    }
    let snapshot = &newest.now.snapshot;
    let at = match &snapshot.current {
        Some(node) => format!(" at `{node}`"),
        None => String::new(),
    };
    let text = format!(
        "Pipeline `{}` was interrupted{at}, with {} of {} nodes done.",
        newest.graph, snapshot.done, snapshot.total
    );
    if !says_yes(session, text).await {
        return;
    }
    let args = ResumeArgs {
        run: newest.id.clone(),
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
