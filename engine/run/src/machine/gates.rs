//! Questions to people: what a human gate asks, and what an answer means (language reference, section 9).
//!
//! Also the question after a crash: an `at_most_once` node that had begun is never run again unasked.

use std::collections::BTreeSet;

use attractor_model::NodeKind;
use serde_json::Value;

use super::interview::{gate_outcome, gate_question};
use super::plan::Site;
use super::state::Purpose;
use super::{Command, Lane, LaneId, Phase, Task, Ticket, Turn, evidence, route};
use crate::event::EventKind;
use crate::file_changes::ChangedFiles;
use crate::handlers::commands;
use crate::outcome::{FailureClass, Outcome, Status};
use crate::question::{Question, QuestionKind, QuestionOption, Reading};
use crate::report::RunStatus;
use crate::wording;

impl Turn<'_> {
    /// Asks what a human gate asks.
    pub(super) fn ask_gate(
        &mut self,
        id: LaneId,
        lane: &Lane,
        site: Site<'_>,
        changed: ChangedFiles,
    ) {
        let view = self.view(lane, site);
        let mut question = gate_question(lane, site, view);
        question.evidence = evidence::of(site, view, self.shown(lane), changed);
        question.id = question_id(lane, "");
        question.timeout_ms = site.millis("timeout").filter(|limit| *limit > 0);
        question.deadline = question.timeout_ms.and_then(|left| self.time_after(left));
        self.ask(id, lane, question, Purpose::Gate);
    }

    /// The files a gate shows are known: asks its question.
    pub(super) fn compared(&mut self, ticket: Ticket, changed: ChangedFiles) {
        let Some(lane) = self.state.holder(ticket).cloned() else {
            return;
        };
        let Some(site) = self.site(&lane) else { return };
        let waits = matches!(lane.phase, Phase::Executing { .. });
        if waits && site.node.kind == NodeKind::HumanGate {
            self.ask_gate(ticket.lane, &lane, site, changed);
        }
    }

    /// The result of the last work that led to where a lane is, possibly done before the lane was opened.
    fn shown<'s>(&'s self, lane: &'s Lane) -> Option<&'s Value> {
        let opener = |lane: &&'s Lane| self.lane(lane.parent?);
        std::iter::successors(Some(lane), opener).find_map(|lane| lane.shown.as_ref())
    }

    fn ask(&mut self, id: LaneId, lane: &Lane, question: Question, purpose: Purpose) {
        let step = self.new_step();
        self.record(&lane.key(&lane.node)).asked += 1;
        self.emit(EventKind::InterviewStarted {
            at: lane.place(),
            question: question.clone(),
        });
        if let Some(lane) = self.lane_mut(id) {
            lane.phase = Phase::Asking {
                step,
                question,
                purpose,
            };
        }
        self.out.push(Command::Ask(Ticket { lane: id, step }));
    }

    /// Asks once more what was withdrawn when the run ended. The time to answer went on while the process was
    /// merely away; when the run had failed or was cancelled, there is all of it again.
    pub(super) fn ask_again(&mut self, id: LaneId, lane: &Lane, ended: RunStatus) {
        let Phase::Asking { mut question, .. } = lane.phase.clone() else {
            return;
        };
        if ended != RunStatus::Interrupted {
            question.deadline = question.timeout_ms.and_then(|left| self.time_after(left));
        }
        if let Some(Phase::Asking {
            question: asked, ..
        }) = self.lane_mut(id).map(|lane| &mut lane.phase)
        {
            asked.clone_from(&question);
        }
        self.emit(EventKind::InterviewStarted {
            at: lane.place(),
            question,
        });
    }

    /// A node had begun when its process ended: begin it again, or ask if that may do harm.
    pub(super) fn take_up_again(&mut self, id: LaneId, lane: &Lane) {
        let Some(site) = self.site(lane) else { return };
        let key = lane.key(&lane.node);
        let known = self.state.nodes.get(&key);
        let known = known.and_then(|record| record.status.as_ref());
        if let Some(status) = known {
            if !status.is_failure() {
                // It was done, and a limit kept the run from going on.
                self.go_on_after(id, &lane.node);
                return;
            }
            // It failed, so this is a new visit.
            self.todo.push_back(Task::Enter {
                lane: id,
                node: lane.node.clone(),
            });
            return;
        }
        let idempotent = site.node.attributes.bool("idempotent");
        if idempotent.unwrap_or(true) && !site.flag("at_most_once") {
            let declared = ["idempotent", "at_most_once"].map(|name| site.written(name));
            let runs_commands = commands::work_of(site) == commands::Work::Commands;
            if runs_commands && declared.iter().all(Option::is_none) {
                self.emit(EventKind::StageRerun { at: lane.place() });
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
            id: question_id(lane, ".unknown"),
            node: lane.node.clone(),
            kind: QuestionKind::Choice,
            text: wording::unknown_attempt(&lane.node),
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
        self.ask(id, lane, question, Purpose::Unknown);
    }

    /// Somebody answered.
    pub(super) fn answered(&mut self, question: &str, reading: &Reading, by: &str) {
        let Some((id, lane, asked, purpose)) = self.asked(question) else {
            return;
        };
        let chosen = asked.chosen(reading);
        self.emit(EventKind::InterviewCompleted {
            at: lane.place(),
            question: asked.id.clone(),
            answer: asked.answer_text(reading),
            text: reading.text.clone().filter(|_| !chosen.is_empty()),
            by: by.to_owned(),
        });
        let Some(site) = self.site(&lane) else { return };
        match purpose {
            Purpose::Gate => {
                let mut outcome = gate_outcome(site, &asked, &chosen, reading, by);
                self.refuse_unrouted(&lane, site, &asked, &mut outcome, by);
                self.came_to(id, outcome);
            }
            Purpose::Unknown => match reading.keys.first().map(String::as_str) {
                Some("R") => self.begin(id),
                Some("D") => self.finish(
                    id,
                    Outcome {
                        notes: wording::taken_as_done(by),
                        ..Outcome::default()
                    },
                ),
                _ => self.finish(
                    id,
                    Outcome::fail(FailureClass::Canceled, wording::taken_as_failed(by)),
                ),
            },
        }
    }

    /// A "no" that no edge asks about must not pass as a success.
    fn refuse_unrouted(
        &mut self,
        lane: &Lane,
        site: Site<'_>,
        asked: &Question,
        outcome: &mut Outcome,
        by: &str,
    ) {
        let refused = outcome.context_updates.get("approved") == Some(&Value::Bool(false));
        if !refused || asked.kind != QuestionKind::Confirm {
            return;
        }
        // Ask the edges what they would do with the answer, on a layer that is thrown away.
        let probe = self.state.contexts.open(lane.scope);
        for (key, value) in &outcome.context_updates {
            self.state.contexts.set(probe, key.as_str(), value.clone());
        }
        let none = BTreeSet::new();
        let routed = route::has_true_condition(route::Crossing {
            site,
            lane,
            view: self
                .state
                .contexts
                .view(probe, site.pipeline)
                .with_artifacts(self.plan.artifacts()),
            outcome,
            taken: &self.state.edges,
            closed: &none,
        });
        drop(self.state.contexts.close(probe));
        let labelled = outcome.preferred_label.as_deref().is_some_and(|label| {
            let wanted = route::normal_label(label);
            let mut labels = site.outgoing().filter_map(|edge| edge.label());
            labels.any(|label| route::normal_label(label) == wanted)
        });
        if !labelled && !routed {
            outcome.status = Status::Fail;
            outcome.failure_class = Some(FailureClass::Canceled);
            outcome.failure_reason = Some(wording::refused_by(by));
        }
    }

    /// Nobody answered in time.
    pub(super) fn timed_out(&mut self, question: &str) {
        let Some((id, lane, asked, purpose)) = self.asked(question) else {
            return;
        };
        let default = asked.default_reading().filter(|_| purpose == Purpose::Gate);
        let chosen = default.as_ref().map(|reading| asked.chosen(reading));
        self.emit(EventKind::InterviewTimeout {
            at: lane.place(),
            question: asked.id.clone(),
            default: default.as_ref().map(|reading| asked.answer_text(reading)),
        });
        let Some(site) = self.site(&lane) else { return };
        let (Some(reading), Some(chosen)) = (&default, chosen) else {
            let outcome = Outcome {
                status: Status::Retry,
                failure_class: Some(FailureClass::Timeout),
                failure_reason: Some(wording::nobody_answered(&lane.node)),
                ..Outcome::default()
            };
            self.finish(id, outcome);
            return;
        };
        let by = "default choice";
        let mut outcome = gate_outcome(site, &asked, &chosen, reading, by);
        self.refuse_unrouted(&lane, site, &asked, &mut outcome, by);
        self.came_to(id, outcome);
    }

    /// There is nobody to ask.
    pub(super) fn unanswerable(&mut self, question: &str, reason: &str) {
        let Some((id, lane, asked, _)) = self.asked(question) else {
            return;
        };
        self.emit(EventKind::InterviewTimeout {
            at: lane.place(),
            question: asked.id.clone(),
            default: None,
        });
        self.fail_lane(id, FailureClass::Unanswered, reason.to_owned());
    }

    fn asked(&self, question: &str) -> Option<(LaneId, Lane, Question, Purpose)> {
        let id = self.state.asker(question)?;
        let lane = self.lane(id)?.clone();
        match lane.phase.clone() {
            Phase::Asking {
                question, purpose, ..
            } => Some((id, lane, question, purpose)),
            _ => None,
        }
    }
}

fn question_id(lane: &Lane, suffix: &str) -> String {
    let key = lane.key(&lane.node);
    let key = match &lane.branch {
        Some(branch) if lane.graph.is_none() => format!("{branch}:{key}"),
        _ => key,
    };
    let attempt = match lane.attempt {
        0 | 1 => String::new(),
        attempt => format!("-{attempt}"),
    };
    format!("{key}.{}{attempt}{suffix}", lane.visit)
}
