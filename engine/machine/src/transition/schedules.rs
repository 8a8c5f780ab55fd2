//! Simulated schedules: a pipeline is walked in many orders, each chosen by a seed, with the process dying in between.
//!
//! The outcome of a node depends on its position in the run and never on the time of its execution, so every order has
//! to end in the same context. `ATTRACTOR_SCHEDULES` is the number of seeds; a failure names its seed.

use std::collections::BTreeMap;

use attractor_model::Pipeline;
use serde_json::Value;

use super::testing::{answer, waiting};
use super::*;
use crate::context::ROOT;
use crate::frame::{Ticket, Worktree};
use crate::outcome::Status;
use attractor_model::RunState;

/// Branches that retry, wait, ask, loop, call and fork again, in folders of their own.
const DOT: &str = r#"digraph main {
  start [shape=Mdiamond]
  done  [shape=Msquare]
  fork  [shape=component, isolation=worktree]
  flaky [shape=parallelogram, command=x, max_retries=2, retry_delay="1s"]
  after [shape=parallelogram, command=x]
  pause [shape=insulator, duration="5s"]
  gate  [shape=hexagon, prompt="Continue?"]
  yes   [shape=parallelogram, command=x]
  again [shape=trapezium, loop_id=turns, loop_max=3]
  turn  [shape=parallelogram, command=x]
  over  [shape=invtrapezium, loop_id=turns]
  call  [shape=folder, sub_pipeline=inside]
  join  [shape=tripleoctagon]
  each  [shape=component, for_each=items, max_parallel=2, isolation=worktree]
  item  [shape=parallelogram, command=x]
  meet  [shape=tripleoctagon]
  round [shape=house, sub_pipeline=inside, max_iterations=2]
  start -> fork
  fork -> flaky -> after -> join
  fork -> pause -> gate
  gate -> yes [label="[Y] Yes"]
  yes -> join
  fork -> again -> turn -> over -> join
  fork -> call -> join
  join -> each -> item -> meet -> round -> done
}
digraph inside {
  start [shape=Mdiamond]
  done  [shape=Msquare]
  fork  [shape=component, isolation=worktree]
  left  [shape=parallelogram, command=x]
  right [shape=parallelogram, command=x]
  join  [shape=tripleoctagon]
  start -> fork -> {left right} -> join -> done
}"#;

/// Numbers by chance, the same for the same seed (xorshift).
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// The outcome of a frame's node: by its place in the run alone.
fn outcome(frame: &Frame) -> Outcome {
    if frame.node == "flaky" && frame.attempt < 3 {
        return Outcome {
            status: Status::Retry,
            ..Outcome::default()
        };
    }
    let at = frame.node_attempt();
    let branch = at.branch.unwrap_or_default();
    let place = format!("{branch}/{} {}", frame.key(&at.node), at.visit);
    Outcome {
        output: Value::from(place.as_str()),
        ..Outcome::success().with(format!("set.{}", at.node), place)
    }
}

/// The inputs that may come next: one for every frame that does not wait for another one.
fn possible(state: &State) -> Vec<InputKind> {
    let is_parent = |id| state.frames.values().any(|other| other.parent == Some(id));
    let frames = waiting(state).into_iter().filter(|(id, _)| !is_parent(*id));
    let input = |(id, frame): (FrameId, &Frame)| {
        let step = frame.step().unwrap();
        let ticket = Ticket { frame: id, step };
        match &frame.phase {
            Phase::Asking { question, .. } => answer(question, 0),
            Phase::Backoff { .. } | Phase::Waiting { .. } => InputKind::Due { ticket },
            _ if frame.merges_here() => InputKind::FilesMerged {
                ticket,
                report: Box::default(),
            },
            _ => InputKind::Finished {
                ticket,
                jitter: 1000,
                unread: Vec::new(),
                outcome: Box::new(outcome(frame)),
            },
        }
    };
    frames.map(input).collect()
}

/// What is the same for every order: values, and names of nodes as a set.
fn context(state: &State) -> BTreeMap<String, Value> {
    let mut context = state.contexts.flatten(ROOT);
    if let Some(Value::Array(nodes)) = context.get_mut("_completed_nodes") {
        nodes.sort_by_key(Value::to_string);
    }
    context
}

