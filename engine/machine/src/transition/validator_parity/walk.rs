//! A run whose nodes have random outcomes.

use std::sync::Arc;

use attractor_model::{NodeKind, Pipeline};

use super::super::testing::{answer, waiting};
use super::super::*;
use crate::frame::Ticket;
use crate::outcome::{Limits, Status};

/// An outcome for the node of a frame: only one that its handler can return.
fn outcome(plan: &Plan, state: &State, frame: &Frame, choice: u8) -> Outcome {
    let node_ref = plan.node_ref(frame.graph.as_deref(), &frame.node).unwrap();
    let failed = || Outcome::fail(FailureClass::Deterministic, "no");
    match node_ref.node.kind {
        NodeKind::Tool => {
            let code = i32::from(choice.is_multiple_of(3));
            let outcome = if code == 0 {
                Outcome::success()
            } else {
                failed()
            };
            outcome.with("exit_code", code)
        }
        NodeKind::Conditional => {
            let view = state.contexts.view(frame.scope, node_ref.pipeline);
            let status = view.text("outcome").map(|word| Status::parse(&word));
            Outcome {
                status: match status {
                    Some(status) if status.is_failure() => Status::Fail,
                    status => status.unwrap_or_default(),
                },
                preferred_label: view.text("preferred_label"),
                ..Outcome::default()
            }
        }
        kind if kind.calls_model() && node_ref.node.attributes.has("prompt") => match choice % 6 {
            0 | 1 => failed(),
            2 => Outcome {
                status: Status::Retry,
                ..Outcome::default()
            },
            3 => Outcome {
                preferred_label: Some("again".to_owned()),
                ..Outcome::default()
            },
            _ => Outcome::success().with("score", choice % 7),
        },
        _ => Outcome::success(),
    }
}

/// What happens next to whatever is under way.
fn something(plan: &Plan, state: &State, choice: u8) -> InputKind {
    let waiting = waiting(state);
    let (id, frame) = waiting[usize::from(choice) % waiting.len()];
    let ticket = Ticket {
        frame: id,
        step: frame.step().unwrap(),
    };
    match &frame.phase {
        Phase::Asking { question, .. } => answer(question, choice),
        Phase::Backoff { .. } | Phase::Waiting { .. } => InputKind::Due { ticket },
        _ => InputKind::Finished {
            ticket,
            jitter: 1000,
            unread: Vec::new(),
            outcome: Box::new(outcome(plan, state, frame, choice)),
        },
    }
}

/// What a run said on its way, and how it ended.
pub(super) struct Walk {
    pub(super) events: Vec<EventKind>,
    pub(super) end: End,
}

pub(super) fn walk(pipelines: &[Arc<Pipeline>], choices: &[u8]) -> Walk {
    let plan = Plan::new(pipelines[0].clone(), pipelines.to_vec());
    let begin = Begin {
        run: "R".to_owned(),
        limits: Limits {
            max_steps: Some(200),
            ..Limits::default()
        },
        ..Begin::default()
    };
    let mut kind = InputKind::Start(Box::new(begin));
    let mut state = State::default();
    let mut events = Vec::new();
    for (at, choice) in (0_u64..5000).zip(choices.iter().cycle()) {
        let (after, commands) = next(&plan, state, Input { at, now: 0, kind });
        events.extend(commands.into_iter().filter_map(|command| match command {
            Effect::Emit(event) => Some(*event),
            _ => None,
        }));
        state = after;
        if let Some(end) = state.end.take() {
            return Walk { events, end };
        }
        kind = something(&plan, &state, *choice);
    }
    panic!("the run does not end")
}
