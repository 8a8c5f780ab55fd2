//! The interviewer's side of a run: questions it is asked, and what it is informed of.
//!
//! Each question is a task of its own, and ends with the question: a run never waits for an interviewer that panics
//! or hangs. Reports reach it in order, by one more task.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use attractor_machine::event::EventKind;
use attractor_machine::question::{Answer, Question, QuestionKind};
use futures::FutureExt;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::questions::interviewer::Interviewer;

/// What runs for an interviewer.
#[derive(Default)]
pub(crate) struct Interviews {
    /// The open questions it is asked.
    asked: HashMap<String, JoinHandle<()>>,
    reports: Option<Reports>,
}

/// The task that informs.
struct Reports {
    messages: mpsc::UnboundedSender<String>,
    task: JoinHandle<()>,
}

/// Asks by the method for the kind of question.
async fn ask(interviewer: &dyn Interviewer, question: Question) -> Option<Answer> {
    let answer = match question.kind {
        QuestionKind::Confirm => interviewer.confirm(question).await,
        _ => interviewer.ask(question).await,
    };
    answer.map(|mut answer| {
        if answer.by.is_empty() {
            answer.by = interviewer.name();
        }
        answer
    })
}

/// What an interviewer is informed of.
fn message_of(event: &EventKind) -> Option<String> {
    match event {
        EventKind::Escalated {
            at, level, reason, ..
        } => Some(format!("`{}` escalates ({level}): {reason}", at.node)),
        EventKind::GoalGateUnmet { unmet, .. } => {
            Some(format!("goals are not met: {}", unmet.join("; ")))
        }
        EventKind::ValidationWarning { message, line, .. } => {
            Some(format!("line {line}: {message}"))
        }
        EventKind::BudgetWarning {
            limit,
            used,
            allowed,
        } => Some(format!("{used} of {allowed} are used (`{limit}`)")),
        EventKind::InterviewTimeout { at, .. } => {
            Some(format!("the question of `{}` was not answered", at.node))
        }
        EventKind::InterviewWithdrawn { at, reason, .. } => Some(format!(
            "the question of `{}` was closed without an answer: {reason}",
            at.node
        )),
        _ => None,
    }
}

impl Reports {
    fn to(interviewer: Arc<dyn Interviewer>) -> Self {
        let (messages, mut received) = mpsc::unbounded_channel();
        let task = tokio::spawn(async move {
            while let Some(message) = received.recv().await {
                interviewer.inform(message).await;
            }
        });
        Self { messages, task }
    }
}

impl Interviews {
    /// Asks about a question; `answered` gets the answer, also none.
    pub(crate) fn begin(
        &mut self,
        interviewer: Arc<dyn Interviewer>,
        question: Question,
        answered: impl FnOnce(Question, Option<Answer>) + Send + 'static,
    ) {
        let id = question.id.clone();
        let task = tokio::spawn(async move {
            let answer = AssertUnwindSafe(ask(interviewer.as_ref(), question.clone()));
            let answer = answer.catch_unwind().await.unwrap_or_else(|_| {
                tracing::warn!(question = question.id, "the interviewer panicked");
                None
            });
            answered(question, answer);
        });
        self.asked.insert(id, task);
    }

    /// Drops interviews about questions that are not open any more.
    pub(crate) fn retain(&mut self, is_open: impl Fn(&str) -> bool) {
        self.asked.retain(|question, task| {
            let is_open = is_open(question);
            if !is_open {
                task.abort();
            }
            is_open
        });
    }

    /// Informs the interviewer of what it should know of these events.
    pub(crate) fn inform<'e>(
        &mut self,
        interviewer: &Arc<dyn Interviewer>,
        events: impl Iterator<Item = &'e EventKind>,
    ) {
        for message in events.filter_map(message_of) {
            let reports = self
                .reports
                .get_or_insert_with(|| Reports::to(interviewer.clone()));
            // A task that is gone has panicked in `inform`.
            let _ = reports.messages.send(message);
        }
    }

    /// Ends all interviews. What is left to report has `limit` to be reported.
    pub(crate) async fn close(&mut self, limit: Duration) {
        for (_, task) in self.asked.drain() {
            task.abort();
        }
        if let Some(Reports { messages, mut task }) = self.reports.take() {
            drop(messages);
            if tokio::time::timeout(limit, &mut task).await.is_err() {
                task.abort();
            }
        }
    }
}
