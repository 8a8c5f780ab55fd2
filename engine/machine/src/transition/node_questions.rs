//! Questions that the work of a node asks while it runs.
//!
//! They are questions of the run like those of a human gate: durable, answered from anywhere, closed by the first
//! answer. The answers are kept for the attempt: when its process ends and the attempt is run again, a question that
//! was answered gets the same answer.

use super::gates::question_id;
use super::node_question::{NodeQuestion, Progress};
use super::{Effect, Frame, Phase, State, Transition};
use crate::event::{EventKind, NodeAttempt};
use crate::frame::{FrameId, Ticket};
use crate::question::{AskError, Question, Reading, Reply};
use crate::transition::reasons;

impl State {
    /// The id of the next question of an attempt.
    pub fn next_node_question(&self, ticket: Ticket) -> Option<String> {
        let frame = self.holder(ticket)?;
        let asked = self.nodes.get(&frame.key(&frame.node))?.asked;
        Some(question_id(frame, &format!(".q{}", asked + 1)))
    }

    /// The open question of an attempt, by its id.
    fn node_question(&self, question: &str) -> Option<(FrameId, &NodeQuestion)> {
        self.frames.iter().find_map(|(id, frame)| {
            let mut open = frame.node_questions.iter().filter(|entry| entry.is_open());
            let found = open.find(|entry| entry.question.id == question)?;
            Some((*id, found))
        })
    }
}