/// A finished run: its state, its inputs, and the order in which nodes were done.
struct Schedule {
    state: State,
    inputs: Vec<Input>,
    crashes: usize,
    /// Folders of branches that are not needed any more.
    removed: Vec<String>,
}

/// Walks the pipeline in the order of a seed; without one, always the first frame and without a crash.
fn walk(plan: &Plan, seed: Option<u64>) -> Schedule {
    let mut chance = seed.map(Chance::new);
    let begin = Begin {
        run: "R".to_owned(),
        context: BTreeMap::from([("items".to_owned(), serde_json::json!(["a", "b", "c"]))]),
        ..Begin::default()
    };
    let mut kind = InputKind::Start(Box::new(begin));
    let (mut state, mut inputs, mut crashes) = (State::default(), Vec::new(), 0);
    let mut removed = Vec::new();
    for at in 0..1000 {
        let now = i64::try_from(at).unwrap();
        let input = Input { at, now, kind };
        inputs.push(input.clone());
        let (after, effects) = next(plan, state, input);
        state = after;
        for effect in effects {
            if let Effect::RemoveWorktrees(worktrees) = effect {
                removed.extend(worktrees.iter().map(Worktree::path));
            }
        }
        if state.is_over() {
            // Those of before a crash are named again.
            removed.sort();
            removed.dedup();
            return Schedule {
                state,
                inputs,
                crashes,
                removed,
            };
        }
        let mut possible = possible(&state);
        let by = || "test".to_owned();
        possible.extend(if state.is_paused() {
            Some(InputKind::Continue {
                step: None,
                by: by(),
            })
        } else {
            let pauses = chance.as_mut().is_some_and(|chance| chance.below(8) == 0);
            pauses.then(|| InputKind::Pause { by: by() })
        });
        assert!(!possible.is_empty(), "seed {seed:?}: nothing is under way");
        let crash = |chance: &mut Chance| chance.below(12) == 0;
        kind = if chance.as_mut().is_some_and(crash) {
            crashes += 1;
            InputKind::resumed()
        } else {
            let count = possible.len();
            let chosen = chance.as_mut().map_or(0, |chance| chance.below(count));
            possible.swap_remove(chosen)
        };
    }
    panic!("seed {seed:?}: the run does not end")
}

#[test]
fn every_schedule_ends_in_the_same_context() {
    let pipelines = Pipeline::from_text(DOT);
    let plan = Plan::new(pipelines[0].clone(), pipelines);
    let reference = walk(&plan, None);
    let end = |schedule: &Schedule| schedule.state.end.clone().unwrap();
    assert_eq!(
        end(&reference).status,
        RunState::Success,
        "{:?}",
        end(&reference).failure
    );
    let expected = context(&reference.state);
    assert_eq!(reference.removed.len(), 11, "{:?}", reference.removed);
    assert!(
        expected.keys().any(|key| key.contains("set.")),
        "{expected:?}"
    );
    let seeds = std::env::var("ATTRACTOR_SCHEDULES").ok();
    let seeds = seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(200);
    let (mut orders, mut crashes) = (std::collections::BTreeSet::new(), 0);
    for seed in 0..seeds {
        let schedule = walk(&plan, Some(seed));
        assert_eq!(
            end(&schedule).status,
            RunState::Success,
            "seed {seed}: {:?}",
            end(&schedule).failure
        );
        assert_eq!(context(&schedule.state), expected, "seed {seed}");
        // Every branch is merged.
        assert_eq!(
            schedule.removed.len(),
            reference.removed.len(),
            "seed {seed}"
        );
        let bytes = |state: &State| serde_json::to_string(state).unwrap();
        let replayed = schedule
            .inputs
            .into_iter()
            .fold(State::default(), |state, input| next(&plan, state, input).0);
        assert_eq!(bytes(&replayed), bytes(&schedule.state), "seed {seed}");
        orders.insert(schedule.state.path);
        crashes += schedule.crashes;
    }
    // The schedules differ, or nothing was tested.
    assert!(
        orders.len() > usize::try_from(seeds).unwrap() / 2,
        "{} orders",
        orders.len()
    );
    assert!(crashes > 0);
}
