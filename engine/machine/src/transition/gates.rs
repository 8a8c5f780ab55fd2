//! Questions to people: what a human gate asks, and what an answer means (language reference, section 9).
//!
//! Also the question after a crash: an `at_most_once` node that had begun is never run again unasked.

use std::collections::BTreeSet;

use attractor_model::{NodeKind, NodeWork};
use serde_json::Value;

use super::crossing::Crossing;
use super::evidence::LastResult;
use super::gate_question::{gate_outcome, gate_question};
use super::state::Purpose;
use super::{Effect, Frame, Phase, Task, Transition, evidence, route};
use crate::event::EventKind;
use crate::frame::{FrameId, Ticket};
use crate::outcome::{FailureClass, Outcome, Status};
use crate::plan::NodeRef;
use crate::question::{
    ChangedFiles, Question, QuestionKind, QuestionOption, Reading, normal_label,
};
use crate::transition::reasons;
use attractor_model::RunState;

impl Transition<'_> {
    /// Asks what a human gate asks.
    pub(super) fn ask_gate(
        &mut self,
        id: FrameId,
        frame: &Frame,
        node_ref: NodeRef<'_>,
        changed: ChangedFiles,
    ) {
        let view = self.view(frame, node_ref);
        let mut question = gate_question(frame, node_ref, view);
        question.evidence = evidence::of(node_ref, view, self.shown(frame), changed);
        question.id = question_id(frame, "");
        question.timeout_ms = node_ref.millis("timeout").filter(|limit| *limit > 0);
        question.deadline = question.timeout_ms.and_then(|left| self.time_after(left));
        self.ask(id, frame, question, Purpose::Gate);
    }

    /// The files a gate shows are known: asks its question.
    pub(super) fn compared(&mut self, ticket: Ticket, changed: ChangedFiles) {
        let Some(frame) = self.state.holder(ticket).cloned() else {
            return;
        };
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let waits = matches!(frame.phase, Phase::Executing { .. });
        if waits && node_ref.node.kind == NodeKind::HumanGate {
            self.ask_gate(ticket.frame, &frame, node_ref, changed);
        }
    }

    /// The result of the last work that led to where a frame is, possibly done before the frame was opened.
    fn shown<'s>(&'s self, frame: &'s Frame) -> Option<LastResult<'s>> {
        let opener = |frame: &&'s Frame| self.frame(frame.parent?);
        std::iter::successors(Some(frame), opener).find_map(|frame| {
            Some(LastResult {
                value: frame.shown.as_ref()?,
                node: frame.shown_by.as_deref(),
            })
        })
    }

    fn ask(&mut self, id: FrameId, frame: &Frame, question: Question, purpose: Purpose) {
        let step = self.new_step();
        self.record(&frame.key(&frame.node)).asked += 1;
        self.emit(EventKind::InterviewStarted {
            at: frame.node_attempt(),
            question: question.clone(),
        });
        if let Some(frame) = self.frame_mut(id) {
            frame.phase = Phase::Asking {
                step,
                question,
                purpose,
            };
        }
        self.out.push(Effect::Ask(Ticket { frame: id, step }));
    }

    /// Asks once more what was withdrawn when the run ended. The time to answer continued while the process was
    /// merely away; when the run had failed or was cancelled, there is all of it again.
    pub(super) fn ask_again(&mut self, id: FrameId, frame: &Frame, ended: RunState) {
        let Phase::Asking { mut question, .. } = frame.phase.clone() else {
            return;
        };
        if ended != RunState::Interrupted {
            question.deadline = question.timeout_ms.and_then(|left| self.time_after(left));
        }
        if let Some(Phase::Asking {
            question: asked, ..
        }) = self.frame_mut(id).map(|frame| &mut frame.phase)
        {
            asked.clone_from(&question);
        }
        self.emit(EventKind::InterviewStarted {
            at: frame.node_attempt(),
            question,
        });
    }

    /// A node had begun when its process ended: begin it again, or ask if that may do harm.
    pub(super) fn take_up_again(&mut self, id: FrameId, frame: &Frame) {
        let Some(node_ref) = self.node_ref(frame) else {
            return;
        };
        if let Some(status) = &frame.result {
            if !status.is_failure() {
                // It was done, and a limit kept the run from continuing.
                self.continue_after(id, &frame.node);
                return;
            }
            // It failed, so this is a new visit.
            self.todo.push_back(Task::Enter {
                frame: id,
                node: frame.node.clone(),
            });
            return;
        }
        self.recall_node_questions(id);
        if frame.merges_here() {
            // Its own work has not begun.
            self.begin(id);
            return;
        }
        let idempotent = node_ref.node.attributes.bool("idempotent");
        if idempotent.unwrap_or(true) && !node_ref.flag("at_most_once") {
            let declared = ["idempotent", "at_most_once"].map(|name| node_ref.written(name));
            let runs_commands = node_ref.work() == NodeWork::Commands;
            if runs_commands && declared.iter().all(Option::is_none) {
                self.emit(EventKind::StageRerun {
                    at: frame.node_attempt(),
                });
            }
            self.begin(id);
            return;
        }
        let option = |key: &str, label: &str, approves| QuestionOption {
            key: key.to_owned(),
            label: label.to_owned(),
            to: None,
            approves,
            freeform: false,
        };
        let question = Question {
            id: question_id(frame, ".unknown"),
            node: frame.node.clone(),
            kind: QuestionKind::Choice,
            text: reasons::unknown_attempt(&frame.node),
            options: vec![
                option("D", "It was done", true),
                option("R", "Run it again", true),
                option("F", "It failed", false),
            ],
            default: None,
            timeout_ms: None,
            deadline: None,
            reviewers: Vec::new(),
            evidence: None,
        };
        self.ask(id, frame, question, Purpose::Unknown);
    }

    /// The question was answered.
    pub(super) fn answered(&mut self, question: &str, reading: &Reading, by: &str) {
        if self.node_question_answered(question, reading, by) {
            return;
        }
        let Some((id, frame, asked, purpose)) = self.asked(question) else {
            return;
        };
        let chosen = asked.chosen(reading);
        self.emit(EventKind::InterviewCompleted {
            at: frame.node_attempt(),
            question: asked.id.clone(),
            answer: asked.answer_text(reading),
            text: asked.text_next_to_choice(reading),
            by: by.to_owned(),
        });
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        match purpose {
            Purpose::Gate => {
                let mut outcome = gate_outcome(node_ref, &asked, &chosen, reading, by);
                self.refuse_unrouted(&frame, node_ref, &asked, &mut outcome, by);
                self.verify_postconditions(id, outcome);
            }
            Purpose::Unknown => match reading.keys.first().map(String::as_str) {
                Some("R") => self.begin(id),
                Some("D") => self.finish(
                    id,
                    Outcome {
                        notes: reasons::taken_as_done(by),
                        ..Outcome::default()
                    },
                ),
                _ => self.finish(
                    id,
                    Outcome::fail(FailureClass::Canceled, reasons::taken_as_failed(by)),
                ),
            },
        }
    }

    /// A "no" that no edge asks about must not pass as a success.
    fn refuse_unrouted(
        &mut self,
        frame: &Frame,
        node_ref: NodeRef<'_>,
        asked: &Question,
        outcome: &mut Outcome,
        by: &str,
    ) {
        let refused = outcome.context_updates.get("approved") == Some(&Value::Bool(false));
        if !refused || asked.kind != QuestionKind::Confirm {
            return;
        }
        // Ask the edges what they would do with the answer, on a layer that is thrown away.
        let probe = self.state.contexts.open(frame.scope);
        for (key, value) in &outcome.context_updates {
            self.state.contexts.set(probe, key.as_str(), value.clone());
        }
        let none = BTreeSet::new();
        let routed = route::has_true_condition(Crossing {
            node_ref,
            frame,
            view: self
                .state
                .contexts
                .view(probe, node_ref.pipeline)
                .with_large_values(self.plan.large_values()),
            outcome,
            taken: &self.state.edges,
            closed: &none,
        });
        drop(self.state.contexts.close(probe));
        let labelled = outcome.preferred_label.as_deref().is_some_and(|label| {
            let wanted = normal_label(label);
            let mut labels = node_ref.outgoing().filter_map(|edge| edge.label());
            labels.any(|label| normal_label(label) == wanted)
        });
        if !labelled && !routed {
            outcome.status = Status::Fail;
            outcome.failure_class = Some(FailureClass::Canceled);
            outcome.failure_reason = Some(reasons::refused_by(by));
        }
    }

    /// The question was not answered in time.
    pub(super) fn timed_out(&mut self, question: &str) {
        if self.node_question_timed_out(question) {
            return;
        }
        let Some((id, frame, asked, purpose)) = self.asked(question) else {
            return;
        };
        let default = asked.default_reading().filter(|_| purpose == Purpose::Gate);
        let chosen = default.as_ref().map(|reading| asked.chosen(reading));
        self.emit(EventKind::InterviewTimeout {
            at: frame.node_attempt(),
            question: asked.id.clone(),
            default: default.as_ref().map(|reading| asked.answer_text(reading)),
        });
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let (Some(reading), Some(chosen)) = (&default, chosen) else {
            let outcome = Outcome {
                status: Status::Retry,
                failure_class: Some(FailureClass::Timeout),
                failure_reason: Some(reasons::not_answered(&frame.node)),
                ..Outcome::default()
            };
            self.finish(id, outcome);
            return;
        };
        let by = "default choice";
        let mut outcome = gate_outcome(node_ref, &asked, &chosen, reading, by);
        self.refuse_unrouted(&frame, node_ref, &asked, &mut outcome, by);
        self.verify_postconditions(id, outcome);
    }

    /// No person can be asked.
    pub(super) fn unanswerable(&mut self, question: &str, reason: &str) {
        if self.node_question_unanswerable(question, reason) {
            return;
        }
        let Some((id, frame, asked, _)) = self.asked(question) else {
            return;
        };
        self.emit(EventKind::InterviewWithdrawn {
            at: frame.node_attempt(),
            question: asked.id.clone(),
            reason: reason.to_owned(),
        });
        self.fail_frame(id, FailureClass::Unanswered, reason.to_owned());
    }

    fn asked(&self, question: &str) -> Option<(FrameId, Frame, Question, Purpose)> {
        let (Ticket { frame: id, .. }, _) = self.state.question(question)?;
        let frame = self.frame(id)?.clone();
        match frame.phase.clone() {
            Phase::Asking {
                question, purpose, ..
            } => Some((id, frame, question, purpose)),
            _ => None,
        }
    }
}

pub(super) fn question_id(frame: &Frame, suffix: &str) -> String {
    let key = frame.key(&frame.node);
    let key = match &frame.branch {
        Some(branch) if frame.graph.is_none() => format!("{branch}:{key}"),
        _ => key,
    };
    let attempt = match frame.attempt {
        0 | 1 => String::new(),
        attempt => format!("-{attempt}"),
    };
    format!("{key}.{}{attempt}{suffix}", frame.visit)
}
