//! Offers to resume an interrupted run when its document is opened again.
//!
//! A message with buttons, which every client can show. The user is not asked twice about the same run, also not after the
//! next start; the lens `⟲ Resume` stays whatever the answer is.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use attractor_run::RunState;
use lsp_types::MessageType;

use super::resumable_runs::ResumableRun;
use crate::commands::resume;
use crate::ext::commands::{OnChanges, ResumeArgs};
use crate::session::Session;

/// The button that resumes.
const RESUME: &str = "Resume";
/// The button that does not.
const NOT_NOW: &str = "Not now";
/// The name of a file in the folder of a run whose resumption was declined.
const DECLINED: &str = "resume-declined";

/// Reads the runs of a document that has just been opened, and offers to resume one that was interrupted. In the
/// background.
pub(crate) fn refresh_and_prompt(session: &Arc<Session>, file: &Path) {
    let (this, file) = (Arc::clone(session), file.to_owned());
    session.notifier.tasks.spawn(async move {
        let resumable = &this.runs.resumable;
        resumable
            .refresh(
                &this.notifier,
                &this.documents,
                &this.workspace,
                &file,
                |run| this.runs.get(run).is_ok(),
            )
            .await;
        prompt_to_resume(&this, &resumable.of(&file)).await;
    });
}

/// Offers to resume the newest of `runs` that was interrupted. `runs` are the newest of each graph of one document,
/// newest first.
async fn prompt_to_resume(session: &Arc<Session>, runs: &[Arc<ResumableRun>]) {
    let is_interrupted =
        |run: &&Arc<ResumableRun>| run.record.projection.snapshot.state == RunState::Interrupted;
    let Some(newest) = runs.iter().find(is_interrupted) else {
        return;
    };
    let run = &newest.record;
    let declined = newest.directory.join(DECLINED);
    if !session.runs.offer_once(&run.id) || declined.exists() {
        return;
    }
    let snapshot = &run.projection.snapshot;
    let at = match &snapshot.current {
        Some(node) => format!(" at `{node}`"),
        None => String::new(),
    };
    let text = format!(
        "Pipeline `{}` was interrupted{at}, with {} of {} nodes done.",
        run.graph, snapshot.done, snapshot.total
    );
    let answer = session
        .notifier
        .show_message_request(MessageType::INFO, text, [RESUME, NOT_NOW]);
    match answer.await.as_deref() {
        Some(RESUME) => {}
        Some(_) => {
            // A run whose folder cannot be written is offered again.
            let _ = std::fs::write(&declined, "");
            return;
        }
        None => return,
    }
    let args = ResumeArgs {
        run: run.id.clone(),
        inputs: BTreeMap::new(),
        changes: OnChanges::Ask,
    };
    if let Err(error) = resume::handle(session, args).await {
        session
            .notifier
            .show_message(MessageType::ERROR, error)
            .await;
    }
}
