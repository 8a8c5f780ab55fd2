//! What the validator accepts, the machine walks: laws over random pipelines and random outcomes.
//!
//! Pipelines are built from blocks (steps, gates, forks, counted loops, sub-pipelines) in a row, with random
//! edges across. Those the analysis refuses are left out; of the others, whatever their nodes come to:
//!
//! - a run never ends in an error of the pipeline itself (no such node, no branches, no sub-pipeline, …);
//! - it stops for want of an edge only where `condition_coverage` or `unguarded_failure` said so;
//! - a node that `reachability` calls unreachable is never entered, an edge that `condition_constant`
//!   calls dead never taken, and without a `cycle` no limit is hit;
//! - a goal gate has nowhere to go back to only where `goal_gate_has_retry` said so.
//!
//! `PROPTEST_CASES` asks for more cases.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use attractor_model::{Diagnostic, NodeKind, Pipeline, Severity};
use proptest::prelude::*;

use super::*;
use crate::event::Place;
use crate::outcome::Status;
use crate::question::{QuestionKind, Reading};

/// Sub-pipelines the blocks may call.
const LIBRARY: &str = "
digraph child { goal=sub; c [shape=Mdiamond]; c -> d -> f; d [prompt=x]; f [shape=Msquare] }
digraph checked { goal=sub; c [shape=Mdiamond]; c -> t; t [command=\"make\"]
    t -> good [condition=\"exit_code == 0\"]; t -> bad [condition=\"exit_code != 0\"] }
";

/// Blocks: `@` is the number of the block. The first node is its entry, `@z` (or the entry) its end.
const BLOCKS: &[&str] = &[
    "n@ [prompt=\"Do {last_response} for $goal, {missing:-x} {{ goal }} {\\\"a\\\": 1}\"]",
    "n@ [prompt=x, max_retries=2]",
    "n@ [prompt=x, max_retries=1, allow_partial=true]",
    "n@ [prompt=x, goal_gate=true]",
    "n@ [prompt=x, goal_gate=true, retry_target=n0]",
    "n@ [prompt=x, retry_target=n1]",
    "n@ [prompt=x, on_failure=route]",
    "n@ [prompt=x, on_failure=continue]",
    "n@ [prompt=x, max_visits=3]",
    "n@ [shape=tab, prompt=x, output_key=answer]",
    "n@ [shape=parallelogram, tool_command=\"echo {answer} $HOME\"]",
    "n@ [command=\"make\", max_retries=1, retry_policy=linear]",
    "n@ [shape=diamond]",
    "n@ [shape=insulator, duration=5m]",
    "n@ [shape=cylinder]",
    "n@ [shape=octagon, pace_level=alternate]",
    "n@ [shape=hexagon, prompt=\"Go on?\"]",
    "n@ [type=\"wait.human\"]; n@ -> n@y [label=\"[Y] Yes\"]; n@ -> n@z [label=\"[N] No\"]; n@y [prompt=x]; n@y -> n@z; n@z [prompt=x]",
    "n@ [shape=component]; n@ -> {n@a n@b} -> n@z; n@a [prompt=x]; n@b [command=x]; n@z [shape=tripleoctagon]",
    "n@ [shape=component, join_policy=first_success]; n@ -> n@a -> n@z; n@ -> n@b -> n@z; n@a [prompt=x]; n@b [prompt=x]; n@z [shape=tripleoctagon]",
    "n@ [handler=parallel, branches=\"n@a, n@b\"]; n@a [prompt=x]; n@b [command=x]; n@a -> n@z; n@b -> n@z; n@ -> n@z; n@z [prompt=x]",
    "n@ [shape=house, sub_pipeline=child]",
    "n@ [shape=house, manager.max_cycles=2, manager.stop_condition=\"outcome=success\"]",
    "n@ [shape=house, sub_pipeline=checked, max_iterations=2, done_condition=\"outcome=success\"]",
    "n@ [shape=folder, sub_pipeline=checked]",
    "n@ [shape=trapezium, loop_id=l@, loop_max=2]; n@ -> n@a -> n@z; n@a [prompt=x]; n@z [shape=invtrapezium, loop_id=l@]",
];

/// Ways out of a block besides the one to the next: `%` is where it leads.
const WAYS: &[&str] = &[
    "",
    "-> % [condition=\"outcome=fail\"]",
    "-> % [condition=\"outcome=failed\", loop_restart=true]",
    "-> % [condition=\"outcome!=success\", max_visits=2]",
    "-> % [condition=on_fail]",
    "-> % [condition=on_exhaust]",
    "-> % [condition=on_retry]",
    "-> % [condition=\"outcome=retry\"]",
    "-> % [condition=\"context.score > 3\"]",
    "-> % [condition=\"outcome=success && outcome=fail\"]",
    "-> % [condition=\"approved == false\"]",
    "-> % [condition=\"preferred_label=again\"]",
    "-> % [label=Again]",
    "-> % [label=Later, weight=-1]",
    "-> % [priority=1]",
];

/// The way to the next block.
const ON: &[&str] = &[
    "-> %",
    "-> %",
    "-> %",
    "-> % [condition=\"outcome=success\"]",
    "-> % [condition=on_success]",
    "-> % [condition=\"exit_code == 0\"]",
    "-> % [condition=\"approved\"]",
    "-> % [condition=\"outcome=success or outcome=fail\"]",
    "-> % [label=Go]",
];

/// What the graph says.
const GRAPHS: &[&str] = &[
    "",
    "",
    "retry_target=n0",
    "default_max_retries=1",
    "on_failure=route",
];

/// One block with its ways out.
type Block = (usize, usize, usize, usize);

fn dot(graph: usize, blocks: &[Block]) -> String {
    let pick = |table: &[&'static str], at: usize| table[at % table.len()];
    let mut text = format!(
        "digraph main {{ goal=ship; {}\nstart [shape=Mdiamond]; done [shape=Msquare]\nstart -> n0\n",
        pick(GRAPHS, graph)
    );
    for (at, (block, on, way, to)) in blocks.iter().enumerate() {
        let body = pick(BLOCKS, *block).replace('@', &at.to_string());
        let end = format!("n{at}z");
        let end = if body.contains(&end) {
            end
        } else {
            format!("n{at}")
        };
        let next = match at + 1 {
            next if next < blocks.len() => format!("n{next}"),
            _ => "done".to_owned(),
        };
        writeln!(text, "{body}").unwrap();
        writeln!(text, "{end} {}", pick(ON, *on).replace('%', &next)).unwrap();
        let way = pick(WAYS, *way).replace('%', &format!("n{}", to % blocks.len()));
        if !way.is_empty() {
            writeln!(text, "{end} {way}").unwrap();
        }
    }
    text.push('}');
    text.push_str(LIBRARY);
    text
}

/// What the node a lane stands at comes to: only what its handler can give.
fn outcome(plan: &Plan, state: &State, lane: &Lane, choice: u8) -> Outcome {
    let site = plan.site(lane.graph.as_deref(), &lane.node).unwrap();
    let failed = || Outcome::fail(FailureClass::Deterministic, "no");
    match site.node.kind {
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
            let view = state.contexts.view(lane.scope, site.pipeline);
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
        kind if kind.calls_model() && site.node.attributes.has("prompt") => match choice % 6 {
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
    let waiting: Vec<(LaneId, &Lane)> = state
        .lanes
        .iter()
        .filter(|(_, lane)| lane.step().is_some())
        .map(|(id, lane)| (*id, lane))
        .collect();
    let (id, lane) = waiting[usize::from(choice) % waiting.len()];
    let ticket = Ticket {
        lane: id,
        step: lane.step().unwrap(),
    };
    match &lane.phase {
        Phase::Asking { question, .. } => {
            let options = &question.options;
            let option = options.get(usize::from(choice) % options.len().max(1));
            InputKind::Answered {
                question: question.id.clone(),
                reading: Reading {
                    keys: option
                        .map(|option| option.key.clone())
                        .into_iter()
                        .collect(),
                    text: (question.kind == QuestionKind::Freeform).then(|| "text".to_owned()),
                },
                by: "test".to_owned(),
            }
        }
        Phase::Backoff { .. } => InputKind::Due { ticket },
        _ => InputKind::Finished {
            ticket,
            jitter: 1000,
            outcome: Box::new(outcome(plan, state, lane, choice)),
        },
    }
}

/// What a run said on its way, and how it ended.
struct Walk {
    events: Vec<EventKind>,
    end: End,
}

fn walk(pipelines: &[Arc<Pipeline>], choices: &[u8]) -> Walk {
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
        let (after, commands) = next(&plan, state, Input { at, kind });
        events.extend(commands.into_iter().filter_map(|command| match command {
            Command::Emit(event) => Some(*event),
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

/// The findings of a rule, by node or edge.
fn said(findings: &[Diagnostic], rule: &str) -> BTreeSet<String> {
    let about = findings.iter().filter(|found| found.rule == rule);
    about.filter_map(|found| found.node.clone()).collect()
}

fn check(text: &str, choices: &[u8]) -> Result<(), TestCaseError> {
    let (pipelines, findings) = Pipeline::from_text(text);
    let main = pipelines[0].range;
    if findings
        .iter()
        .any(|found| found.severity == Severity::Error)
    {
        return Err(TestCaseError::reject("the analysis refuses it"));
    }
    let findings: Vec<Diagnostic> = findings
        .into_iter()
        .filter(|found| main.contains_range(found.range))
        .collect();
    let Walk { events, end } = walk(&pipelines, choices);
    let picture = || format!("{text}\n{:?}\n{:#?}", end.failure, path(&events));
    for event in &events {
        let class = match event {
            EventKind::StageFailed { class, .. } => *class,
            EventKind::PipelineFailed { failure, .. } => failure.class,
            _ => continue,
        };
        prop_assert!(
            !matches!(class, FailureClass::Configuration | FailureClass::Internal),
            "an error of the pipeline itself: {event:?}\n{}",
            picture()
        );
    }
    let unreachable = said(&findings, "reachability");
    let dead: BTreeMap<_, _> = findings
        .iter()
        .filter(|found| found.rule == "condition_constant" && found.message.contains("never"))
        .filter_map(|found| Some((found.edge.clone()?, found.range.text(text))))
        .collect();
    for event in &events {
        match event {
            EventKind::StageStarted {
                at: Place {
                    node, graph: None, ..
                },
                ..
            } => {
                prop_assert!(
                    !unreachable.contains(node),
                    "`{node}` can be reached\n{}",
                    picture()
                );
            }
            EventKind::EdgeSelected {
                from,
                to,
                graph: None,
                condition: Some(condition),
                ..
            } => {
                let called = dead.get(&(from.clone(), to.clone()));
                prop_assert!(
                    called.is_none_or(|text| text.trim_matches('"') != condition),
                    "`{from} -> {to}` can be taken\n{}",
                    picture()
                );
            }
            _ => {}
        }
    }
    if let Some(failure) = &end.failure {
        stopped_where_said(&pipelines[0], &findings, failure)
            .map_err(|broken| TestCaseError::fail(format!("{broken}\n{}", picture())))?;
    } else if let Some(node) = stranded(&pipelines[0], &events) {
        prop_assert!(
            said(&findings, "condition_coverage").contains(&node)
                || !decidable(&pipelines[0], &node),
            "the run ended at `{node}` for want of an edge, and nothing said so\n{}",
            picture()
        );
    }
    Ok(())
}

/// The rule a failure breaks that no lint foretold.
fn stopped_where_said(
    pipeline: &Pipeline,
    findings: &[Diagnostic],
    failure: &Failure,
) -> Result<(), &'static str> {
    let graph_goes_back = pipeline.attributes.has("retry_target");
    let node = failure
        .node
        .as_deref()
        .and_then(|id| pipeline.node_by_id(id));
    if failure.class == FailureClass::BudgetExhausted && failure.reason.contains("max_steps") {
        let jumps = graph_goes_back
            || pipeline
                .nodes
                .iter()
                .any(|node| node.attributes.has("retry_target"));
        let supervised = pipeline
            .nodes
            .iter()
            .any(|node| node.kind == NodeKind::Supervisor);
        let warned = findings.iter().any(|found| found.rule == "cycle");
        return (warned || jumps || supervised)
            .then_some(())
            .ok_or("endless, and no `cycle`");
    }
    let Some(node) = node else { return Ok(()) };
    if failure.reason.contains("no `retry_target`") {
        let warned = said(findings, "goal_gate_has_retry").contains(&*node.id);
        return warned
            .then_some(())
            .ok_or("a goal gate without `goal_gate_has_retry`");
    }
    Ok(())
}

/// The node of the main lane after which a successful run had no edge to take, though it has some.
fn stranded(pipeline: &Pipeline, events: &[EventKind]) -> Option<String> {
    let last = events.iter().rev().find_map(|event| match event {
        EventKind::StageCompleted { at, .. } if at.graph.is_none() && at.branch.is_none() => {
            Some(at.node.clone())
        }
        EventKind::EdgeSelected {
            graph: None,
            branch: None,
            ..
        } => Some(String::new()),
        _ => None,
    })?;
    let ix = pipeline.by_id(&last)?;
    let node = pipeline.node(ix)?;
    (!node.terminal && !pipeline.outgoing(ix).is_empty()).then_some(last)
}

/// Whether the edges of a node ask only about its outcome, so that the validator can decide.
fn decidable(pipeline: &Pipeline, node: &str) -> bool {
    let Some(ix) = pipeline.by_id(node) else {
        return false;
    };
    let conditions: Vec<_> = pipeline
        .outgoing(ix)
        .iter()
        .filter_map(|edge| pipeline.edge(*edge)?.condition.as_ref())
        .collect();
    let keys = || conditions.iter().flat_map(|condition| condition.keys());
    !conditions.is_empty() && keys().all(|(key, _)| key == "outcome")
}

/// The path of a run in words.
fn path(events: &[EventKind]) -> Vec<String> {
    let step = |event: &EventKind| match event {
        EventKind::StageStarted { at, .. } => Some(format!("{} {}", at.node, at.visit)),
        EventKind::StageCompleted { at, status, .. } => Some(format!("  {} {status}", at.node)),
        EventKind::StageFailed { at, reason, .. } => {
            Some(format!("  {} failed: {reason}", at.node))
        }
        EventKind::EdgeSelected { from, to, rule, .. } => {
            Some(format!("  {from} -> {to} {rule:?}"))
        }
        _ => None,
    };
    events.iter().filter_map(step).collect()
}

proptest! {
    #[test]
    fn what_is_accepted_can_be_walked(
        graph in 0..GRAPHS.len(),
        blocks in prop::collection::vec(
            (0..BLOCKS.len(), 0..ON.len(), 0..WAYS.len(), 0..8_usize),
            1..7,
        ),
        choices in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        check(&dot(graph, &blocks), &choices)?;
    }
}

/// Every block is accepted alone, so that the law above speaks of all of them.
#[test]
fn every_block_is_valid() {
    for block in 0..BLOCKS.len() {
        for way in 0..WAYS.len() {
            let text = dot(0, &[(0, 0, 0, 0), (block, 0, way, 0), (0, 0, 0, 0)]);
            let (_, findings) = Pipeline::from_text(&text);
            let errors = findings
                .iter()
                .filter(|found| found.severity == Severity::Error);
            assert_eq!(errors.collect::<Vec<_>>(), [] as [&Diagnostic; 0], "{text}");
        }
    }
}
