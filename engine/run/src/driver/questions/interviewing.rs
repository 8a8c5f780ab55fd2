//! The owner and its interviewer: who is asked, and what becomes of the answer.

use std::sync::Arc;

use attractor_machine::question::{Answer, Question};

use crate::driver::message::Message;
use crate::driver::run_task::RunTask;
use crate::error::RunError;
use crate::questions::answer_policy::{AnswerPolicy, Verdict, default_or_refuse};
use crate::questions::interviewer::Interviewer;
use crate::store::Record;

impl RunTask {
    fn interviewer(&self) -> Option<Arc<dyn Interviewer>> {
        match &self.context.answers {
            AnswerPolicy::Interviewer(interviewer) => Some(interviewer.clone()),
            _ => None,
        }
    }

    /// Asks the interviewer, if there is one.
    pub(crate) fn interview(&mut self, question: &Question) -> bool {
        let Some(interviewer) = self.interviewer() else {
            return false;
        };
        let reporter = self.reporter.clone();
        self.interviews
            .begin(interviewer, question.clone(), move |question, answer| {
                // An owner that is gone has no open questions.
                let _ = reporter.send(Message::Interviewed {
                    question: Box::new(question),
                    answer,
                });
            });
        true
    }

    /// Takes the answer of the interviewer; without one, the default choice.
    pub(crate) fn interviewed(
        &mut self,
        question: Question,
        answer: Option<Answer>,
    ) -> Result<(), RunError> {
        if self.context.state.question(&question.id).is_none() {
            return Ok(());
        }
        let Some(answer) = answer else {
            let verdict = default_or_refuse(&question, "the interviewer has no answer");
            self.settle(question, verdict);
            return Ok(());
        };
        match question.read(&answer) {
            Ok(_) => self.answer(&question.id, &answer).map(drop),
            Err(reason) => {
                let reason = format!("the answer to `{}` does not fit: {reason}", question.node);
                self.settle(question, Verdict::Refuse(reason));
                Ok(())
            }
        }
    }

    /// Drops interviews about questions that are not open any more.
    pub(crate) fn end_interviews(&mut self) {
        let state = &self.context.state;
        self.interviews
            .retain(|question| state.question(question).is_some());
    }

    /// Informs the interviewer of what it should know.
    pub(crate) fn inform(&mut self, records: &[Record]) {
        if let Some(interviewer) = self.interviewer() {
            let events = records.iter().map(|record| &record.event.kind);
            self.interviews.inform(&interviewer, events);
        }
    }
}
