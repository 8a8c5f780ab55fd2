//! Human gates: notifies the client of questions that open and close.
//!
//! Clients that draw gates get notifications. Others get one message with the choices as a heads-up; the diagnostic, the
//! actions and the lenses at the gate stay for as long as the question is open, also when the message is closed. The
//! engine decides which answer was first.

use std::sync::Arc;

use attractor_run::{Answer, Event, EventKind, Question, QuestionKind, bare_label};
use lsp_types::{MessageType, Range};

use super::server_run::{RunDocument, ServerRun};
use crate::analysis;
use crate::documents::Documents;
use crate::ext::notifications::{
    QuestionClosedNotification, QuestionClosedParams, QuestionNotification, QuestionParams,
};
use crate::notifier::Notifier;
use crate::workspace::Workspace;
use attractor_proto::to_proto;

/// Notifies the client if the event opens or closes a question.
pub(crate) async fn send(
    notifier: &Arc<Notifier>,
    documents: &Arc<Documents>,
    workspace: &Workspace,
    run: &Arc<ServerRun>,
    event: &Event,
) {
    match &event.kind {
        EventKind::InterviewStarted { question, .. } => {
            open(notifier, documents, workspace, run, question).await;
        }
        EventKind::InterviewCompleted {
            question,
            answer,
            by,
            ..
        } => closed(notifier, run, question, by, answer).await,
        EventKind::InterviewTimeout {
            question, default, ..
        } => {
            let answer = default.as_deref().unwrap_or_default();
            closed(notifier, run, question, "timeout", answer).await;
        }
        EventKind::InterviewWithdrawn {
            question, reason, ..
        } => closed(notifier, run, question, "", reason).await,
        _ => {}
    }
}

/// Notifies the client of an open question.
pub(crate) async fn open(
    notifier: &Arc<Notifier>,
    documents: &Arc<Documents>,
    workspace: &Workspace,
    run: &Arc<ServerRun>,
    question: &Question,
) {
    if !notifier.features().human_gate {
        let heads_up = heads_up(Arc::clone(notifier), Arc::clone(run), question.clone());
        notifier.tasks.spawn(heads_up);
        return;
    }
    let document = run.document();
    let params = QuestionParams {
        run: run.id.clone(),
        range: range_of_node(
            notifier,
            documents,
            workspace,
            run,
            &document,
            &question.node,
        ),
        uri: document.uri.clone(),
        server: run.source.server(),
        question: question.into(),
    };
    notifier.notify::<QuestionNotification>(params).await;
}

/// Closes the open questions of a run that is not shown any more. They stay open where the run is.
pub(crate) async fn forget(notifier: &Notifier, run: &ServerRun) {
    for question in run.questions() {
        closed(notifier, run, &question.id, "", "disconnected").await;
    }
}

async fn closed(notifier: &Notifier, run: &ServerRun, question: &str, by: &str, answer: &str) {
    if !notifier.features().human_gate {
        return;
    }
    let params = QuestionClosedParams {
        run: run.id.clone(),
        question: question.to_owned(),
        by: by.to_owned(),
        answer: answer.to_owned(),
    };
    notifier.notify::<QuestionClosedNotification>(params).await;
}

/// Where a node of a run is declared in the document as it is now; the beginning when it was deleted.
fn range_of_node(
    notifier: &Notifier,
    documents: &Arc<Documents>,
    workspace: &Workspace,
    run: &ServerRun,
    document: &RunDocument,
    node: &str,
) -> Range {
    let open = documents.get(&document.uri);
    let open = open.map(|snapshot| analysis::document(documents, &snapshot));
    let on_disk = || analysis::document_on_disk(documents, workspace, notifier, &document.file);
    let document = open.or_else(|| Some(on_disk()?.1));
    let range = document.and_then(|document| {
        let mut pipelines = document.pipelines();
        let (_, pipeline) = pipelines.find(|(_, pipeline)| pipeline.name == run.graph)?;
        let range = pipeline.node_by_id(node)?.range;
        let encoding = notifier.features().encoding;
        Some(to_proto::document_range(&document, encoding, range))
    });
    range.unwrap_or_default()
}

/// Shows a message with the choices. It cannot be withdrawn, so a late answer is answered with a message, too.
async fn heads_up(notifier: Arc<Notifier>, run: Arc<ServerRun>, question: Question) {
    // A dry run answers its questions itself: do not interrupt the user.
    let projection = run.projection();
    let mut open = projection.snapshot.questions.iter();
    if !open.any(|open| open.id == question.id) {
        return;
    }
    drop(projection);
    let text = format!("{} ({}) asks: {}", run.graph, question.node, question.text);
    let choices = match question.kind {
        QuestionKind::Choice | QuestionKind::Confirm | QuestionKind::ChoiceOrText => {
            &*question.options
        }
        // These need more than a button; use the lens or the actions at the gate.
        QuestionKind::Freeform | QuestionKind::Multi => &[],
    };
    // A button cannot take text.
    let choices = choices.iter().filter(|option| !option.freeform);
    let buttons = choices.map(|option| bare_label(&option.label));
    let chosen = notifier.show_message_request(MessageType::INFO, text, buttons);
    let Some(chosen) = chosen.await else {
        return;
    };
    let answer = Answer {
        choice: chosen,
        text: None,
        by: notifier.person(),
    };
    let answered = match run.source.answer(&question.id, answer).await {
        Ok(answered) => answered,
        Err(error) => {
            notifier.show_message(MessageType::ERROR, error).await;
            return;
        }
    };
    if !answered.accepted {
        let first = answered
            .by
            .map_or_else(String::new, |by| format!(" by {by}"));
        let message = format!("“{}” was already answered{first}.", question.text);
        notifier.show_message(MessageType::INFO, message).await;
    }
}
