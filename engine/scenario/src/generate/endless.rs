//! Loops that nothing ends but a limit of the whole run: a node in them keeps doing what another run does only at first.

use std::collections::BTreeSet;

use attractor_run::{BackendRegistry, DryRuns};

use super::assignment::Plan;
use super::generated::GeneratedScenario;
use super::search::max_steps;
use crate::run;
use crate::verdict::is_stopped;

/// Runs that are tried.
const MAX_RUNS: usize = 24;

/// The runs of `found` with a node that never does what ends its loop there, as far as nothing else ends it. What is
/// given stays.
pub(crate) async fn endless(
    dry_runs: &DryRuns,
    found: &[GeneratedScenario],
    given: &Plan,
) -> Vec<GeneratedScenario> {
    let max_steps = max_steps(&dry_runs.launch().pipeline);
    let mut loops = Vec::new();
    let mut known: BTreeSet<Vec<String>> = found.iter().filter_map(repeated).collect();
    for plan in variants(found, given).into_iter().take(MAX_RUNS) {
        let scenario = plan.scenario(max_steps);
        let ran = run::trace(dry_runs, &scenario, BackendRegistry::default()).await;
        let Ok(trace) = ran else { continue };
        if !is_stopped(&trace) {
            continue;
        }
        let endless = GeneratedScenario {
            name: String::new(),
            plan: plan.trimmed(&trace),
            max_steps: Some(max_steps),
            trace,
            covers: Vec::new(),
        };
        if repeated(&endless).is_some_and(|nodes| known.insert(nodes)) {
            loops.push(endless);
        }
    }
    loops
}

/// The plans in which a node repeats an outcome that is followed by another one in a plan that was found.
fn variants(found: &[GeneratedScenario], given: &Plan) -> Vec<Plan> {
    let mut plans: Vec<Plan> = Vec::new();
    for scenario in found {
        for (node, outcomes) in &scenario.plan.outcomes {
            if given.outcomes.contains_key(node) {
                continue;
            }
            for kept in 1..outcomes.len() {
                let mut plan = scenario.plan.clone();
                let shortened: Vec<_> = outcomes.iter().take(kept).cloned().collect();
                plan.outcomes.insert(node.clone(), shortened);
                if !plans.contains(&plan) {
                    plans.push(plan);
                }
            }
        }
    }
    plans
}

/// The nodes that an endless run repeats, in the order of their names.
fn repeated(scenario: &GeneratedScenario) -> Option<Vec<String>> {
    scenario.max_steps?;
    let path: Vec<String> = scenario.trace.path().map(str::to_owned).collect();
    let mut nodes = round(&path)?.nodes;
    nodes.sort_unstable();
    Some(nodes)
}

/// A part of a path that is repeated to its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// Where it begins the first time.
    pub(crate) start: usize,
    /// Its nodes.
    pub(crate) nodes: Vec<String>,
}

/// The shortest part that the end of a path repeats at least twice.
pub(crate) fn round(path: &[String]) -> Option<Round> {
    let repeats = |length: usize, end: usize| {
        let at = |index: usize| path.get(index).zip(path.get(index.checked_sub(length)?));
        at(end).is_some_and(|(now, before)| now == before)
    };
    let length = (1..=path.len() / 3).find(|length| {
        let tail = path.len().saturating_sub(2 * length)..path.len();
        tail.clone().all(|end| repeats(*length, end))
    })?;
    // The nodes before that fit too belong to earlier rounds.
    let fitting = (length..path.len()).rev();
    let repeated = fitting.take_while(|end| repeats(length, *end)).count();
    let start = path.len().saturating_sub(repeated + length);
    let nodes = path.get(start..start + length)?.to_vec();
    Some(Round { start, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_round_begins_where_it_is_entered() {
        let found = |path: &str| {
            let path: Vec<String> = path.chars().map(String::from).collect();
            round(&path).map(|round| (round.start, round.nodes.concat()))
        };
        assert_eq!(found("stftftft"), Some((1, "tf".to_owned())));
        assert_eq!(found("stftftftf"), Some((1, "tf".to_owned())));
        assert_eq!(found("saaaa"), Some((1, "a".to_owned())));
        assert_eq!(found("sabcabd"), None);
        assert_eq!(found(""), None);
    }
}
