//! Runs that are paused: what is held, where they pause, and that nothing is missed.

use std::collections::{BTreeMap, BTreeSet};

use attractor_model::Pipeline;
use expect_test::{Expect, expect};

use super::*;
use crate::control::{FailurePoint, PointCondition, StepDepth, StepFrom, Visits, edge_point};
use crate::event::EventKind;
use crate::frame::Ticket;
use crate::outcome::{FailureClass, Outcome};
use crate::plan::Plan;
use crate::transition::{Begin, Effect, Input, InputKind, Phase, State, next};

/// A run that is given its inputs one by one, and what happened in it.
struct Walk {
    plan: Plan,
    state: State,
    now: i64,
    lines: String,
    /// Nodes whose work has begun and has not ended.
    open: Vec<Ticket>,
}

impl Walk {
    fn new(dot: &str, points: PausePoints) -> Self {
        let pipelines = Pipeline::from_text(dot);
        let mut walk = Self {
            plan: Plan::new(pipelines[0].clone(), pipelines),
            state: State::default(),
            now: 0,
            lines: String::new(),
            open: Vec::new(),
        };
        walk.give(InputKind::Start(Box::new(Begin {
            run: "R".to_owned(),
            points,
            ..Begin::default()
        })));
        walk
    }

    fn give(&mut self, kind: InputKind) {
        self.now += 1000;
        let input = Input {
            at: 0,
            now: self.now,
            kind,
        };
        let (state, effects) = next(&self.plan, std::mem::take(&mut self.state), input);
        self.state = state;
        for effect in effects {
            match effect {
                Effect::Execute(ticket) => self.open.push(ticket),
                Effect::Emit(event) => self.note(&event),
                _ => {}
            }
        }
    }

    fn note(&mut self, event: &EventKind) {
        let line = match event {
            EventKind::StageStarted { at, .. } => {
                format!("start {}@{}-{}", at.node, at.visit, at.attempt)
            }
            EventKind::PipelinePaused {
                reason,
                node,
                branch,
                detail,
                ..
            } => {
                let rest = [node, branch, detail].into_iter().flatten();
                let rest: Vec<&str> = rest.map(String::as_str).collect();
                format!("paused {reason:?} {}", rest.join(" "))
            }
            EventKind::PipelineContinued { paused_ms, .. } => format!("continued {paused_ms}"),
            EventKind::ContextOverridden { keys, next, .. } => format!("set {keys:?} {next:?}"),
            EventKind::PipelineCompleted { .. } => "completed".to_owned(),
            EventKind::PipelineFailed { .. } => "failed".to_owned(),
            _ => return,
        };
        self.lines.push_str(&line);
        self.lines.push('\n');
    }

    /// Ends the work that began first, well.
    fn finish(&mut self) {
        self.finish_as(Outcome::success());
    }

    fn finish_as(&mut self, outcome: Outcome) {
        let ticket = self.open.remove(0);
        self.give(InputKind::Finished {
            ticket,
            outcome: Box::new(outcome),
            jitter: 1000,
            unread: Vec::new(),
        });
    }

    /// Ends all work, well, until nothing is under way.
    fn finish_all(&mut self) {
        while !self.open.is_empty() && !self.state.is_over() {
            self.finish();
        }
    }

    fn pause(&mut self) {
        self.give(InputKind::Pause {
            by: "ada".to_owned(),
        });
    }

    fn proceed(&mut self, step: Option<(FrameId, StepDepth)>) {
        let step = step.map(|(frame, depth)| StepFrom { frame, depth });
        self.give(InputKind::Continue {
            step,
            by: "ada".to_owned(),
        });
        self.finish_all();
    }

    fn check(self, expected: &Expect) {
        expected.assert_eq(&self.lines);
    }
}

fn node_points(nodes: &[&str]) -> PausePoints {
    let nodes = nodes
        .iter()
        .map(|node| ((*node).to_owned(), PointCondition::default()));
    PausePoints {
        nodes: nodes.collect(),
        ..PausePoints::default()
    }
}

const LINE: &str = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> a -> b -> e; a [command=x]; b [command=x] }";

const BRANCHES: &str =
    "digraph { s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component]; j [shape=tripleoctagon]
  s -> f; f -> a -> c -> j; f -> b -> d -> j; j -> e
  a [command=x]; b [command=x]; c [command=x]; d [command=x] }";

