//! Questions of a run: those that are asked, answers from handles.

use std::time::Duration;

use attractor_machine::event::{EventKind, NodeAttempt, Stream};
use attractor_machine::frame::Ticket;
use attractor_machine::question::prepared_answer::walk_through;
use attractor_machine::question::{Answer, Answered, Question, Reading};
use attractor_machine::transition::InputKind;
use jiff::Timestamp;
use tokio::sync::oneshot;

use crate::driver::handle::{RunCommand, RunHandle, Undelivered};
use crate::driver::message::Message;
use crate::driver::output::Piece;
use crate::driver::run_task::{RunTask, blocking};
use crate::error::RunError;
use crate::file_changes::Baseline;
use crate::questions::answer_policy::{AnswerPolicy, Verdict};
use crate::store::Store;

impl RunTask {
    /// Compares the files of the project with those at the start of the run. What cannot be compared is not shown.
    pub(crate) fn compare_files(&mut self, ticket: Ticket) {
        let changed = match (&self.context.store, &self.context.recorder) {
            (Store::Disk(store), Some(recorder)) => blocking(|| {
                let baseline = Baseline::load(&store.layout.baseline())?;
                let worktree = self.open_worktree(ticket);
                let recorder = self.recorder_of(recorder, worktree.as_ref());
                let place = self.place_of(worktree.as_ref());
                let (now, store) = (recorder.take()?, recorder.store());
                Some(baseline.changes(store, &now, place.folders(), &self.redactor))
            }),
            _ => None,
        };
        self.ready.push_back(InputKind::FilesCompared {
            ticket,
            changed: changed.unwrap_or_default(),
        });
    }

    pub(crate) fn ask(&mut self, ticket: Ticket) -> Result<(), RunError> {
        let Some((frame, question)) = self.context.state.question_of(ticket) else {
            return Ok(());
        };
        let question = question.clone();
        let asked = self
            .context
            .state
            .nodes
            .get(&frame.key(&frame.node))
            .map_or(0, |record| record.asked.saturating_sub(1));
        let at = frame.node_attempt();
        match self.context.answers.decide(&question, asked) {
            Verdict::Wait => {
                let interviewed = self.interview(&question);
                if self.context.script.is_some() && !interviewed {
                    self.settle(question, Verdict::Wait);
                } else if let Some(left) = self.time_to_answer(&question) {
                    let message = Message::TimedOut {
                        ticket,
                        question: question.id.clone(),
                    };
                    self.timer(ticket, at, left, message);
                }
            }
            verdict => {
                if matches!(self.context.answers, AnswerPolicy::ApproveWithWarning) {
                    self.warn_unasked(at)?;
                }
                self.settle(question, verdict);
            }
        }
        Ok(())
    }

    /// What happens to a question that is no longer asked. A dry run never waits and never ends here.
    pub(crate) fn settle(&mut self, question: Question, verdict: Verdict) {
        let verdict = match (verdict, &self.context.script) {
            (Verdict::Wait | Verdict::Refuse(_), Some(_)) => {
                Verdict::Answer(walk_through(&question))
            }
            (verdict, _) => verdict,
        };
        let input = match verdict {
            Verdict::Wait => return,
            Verdict::Answer(answer) => match question.read(&answer) {
                Ok(reading) => InputKind::Answered {
                    question: question.id,
                    reading,
                    by: answer.by,
                },
                Err(reason) => InputKind::Unanswerable {
                    reason: format!(
                        "the answer prepared for `{}` does not fit: {reason}",
                        question.node
                    ),
                    question: question.id,
                },
            },
            Verdict::Refuse(reason) => InputKind::Unanswerable {
                question: question.id,
                reason,
            },
        };
        self.ready.push_back(input);
    }

    /// Records that a question is approved because no person can be asked.
    fn warn_unasked(&mut self, at: NodeAttempt) -> Result<(), RunError> {
        let note = format!(
            "`{}` is approved without asking: the run has no interviewer (on_missing_interviewer=approve_with_warning)\n",
            at.node
        );
        self.show_pieces(vec![(at, Piece::Text(Stream::Note, note))])
    }

    /// What is left of the time a question had when it was asked, maybe by an earlier process.
    pub(crate) fn time_to_answer(&self, question: &Question) -> Option<Duration> {
        let whole = Duration::from_millis(question.timeout_ms?);
        let deadline = question.deadline.as_ref();
        let Some(deadline) = deadline.and_then(|time| time.parse::<Timestamp>().ok()) else {
            return Some(whole);
        };
        let left = deadline.duration_since(self.now());
        Some(Duration::try_from(left).unwrap_or_default().min(whole))
    }

    pub(crate) fn on_command(&mut self, order: RunCommand) -> Result<(), RunError> {
        match order {
            RunCommand::Answer {
                question,
                answer,
                reply,
            } => {
                let answered = self.answer(&question, &answer)?;
                // Who asked may have left.
                let _ = oneshot::Sender::send(reply, answered);
                Ok(())
            }
            RunCommand::Steer {
                node,
                message,
                by,
                undelivered,
                reply,
            } => {
                let steered = match undelivered {
                    Undelivered::Refused => self.steer(&node, &message, by)?,
                    Undelivered::Kept => self.steer_or_keep(&node, &message, by)?,
                };
                let _ = reply.send(steered);
                Ok(())
            }
            RunCommand::Inspect { reply } => {
                let _ = reply.send(self.inspect());
                Ok(())
            }
            RunCommand::Pausing { request, reply } => {
                let answered = self.pause_request(request)?;
                let _ = reply.send(answered);
                Ok(())
            }
            RunCommand::Cancel { by } => self.apply(InputKind::Cancel { by }),
            RunCommand::Interrupt { by } => self.apply(InputKind::Interrupt { by }),
        }
    }

    pub(crate) fn answer(&mut self, id: &str, answer: &Answer) -> Result<Answered, RunError> {
        let Some((ticket, question)) = self.context.state.question(id) else {
            return Ok(self.context.handle.too_late(id));
        };
        let question = question.clone();
        let reading = match question.read(answer) {
            Ok(reading) => Reading {
                text: reading
                    .text
                    .map(|text| self.redactor.text(&text).into_owned()),
                ..reading
            },
            Err(reason) => {
                return Ok(Answered::refused(reason));
            }
        };
        if let Some(timer) = self.running.get(&ticket) {
            timer.stop.cancel();
        }
        self.apply(InputKind::Answered {
            question: question.id,
            reading,
            by: answer.by.clone(),
        })?;
        Ok(Answered::accepted())
    }
}

impl RunHandle {
    /// Says who was first, or that there is no such question; also when the run is over.
    pub(crate) fn too_late(&self, id: &str) -> Answered {
        let by = self
            .events(0)
            .iter()
            .rev()
            .find_map(|event| match &event.kind {
                EventKind::InterviewCompleted { question, by, .. } if question == id => {
                    Some(by.clone())
                }
                EventKind::InterviewTimeout { question, .. } if question == id => {
                    Some("the time limit".to_owned())
                }
                _ => None,
            });
        let reason = match &by {
            Some(by) => format!("{by} was first"),
            None => format!("`{id}` is not an open question of this run"),
        };
        Answered {
            accepted: false,
            by,
            reason: Some(reason),
        }
    }
}
