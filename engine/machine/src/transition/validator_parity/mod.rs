//! Pipelines that the validator accepts can be executed: properties over random pipelines and random outcomes.
//!
//! Pipelines are built from blocks (steps, gates, splits, counted loops, sub-pipelines) in a row, with random
//! edges across. Those with errors are left out; for the others, with any outcomes of their nodes:
//!
//! - a run never ends in an error of the pipeline itself (no such node, no branches, no sub-pipeline, …);
//! - it succeeds only at a terminal node, and stops for want of an edge only where `condition_coverage` said so;
//! - a node that `reachability` calls unreachable is never entered, an edge that `condition_constant`
//!   calls dead never taken, and without a loop no limit is hit;
//! - a goal gate has nowhere to go back to only where `goal_gate_has_retry` said so.
//!
//! `PROPTEST_CASES` asks for more cases.

mod generate;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use attractor_lint::Analysis;
use attractor_model::analysis::Loops;
use attractor_model::{Diagnostic, NodeKind, Pipeline, Severity};
use proptest::prelude::*;

use self::generate::{BLOCKS, GRAPHS, ON, WAYS, dot};
use self::walk::{Walk, walk};
use super::*;
use crate::event::NodeAttempt;
use attractor_model::RunState;

/// The findings of a rule, by node or edge.
fn said(findings: &[Diagnostic], rule: &str) -> BTreeSet<String> {
    let about = findings.iter().filter(|found| found.rule == rule);
    about.filter_map(|found| found.node.clone()).collect()
}

/// The nodes of `reachability`: the first that is cut off, and those it names behind it.
fn unreachable(findings: &[Diagnostic]) -> BTreeSet<String> {
    let cut_off = findings.iter().filter(|found| found.rule == "reachability");
    let behind = cut_off.flat_map(|found| &found.related);
    let behind = behind.filter_map(|related| related.message.split('`').nth(1));
    let behind = behind.map(str::to_owned).collect::<BTreeSet<_>>();
    &said(findings, "reachability") | &behind
}

fn check(text: &str, choices: &[u8]) -> Result<(), TestCaseError> {
    let analysis = Analysis::of_text(text);
    let pipelines: Vec<_> = analysis.pipelines().cloned().collect();
    let findings = analysis.diagnostics;
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
    let unreachable = unreachable(&findings);
    let dead: BTreeMap<_, _> = findings
        .iter()
        .filter(|found| found.rule == "condition_constant" && found.message.contains("never"))
        .filter_map(|found| Some((found.edge.clone()?, found.range.text(text))))
        .collect();
    for event in &events {
        match event {
            EventKind::StageStarted {
                at: NodeAttempt {
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
        if failure.class == FailureClass::NoRoute {
            let node = failure.node.clone().unwrap_or_default();
            prop_assert!(
                said(&findings, "condition_coverage").contains(&node)
                    || !decidable(&pipelines[0], &node),
                "the run ended at `{node}` for want of an edge, and nothing said so\n{}",
                picture()
            );
        }
        stopped_where_said(&pipelines[0], &findings, failure)
            .map_err(|broken| TestCaseError::fail(format!("{broken}\n{}", picture())))?;
    } else if end.status == RunState::Success {
        prop_assert_eq!(
            stranded(&pipelines[0], &events),
            None,
            "a success without an end\n{}",
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
        let loops = Loops::of(pipeline).all().next().is_some();
        return (loops || jumps || supervised)
            .then_some(())
            .ok_or("endless without a loop");
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

/// The node of the main frame after which a successful run had no edge to take, though it has some.
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
            let findings = Analysis::of_text(&text).diagnostics;
            let errors = findings
                .iter()
                .filter(|found| found.severity == Severity::Error);
            assert_eq!(errors.collect::<Vec<_>>(), [] as [&Diagnostic; 0], "{text}");
        }
    }
}
