//! Laws of the machine, on random graphs with random things happening to them: it always ends, the same
//! inputs give the same bytes, an input without an event changes nothing, and late messages are ignored.

use std::fmt::Write as _;

use attractor_model::Pipeline;
use proptest::prelude::*;

use super::testing::{answer, waiting};
use super::*;
use crate::frame::Ticket;
use crate::outcome::Status;

/// Shapes a random node may have, with what it needs.
const NODES: &[&str] = &[
    "shape=box, prompt=x",
    "shape=box, prompt=x, max_retries=2",
    "shape=box, prompt=x, goal_gate=true, retry_target=n0",
    "shape=diamond",
    "shape=component",
    "shape=component, timeout=5m",
    "shape=component, verify=any_output",
    "shape=tripleoctagon",
    "shape=hexagon",
    "shape=hexagon, must_write=file",
    "shape=octagon",
    "shape=house, sub_pipeline=child",
    "shape=house, sub_pipeline=child, timeout=5m",
    "shape=folder, sub_pipeline=main",
    "shape=trapezium, loop_id=l, loop_max=2",
    "shape=invtrapezium, loop_id=l",
    "shape=cylinder",
    "shape=Msquare",
];

const EDGES: &[&str] = &[
    "",
    "[condition=\"outcome=success\"]",
    "[condition=\"outcome=fail\"]",
    "[condition=on_retry]",
    "[label=Yes]",
    "[label=No, priority=2]",
    "[condition=\"approved\"]",
    "[freeform=true]",
    "[loop_restart=true]",
];

fn dot(nodes: &[usize], edges: &[(usize, usize, usize)]) -> String {
    let mut text = "digraph main { max_steps=60; start [shape=Mdiamond]; start -> n0;".to_owned();
    for (index, kind) in nodes.iter().enumerate() {
        write!(text, " n{index} [{}];", NODES[kind % NODES.len()]).unwrap();
    }
    for (from, to, kind) in edges {
        let (from, to) = (from % nodes.len(), to % nodes.len());
        write!(text, " n{from} -> n{to} {};", EDGES[kind % EDGES.len()]).unwrap();
    }
    text.push_str("} digraph child { goal=x; c [shape=Mdiamond]; c -> d -> f; d [prompt=x] }");
    text
}

/// What may happen to whatever is under way, chosen by `choice`.
fn something(state: &State, choice: u8) -> Option<InputKind> {
    let waiting = waiting(state);
    let (id, frame) = waiting.get(usize::from(choice) % waiting.len().max(1))?;
    let ticket = Ticket {
        frame: *id,
        step: frame.step()?,
    };
    // A fork without walkers waits for what its node promised.
    let walked = state.frames.values().any(|other| other.parent == Some(*id));
    Some(match &frame.phase {
        Phase::Split { .. } | Phase::Calling { .. } if walked => InputKind::Due { ticket },
        Phase::Executing { .. } | Phase::Split { .. } => InputKind::Finished {
            ticket,
            jitter: 500 + u16::from(choice),
            unread: Vec::new(),
            outcome: Box::new(match choice % 5 {
                0 => Outcome::fail(FailureClass::Deterministic, "no"),
                1 => Outcome {
                    status: Status::Retry,
                    ..Outcome::default()
                },
                2 => Outcome {
                    preferred_label: Some("yes".to_owned()),
                    ..Outcome::default()
                },
                _ => Outcome::success().with("key", choice),
            }),
        },
        // Another attempt is not due while the run is paused.
        Phase::Backoff { .. } if state.is_paused() => InputKind::Continue {
            step: None,
            by: "test".to_owned(),
        },
        Phase::Backoff { .. } | Phase::Waiting { .. } | Phase::Calling { .. } => {
            InputKind::Due { ticket }
        }
        Phase::Asking { question, .. } if choice.is_multiple_of(7) => InputKind::TimedOut {
            question: question.id.clone(),
        },
        Phase::Asking { question, .. } => answer(question, choice),
        Phase::Held { .. } => return None,
    })
}

fn bytes(state: &State) -> String {
    serde_json::to_string(state).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn it_ends_and_the_same_inputs_give_the_same_bytes(
        nodes in prop::collection::vec(0..NODES.len(), 1..9),
        edges in prop::collection::vec((0..9_usize, 0..9_usize, 0..EDGES.len()), 0..16),
        choices in prop::collection::vec(any::<u8>(), 1..64),
    ) {
        let pipelines = Pipeline::from_text(&dot(&nodes, &edges));
        let plan = Plan::new(pipelines[0].clone(), pipelines);
        let mut inputs = Vec::new();
        let begin = Begin { run: "R".to_owned(), ..Begin::default() };
        let mut kind = InputKind::Start(Box::new(begin));
        let mut state = State::default();
        for at in 0..2000_u64 {
            let now = i64::try_from(at).unwrap();
            let input = Input { at, now, kind };
            let late = input.clone();
            inputs.push(input.clone());
            let (after, commands) = next(&plan, state, input);
            prop_assert!(commands.iter().any(|command| matches!(command, Effect::Emit(_))));
            // The same message again is late, unless a run can be resumed by it.
            let (again, commands) = next(&plan, after.clone(), Input { at: at + 1, ..late });
            prop_assert!(commands.is_empty());
            prop_assert_eq!(&again, &after);
            state = after;
            if state.is_over() {
                break;
            }
            let choice = choices[usize::try_from(at).unwrap() % choices.len()];
            // Nothing else happens while everything is held.
            kind = if state.is_paused() && (waiting(&state).is_empty() || choice % 2 == 0) {
                InputKind::Continue { step: None, by: "test".to_owned() }
            } else if choice % 9 == 3 && at % 7 == 0 && !state.is_paused() {
                InputKind::Pause { by: "test".to_owned() }
            } else if choice == 255 {
                InputKind::Cancel { by: "test".to_owned() }
            } else {
                something(&state, choice).expect("something is under way")
            };
        }
        prop_assert!(state.is_over(), "it ends");
        let mut replayed = State::default();
        for input in inputs {
            let stored: Input = serde_json::from_str(&serde_json::to_string(&input).unwrap()).unwrap();
            let kept: State = serde_json::from_str(&bytes(&replayed)).unwrap();
            prop_assert_eq!(&kept, &replayed);
            replayed = next(&plan, replayed, stored).0;
        }
        prop_assert_eq!(bytes(&replayed), bytes(&state));
    }
}
