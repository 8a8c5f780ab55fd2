//! Human gates: tells the client of questions that open and close.
//!
//! Clients that draw gates get notifications. Others get one message with the choices as a heads-up; the
//! diagnostic, the actions and the lenses at the gate stay for as long as the question is open, whatever
//! becomes of the message. The engine decides which answer was first.

use std::sync::Arc;

use attractor_run::{Answer, Event, EventKind, Question, QuestionKind, bare_label};
use lsp_types::{MessageActionItem, MessageType};

use super::live::Live;
use super::views;
use crate::ext::notifications::{
    QuestionClosedNotification, QuestionClosedParams, QuestionNotification, QuestionParams,
};
use crate::session::Session;

/// Who answers through the editor.
pub(crate) const EDITOR: &str = "editor";
/// Who stops the runs when the server ends.
pub(crate) const FAREWELL: &str = "the editor's end";

/// Tells the client if the event opens or closes a question.
pub(crate) async fn tell(session: &Arc<Session>, live: &Arc<Live>, event: &Event) {
    match &event.kind {
        EventKind::InterviewStarted { question, .. } => opened(session, live, question).await,
        EventKind::InterviewCompleted {
            question,
            answer,
            by,
            ..
        } => closed(session, live, question, by, answer).await,
        EventKind::InterviewTimeout {
            question, default, ..
        } => {
            closed(
                session,
                live,
                question,
                "timeout",
                default.as_deref().unwrap_or_default(),
            )
            .await;
        }
        _ => {}
    }
}

async fn opened(session: &Arc<Session>, live: &Arc<Live>, question: &Question) {
    if session.features().human_gate {
        let params = QuestionParams {
            run: live.id.clone(),
            uri: live.uri.clone(),
            range: views::range_of_node(session, live, &question.node),
            question: question.into(),
        };
        session
            .client
            .send_notification::<QuestionNotification>(params)
            .await;
    } else {
        let (live, question) = (Arc::clone(live), question.clone());
        session.spawn(heads_up(Arc::clone(session), live, question));
    }
}

async fn closed(session: &Session, live: &Live, question: &str, by: &str, answer: &str) {
    if session.features().human_gate {
        let params = QuestionClosedParams {
            run: live.id.clone(),
            question: question.to_owned(),
            by: by.to_owned(),
            answer: answer.to_owned(),
        };
        session
            .client
            .send_notification::<QuestionClosedNotification>(params)
            .await;
    }
}

/// A message with the choices. It cannot be taken back, so an answer that comes too late is told so.
async fn heads_up(session: Arc<Session>, live: Arc<Live>, question: Question) {
    // A dry run answers its questions itself, and then nobody is to be bothered.
    let now = live.now();
    let mut open = now.snapshot.questions.iter();
    if !open.any(|waiting| waiting.id == question.id) {
        return;
    }
    drop(now);
    let text = format!("{} ({}) asks: {}", live.graph, question.node, question.text);
    let choices = match question.kind {
        QuestionKind::Choice | QuestionKind::Confirm | QuestionKind::ChoiceOrText => {
            &*question.options
        }
        // These need more than a button; the lens and the actions at the gate are the way.
        QuestionKind::Freeform | QuestionKind::Multi => &[],
    };
    // A button cannot take text.
    let choices = choices.iter().filter(|option| !option.freeform);
    let buttons = choices.map(|option| MessageActionItem {
        title: bare_label(&option.label).to_owned(),
        properties: std::collections::HashMap::new(),
    });
    let asked =
        session
            .client
            .show_message_request(MessageType::INFO, text, Some(buttons.collect()));
    let Ok(Some(chosen)) = asked.await else {
        return;
    };
    let answer = Answer {
        choice: chosen.title,
        text: None,
        by: EDITOR.to_owned(),
    };
    let answered = live.handle.answer(&question.id, answer).await;
    if !answered.accepted {
        let first = answered
            .by
            .map_or_else(String::new, |by| format!(" by {by}"));
        let late = format!("“{}” was already answered{first}.", question.text);
        session.client.show_message(MessageType::INFO, late).await;
    }
}