impl Transition<'_> {
    /// The work of a node asks. `question` has an id of [`State::next_node_question`].
    pub(super) fn ask_for_node(&mut self, ticket: Ticket, mut question: Question) {
        let Some(frame) = self.state.holder(ticket).cloned() else {
            return;
        };
        if !matches!(frame.phase, Phase::Executing { .. }) {
            return;
        }
        question.node.clone_from(&frame.node);
        let mut before = frame.node_questions.iter().enumerate();
        let known = before.find_map(|(at, entry)| Some((at, entry.answer_before(&question)?)));
        if let Some((at, (reading, by))) = known {
            let asked_as = question.id;
            self.keep_answer(ticket.frame, at, &reading, &by, asked_as);
            return;
        }
        question.deadline = question.timeout_ms.and_then(|left| self.time_after(left));
        let step = self.new_step();
        self.record(&frame.key(&frame.node)).asked += 1;
        self.emit(EventKind::InterviewStarted {
            at: frame.node_attempt(),
            question: question.clone(),
        });
        if let Some(frame) = self.frame_mut(ticket.frame) {
            frame.node_questions.push(NodeQuestion {
                step,
                question,
                progress: Progress::Open,
            });
        }
        let frame = ticket.frame;
        self.out.push(Effect::Ask(Ticket { frame, step }));
    }

    /// A question of an attempt is answered. Says whether it is one.
    pub(super) fn node_question_answered(
        &mut self,
        question: &str,
        reading: &Reading,
        by: &str,
    ) -> bool {
        let Some((id, at)) = self.open_node_question(question) else {
            return false;
        };
        self.keep_answer(id, at, reading, by, question.to_owned());
        true
    }

    /// A question of an attempt was not answered in time. Says whether it is one.
    pub(super) fn node_question_timed_out(&mut self, question: &str) -> bool {
        let Some((id, at)) = self.open_node_question(question) else {
            return false;
        };
        let Some((node, entry)) = self.take_node_question(id, at) else {
            return true;
        };
        let asked = entry.question;
        let default = asked.default_reading();
        self.emit(EventKind::InterviewTimeout {
            at: node,
            question: asked.id.clone(),
            default: default.as_ref().map(|reading| asked.answer_text(reading)),
        });
        let reply = default
            .map(|reading| Reply::of(&asked, &reading, "default choice"))
            .ok_or(AskError::TimedOut);
        self.reply(asked.id, reply);
        true
    }

    /// Nobody can answer a question of an attempt. Says whether it is one.
    pub(super) fn node_question_unanswerable(&mut self, question: &str, reason: &str) -> bool {
        let Some((id, at)) = self.open_node_question(question) else {
            return false;
        };
        let Some((node, entry)) = self.take_node_question(id, at) else {
            return true;
        };
        self.emit(EventKind::InterviewWithdrawn {
            at: node,
            question: entry.question.id.clone(),
            reason: reason.to_owned(),
        });
        self.reply(entry.question.id, Err(AskError::unanswerable(reason)));
        true
    }

    /// The work of a node does not need an answer any more.
    pub(super) fn withdraw(&mut self, question: &str) {
        let Some((id, at)) = self.open_node_question(question) else {
            return;
        };
        if let Some((node, entry)) = self.take_node_question(id, at) {
            self.withdrawn(id, node, &entry, reasons::ANSWER_NOT_NEEDED);
        }
    }

    /// An attempt has ended, and its questions with it.
    pub(super) fn end_node_questions(&mut self, id: FrameId, reason: &str) {
        let Some(frame) = self.frame_mut(id) else {
            return;
        };
        let node_questions = std::mem::take(&mut frame.node_questions);
        let at = frame.node_attempt();
        for entry in node_questions.iter().filter(|entry| entry.is_open()) {
            self.withdrawn(id, at.clone(), entry, reason);
        }
    }

    /// An attempt whose process ended is run again: its answers are kept for it.
    pub(super) fn recall_node_questions(&mut self, id: FrameId) {
        let Some(frame) = self.frame_mut(id) else {
            return;
        };
        let at = frame.node_attempt();
        let node_questions = std::mem::take(&mut frame.node_questions);
        for entry in node_questions.iter().filter(|entry| entry.is_open()) {
            self.withdrawn(id, at.clone(), entry, reasons::RUN_AGAIN);
        }
        let answered = node_questions.into_iter().filter_map(|entry| {
            let progress = match entry.progress {
                Progress::Open => return None,
                Progress::Answered { reading, by } | Progress::AnsweredBefore { reading, by } => {
                    Progress::AnsweredBefore { reading, by }
                }
            };
            Some(NodeQuestion { progress, ..entry })
        });
        let answered = answered.collect();
        if let Some(frame) = self.frame_mut(id) {
            frame.node_questions = answered;
        }
    }

    /// A frame is dropped, and its questions with it.
    pub(super) fn withdraw_all(&mut self, id: FrameId, frame: &Frame, reason: &str) {
        let gate = match &frame.phase {
            Phase::Asking { question, .. } => Some(question),
            _ => None,
        };
        if let Some(question) = gate {
            self.emit(EventKind::InterviewWithdrawn {
                at: frame.node_attempt(),
                question: question.id.clone(),
                reason: reason.to_owned(),
            });
        }
        for entry in frame.node_questions.iter().filter(|entry| entry.is_open()) {
            self.withdrawn(id, frame.node_attempt(), entry, reason);
        }
    }

    fn open_node_question(&self, question: &str) -> Option<(FrameId, usize)> {
        let (id, open) = self.state.node_question(question)?;
        let mut node_questions = self.frame(id)?.node_questions.iter();
        let at = node_questions.position(|entry| entry.step == open.step)?;
        Some((id, at))
    }

    fn take_node_question(
        &mut self,
        id: FrameId,
        at: usize,
    ) -> Option<(NodeAttempt, NodeQuestion)> {
        let frame = self.frame_mut(id)?;
        (at < frame.node_questions.len())
            .then(|| (frame.node_attempt(), frame.node_questions.remove(at)))
    }

    /// Notes an answer and hands it to the work that asked for it as `asked_as`.
    fn keep_answer(
        &mut self,
        id: FrameId,
        at: usize,
        reading: &Reading,
        by: &str,
        asked_as: String,
    ) {
        let Some(frame) = self.frame_mut(id) else {
            return;
        };
        let node = frame.node_attempt();
        let Some(entry) = frame.node_questions.get_mut(at) else {
            return;
        };
        entry.progress = Progress::Answered {
            reading: reading.clone(),
            by: by.to_owned(),
        };
        let asked = entry.question.clone();
        self.emit(EventKind::InterviewCompleted {
            at: node,
            question: asked.id.clone(),
            answer: asked.answer_text(reading),
            text: asked.text_next_to_choice(reading),
            by: by.to_owned(),
        });
        self.reply(asked_as, Ok(Reply::of(&asked, reading, by)));
    }

    fn reply(&mut self, question: String, reply: Result<Reply, AskError>) {
        self.out.push(Effect::Reply { question, reply });
    }

    fn withdrawn(&mut self, frame: FrameId, at: NodeAttempt, entry: &NodeQuestion, reason: &str) {
        self.emit(EventKind::InterviewWithdrawn {
            at,
            question: entry.question.id.clone(),
            reason: reason.to_owned(),
        });
        let step = entry.step;
        self.out.push(Effect::Stop(Ticket { frame, step }));
    }
}
