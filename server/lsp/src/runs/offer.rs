//! Offers to go on with a run when its document is opened again, after the editor was closed on it.
//!
//! A message with buttons, which every client can show. Nobody is asked twice about the same run, also not
//! after the next start; the lens `⟲ Resume` stays whatever the answer is.

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
/// In the folder of a run that its person does not want to be asked about.
const DECLINED: &str = "resume-declined";
/// The button that does not.
const NO: &str = "Not now";

/// Offers to resume the newest of `runs` that was interrupted. `runs` are the newest of each graph of one document,
/// newest first.
pub(super) async fn make(session: &Arc<Session>, runs: &[Arc<PastRun>]) {
    let mut runs = runs.iter();
    let Some(newest) = runs.find(|run| run.now.snapshot.state == RunState::Interrupted) else {
        return;
    };
    let declined = newest.directory.join(DECLINED);
    if !lock(&session.runs.offered).insert(newest.id.clone()) || declined.exists() {
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
    match ask(session, text).await.as_deref() {
        Some(YES) => {}
        Some(_) => {
            // A run whose folder cannot be written is offered again.
            let _ = std::fs::write(&declined, "");
            return;
        }
        None => return,
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

/// The button that was pressed; none when the message was closed.
async fn ask(session: &Session, text: String) -> Option<String> {
    let buttons = [YES, NO].map(|title| MessageActionItem {
        title: title.to_owned(),
        properties: std::collections::HashMap::new(),
    });
    let answer = session
        .client
        .show_message_request(MessageType::INFO, text, Some(buttons.into()))
        .await;
    Some(answer.ok()??.title)
}