#[test]
fn what_runs_ends_its_step_and_nothing_new_starts() {
    let mut walk = Walk::new(BRANCHES, PausePoints::default());
    walk.finish();
    walk.pause();
    walk.finish_all();
    assert!(walk.state.is_paused());
    let held = walk.state.frames.values();
    let held = held.filter(|frame| matches!(frame.phase, Phase::Held { .. }));
    assert_eq!(held.count(), 2);
    walk.proceed(None);
    walk.check(&expect![[r#"
        start s@1-1
        start f@1-1
        start a@1-1
        start b@1-1
        paused Request 
        continued 3000
        start c@1-1
        start d@1-1
        start j@1-1
        start e@1-1
        completed
    "#]]);
}

#[test]
fn a_breakpoint_pauses_before_the_work_begins() {
    let mut walk = Walk::new(LINE, node_points(&["b"]));
    walk.finish_all();
    walk.proceed(None);
    walk.check(&expect![[r#"
        start s@1-1
        start a@1-1
        paused Node b
        continued 1000
        start b@1-1
        start e@1-1
        completed
    "#]]);
}

#[test]
fn the_breakpoint_of_another_branch_is_not_missed() {
    let mut walk = Walk::new(BRANCHES, node_points(&["c", "d"]));
    walk.finish_all();
    walk.proceed(None);
    walk.proceed(None);
    walk.check(&expect![[r#"
        start s@1-1
        start f@1-1
        start a@1-1
        start b@1-1
        paused Node c a
        continued 2000
        start c@1-1
        paused Node d b
        continued 2000
        start d@1-1
        start j@1-1
        start e@1-1
        completed
    "#]]);
}

#[test]
fn steps_go_over_into_and_out_of_sub_pipelines() {
    let dot = "digraph main { s [shape=Mdiamond]; e [shape=Msquare]; call [shape=folder, sub_pipeline=child]; s -> call -> a -> e; a [command=x] }
        digraph child { cs [shape=Mdiamond]; c [command=x]; d [shape=Msquare]; cs -> c -> d }";
    let depths = |into: StepDepth, inside: StepDepth| {
        let mut walk = Walk::new(dot, node_points(&["call"]));
        walk.finish_all();
        let main = walk.state.pausing.paused.as_ref().unwrap().frame.unwrap();
        walk.proceed(Some((main, into)));
        let at = walk.state.pausing.paused.as_ref().unwrap().frame.unwrap();
        walk.proceed(Some((at, inside)));
        walk.lines
    };
    expect![[r#"
        start s@1-1
        paused Node call
        continued 1000
        start call@1-1
        start cs@1-1
        start c@1-1
        start d@1-1
        paused Step a
        continued 1000
        start a@1-1
        paused Step e
    "#]]
    .assert_eq(&depths(StepDepth::Over, StepDepth::Over));
    expect![[r#"
        start s@1-1
        paused Node call
        continued 1000
        start call@1-1
        paused Step cs
        continued 1000
        start cs@1-1
        paused Step c
    "#]]
    .assert_eq(&depths(StepDepth::Into, StepDepth::Over));
    expect![[r#"
        start s@1-1
        paused Node call
        continued 1000
        start call@1-1
        paused Step cs
        continued 1000
        start cs@1-1
        start c@1-1
        start d@1-1
        paused Step a
    "#]]
    .assert_eq(&depths(StepDepth::Into, StepDepth::Out));
}

#[test]
fn conditions_and_visits_decide() {
    let looped = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> a; a -> a [condition=\"n < 3\"]; a -> e [condition=\"n >= 3\"]; a [command=x] }";
    let paused_at = |point: PointCondition| {
        let points = PausePoints {
            nodes: BTreeMap::from([("a".to_owned(), point)]),
            ..PausePoints::default()
        };
        let mut walk = Walk::new(looped, points);
        walk.finish();
        let mut visits = Vec::new();
        for n in 1..=3 {
            if walk.state.is_paused() {
                visits.push(n);
                walk.give(InputKind::Continue {
                    step: None,
                    by: String::new(),
                });
            }
            walk.finish_as(Outcome::success().with("n", n));
        }
        visits
    };
    let when = |condition: &str| PointCondition {
        when: Some(condition.to_owned()),
        visits: None,
    };
    assert_eq!(paused_at(PointCondition::default()), [1, 2, 3]);
    assert_eq!(paused_at(when("n == 1")), [2]);
    let of_condition = paused_at(when("n ==="));
    assert!(of_condition.is_empty(), "{of_condition:?}");
    let visits = Some(Visits::AtLeast(2));
    assert_eq!(paused_at(PointCondition { when: None, visits }), [2, 3]);
}

#[test]
fn edges_keys_and_failures_pause_too() {
    let points = PausePoints {
        entry: true,
        edges: BTreeMap::from([(
            edge_point(None, ("a", "b"), None, None),
            PointCondition::default(),
        )]),
        keys: BTreeSet::from(["depth".to_owned()]),
        failures: BTreeSet::from([FailurePoint::Failed]),
        ..PausePoints::default()
    };
    let dot = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> a -> b -> c; c -> e [condition=\"outcome=fail\"]; a [command=x]; b [command=x]; c [command=x] }";
    let mut walk = Walk::new(dot, points);
    walk.proceed(None);
    walk.give(InputKind::Continue {
        step: None,
        by: String::new(),
    });
    walk.finish_as(Outcome::success().with("depth", 3));
    walk.give(InputKind::Continue {
        step: None,
        by: String::new(),
    });
    walk.finish_as(Outcome::fail(FailureClass::Deterministic, "no"));
    walk.proceed(None);
    walk.check(&expect![[r#"
        paused Entry s
        continued 1000
        start s@1-1
        start a@1-1
        paused Edge b b
        continued 1000
        start b@1-1
        paused Key c depth
        continued 1000
        start c@1-1
        paused Failure e no
        continued 1000
        start e@1-1
        completed
    "#]]);
}

#[test]
fn an_override_changes_the_context_and_the_way() {
    let mut walk = Walk::new(LINE, node_points(&["b"]));
    let give = |walk: &mut Walk, next: Option<&str>| {
        walk.give(InputKind::Override {
            frame: 0,
            set: BTreeMap::from([("depth".to_owned(), 7.into())]),
            next: next.map(str::to_owned),
            by: "ada".to_owned(),
        });
    };
    // Nothing is changed while it is not paused.
    give(&mut walk, None);
    walk.finish_all();
    give(&mut walk, Some("nowhere"));
    give(&mut walk, Some("e"));
    let depth = walk.state.contexts.flatten(crate::context::ROOT);
    assert_eq!(depth.get("depth"), Some(&7.into()));
    walk.proceed(None);
    walk.check(&expect![[r#"
        start s@1-1
        start a@1-1
        paused Node b
        set ["depth"] None
        set ["depth"] Some("e")
        continued 3000
        start e@1-1
        completed
    "#]]);
}

#[test]
fn a_paused_run_continues_in_another_process() {
    let mut walk = Walk::new(BRANCHES, node_points(&["c"]));
    walk.finish_all();
    walk.give(InputKind::Interrupt {
        by: "test".to_owned(),
    });
    assert!(walk.state.is_over());
    walk.give(InputKind::resumed());
    walk.finish_all();
    walk.check(&expect![[r#"
        start s@1-1
        start f@1-1
        start a@1-1
        start b@1-1
        paused Node c a
        start c@1-1
        start d@1-1
        start j@1-1
        start e@1-1
        completed
    "#]]);
}

#[test]
fn what_is_due_is_due_later_by_the_pause() {
    let dot = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> w -> e; w [shape=insulator, duration=\"1h\"] }";
    let mut walk = Walk::new(dot, PausePoints::default());
    walk.finish();
    let left = |walk: &Walk| match walk.state.frames.values().next().unwrap().phase {
        Phase::Waiting { timer, .. } => timer.left(walk.now),
        _ => panic!("it waits"),
    };
    walk.pause();
    let before = left(&walk);
    walk.now += 60_000;
    walk.proceed(None);
    // The second of the input that continues it belongs to the pause.
    assert_eq!(left(&walk), before);
}

#[test]
fn a_retry_is_held() {
    let dot = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> a -> e; a [command=x, max_retries=1] }";
    let points = PausePoints {
        failures: BTreeSet::from([FailurePoint::Retry]),
        ..PausePoints::default()
    };
    let mut walk = Walk::new(dot, points);
    walk.finish();
    walk.finish_as(Outcome {
        status: crate::outcome::Status::Retry,
        ..Outcome::default()
    });
    let due = |walk: &Walk| {
        let (id, frame) = walk.state.frames.iter().next().unwrap();
        let step = frame.step().unwrap();
        let ticket = Ticket { frame: *id, step };
        InputKind::Due { ticket }
    };
    walk.give(due(&walk));
    walk.proceed(None);
    walk.give(due(&walk));
    walk.finish_all();
    walk.check(&expect![[r#"
        start s@1-1
        start a@1-1
        paused Retry a
        continued 2000
        start a@1-2
        start e@1-1
        completed
    "#]]);
}
