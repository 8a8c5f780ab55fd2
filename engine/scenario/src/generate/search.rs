//! Finds runs that take every edge.
//!
//! Deterministic and bounded: edges are tried in the order of runs and steps, and the number of runs has a limit.

use std::collections::{BTreeMap, BTreeSet};

use attractor_lang::Status;
use attractor_model::{EdgeIx, NodeKind, Pipeline};
use attractor_run::{BackendRegistry, DryRuns, RunState};

use super::assignment::{Choice, Plan, Repeat, Usual};
use super::candidates::{candidates, solve};
use super::generated::{Generated, GeneratedScenario, Uncovered};
use crate::coverage::{Coverage, GraphCoverage};
use crate::run;
use crate::trace::{Step, Trace};
use crate::verdict::is_stopped;

/// Runs that are tried for one edge.
const MAX_TRIES: u32 = 40;
/// Steps of one run, in addition to a few per node.
const MIN_STEPS: usize = 40;
/// Steps of one run per node of the pipeline.
const STEPS_PER_NODE: usize = 4;
/// Visits of a node that are varied.
const MAX_VISITS: u32 = 6;

struct Search<'l> {
    dry_runs: &'l DryRuns,
    coverage: GraphCoverage,
    /// Edges that a scenario takes.
    covered: BTreeSet<usize>,
    /// Nodes that a run entered, with the number of the visit.
    visited: BTreeSet<(String, u32)>,
    usual: Usual,
    runs: Vec<Run>,
    /// How many runs were tried for an edge.
    tries: BTreeMap<usize, u32>,
    /// Plans that have run, as text.
    known_plans: BTreeSet<String>,
    /// What is fixed.
    given: Plan,
    left: usize,
    /// Steps of one run.
    max_steps: u64,
}

/// A run that entered a node or took an edge for the first time.
struct Run {
    plan: Plan,
    trace: Trace,
    covers: BTreeSet<usize>,
    /// Whether it takes edges that no run before it takes.
    is_scenario: bool,
}

/// The scenarios of a pipeline that begin with what is given, found by at most so many runs; `None` when it cannot run.
pub(crate) async fn search(dry_runs: &DryRuns, given: Plan, runs: usize) -> Option<Generated> {
    let mut search = Search::new(dry_runs, given, runs)?;
    search.first().await?;
    let mut at = 0;
    while at < search.runs.len() && !search.is_finished() {
        search.vary(at).await;
        at += 1;
    }
    Some(search.finish())
}

/// The steps after which a run is taken for one without an end.
pub(super) fn max_steps(pipeline: &Pipeline) -> u64 {
    (MIN_STEPS + STEPS_PER_NODE * pipeline.nodes.len()) as u64
}

impl<'l> Search<'l> {
    fn new(dry_runs: &'l DryRuns, given: Plan, runs: usize) -> Option<Self> {
        let pipeline = &dry_runs.launch().pipeline;
        Some(Self {
            dry_runs,
            coverage: Coverage::new(std::iter::once(pipeline)).graphs.pop()?,
            covered: BTreeSet::new(),
            visited: BTreeSet::new(),
            usual: Usual::default(),
            runs: Vec::new(),
            tries: BTreeMap::new(),
            known_plans: BTreeSet::new(),
            given,
            left: runs,
            max_steps: max_steps(pipeline),
        })
    }

    async fn first(&mut self) -> Option<()> {
        let plan = self.given.clone();
        let trace = self.run(&plan).await?;
        let ends = !is_stopped(&trace);
        self.keep(plan, trace);
        // The plain run is worth a scenario even if it takes no edge.
        self.runs.iter_mut().for_each(|run| run.is_scenario = ends);
        Some(())
    }

    fn is_finished(&self) -> bool {
        self.left == 0 || self.covered.len() == self.coverage.edges.len()
    }

    fn may_try(&self, edge: EdgeIx) -> bool {
        let tries = self.tries.get(&edge.index()).copied().unwrap_or_default();
        self.left > 0 && tries < MAX_TRIES
    }

    /// Runs a plan. One that has run before would enter no other node, so it is not run again.
    async fn run(&mut self, plan: &Plan) -> Option<Trace> {
        self.left = self.left.checked_sub(1)?;
        if !self.known_plans.insert(format!("{plan:?}")) {
            return None;
        }
        run::trace(
            self.dry_runs,
            &plan.scenario(self.max_steps),
            BackendRegistry::default(),
        )
        .await
        .ok()
    }

    fn covers(&self, trace: &Trace) -> BTreeSet<usize> {
        let crossings = trace.crossings.iter();
        let own = crossings.filter(|crossing| {
            crossing.graph.is_none() || crossing.graph.as_ref() == Some(&self.coverage.name)
        });
        own.flat_map(|crossing| self.coverage.matching(crossing))
            .collect()
    }

    /// Keeps a run that entered a node or took an edge for the first time.
    fn keep(&mut self, plan: Plan, trace: Trace) {
        let covers = self.covers(&trace);
        let is_scenario = !is_stopped(&trace) && !covers.is_subset(&self.covered);
        let visits = trace.steps.iter().filter(|step| step.graph.is_none());
        let visits = visits.filter(|step| step.visit <= MAX_VISITS);
        let visits: BTreeSet<_> = visits.map(|step| (step.node.clone(), step.visit)).collect();
        if !is_scenario && visits.is_subset(&self.visited) {
            return;
        }
        self.learn(&plan, &trace);
        self.visited.extend(visits);
        if is_scenario {
            self.covered.extend(&covers);
        }
        self.runs.push(Run {
            plan,
            trace,
            covers,
            is_scenario,
        });
    }

    /// Remembers how gates are answered by themselves, and with which outcomes a run succeeds.
    fn learn(&mut self, plan: &Plan, trace: &Trace) {
        for step in &trace.steps {
            if let Some(answer) = &step.answer {
                let answers = &mut self.usual.answers;
                answers.entry(step.node.clone()).or_insert(answer.clone());
            }
        }
        if trace.report.status != RunState::Success {
            return;
        }
        for (node, mut outcomes) in plan.clone().trimmed(trace).outcomes {
            if let Some(last) = outcomes.pop() {
                self.usual.outcomes.entry(node).or_insert(last);
            }
        }
    }

    /// Tries the edges of the nodes that a run entered.
    async fn vary(&mut self, at: usize) {
        let Some(run) = self.runs.get(at) else { return };
        let (plan, trace) = (run.plan.clone(), run.trace.clone());
        let pipeline = std::sync::Arc::clone(&self.dry_runs.launch().pipeline);
        for (number, step) in trace.steps.iter().enumerate() {
            if step.graph.is_some() || step.visit > MAX_VISITS {
                continue;
            }
            let Some(node) = pipeline.by_id(&step.node) else {
                continue;
            };
            for edge in pipeline.outgoing(node) {
                if self.covered.contains(&edge.index()) || !self.may_try(*edge) {
                    continue;
                }
                let Some(decider) = decider(&pipeline, &trace, number) else {
                    continue;
                };
                self.try_edge(&plan, &trace, decider, *edge).await;
            }
        }
    }

    /// Tries what a step may result in until the edge is taken.
    async fn try_edge(&mut self, plan: &Plan, trace: &Trace, step: &Step, edge: EdgeIx) {
        let pipeline = std::sync::Arc::clone(&self.dry_runs.launch().pipeline);
        for choice in candidates(&pipeline, edge, trace, step) {
            if self.given.decides(&step.node, &choice) {
                continue;
            }
            for repeat in [Repeat::Times(1), Repeat::Always] {
                if repeat == Repeat::Always && !may_repeat(&choice) {
                    continue;
                }
                if !self.may_try(edge) {
                    return;
                }
                *self.tries.entry(edge.index()).or_default() += 1;
                let next = plan.with(trace, step, &choice, repeat, &self.usual);
                let Some(mut found) = self.run(&next).await else {
                    continue;
                };
                let mut next = next;
                if repeat == Repeat::Always
                    && let Some((short, run)) =
                        self.once(plan, trace, step, &choice, &found, edge).await
                {
                    (next, found) = (short, run);
                }
                self.keep(next, found);
                if self.covered.contains(&edge.index()) {
                    return;
                }
            }
        }
    }

    /// A node that is retried has to fail in all attempts of a visit. When that visit is enough, it need not fail
    /// again.
    async fn once(
        &mut self,
        plan: &Plan,
        trace: &Trace,
        step: &Step,
        choice: &Choice,
        always: &Trace,
        edge: EdgeIx,
    ) -> Option<(Plan, Trace)> {
        let mut steps = always.steps.iter();
        let same = steps.find(|one| one.node == step.node && one.visit == step.visit)?;
        if same.attempts < 2 {
            return None;
        }
        let next = plan.with(
            trace,
            step,
            choice,
            Repeat::Times(same.attempts),
            &self.usual,
        );
        let found = self.run(&next).await?;
        let takes = self.covers(&found).contains(&edge.index());
        takes.then_some((next, found))
    }

    /// Edges that only runs without an end take are better covered by those than not at all.
    fn accept_endless_runs(&mut self) {
        for run in &mut self.runs {
            if !run.covers.is_subset(&self.covered) {
                run.is_scenario = true;
                self.covered.extend(&run.covers);
            }
        }
    }

    /// The scenarios that are needed: one whose edges others take is left out, those that give the most first.
    fn finish(mut self) -> Generated {
        self.accept_endless_runs();
        let pipeline = &self.dry_runs.launch().pipeline;
        let mut runs: Vec<Run> = self
            .runs
            .into_iter()
            .filter(|run| run.is_scenario)
            .collect();
        // The plain run and the first one that succeeds are what a reader looks for.
        let succeeds = |run: &Run| run.trace.report.status == RunState::Success;
        let first = runs.iter().position(succeeds);
        let mut order: Vec<usize> = (1..runs.len()).filter(|at| Some(*at) != first).collect();
        order.sort_by_key(|at| std::cmp::Reverse(runs.get(*at).map_or(0, |run| run.plan.size())));
        for at in order {
            let others = runs
                .iter()
                .enumerate()
                .filter(|(other, run)| *other != at && run.is_scenario);
            let others: BTreeSet<usize> = others
                .flat_map(|(_, run)| run.covers.iter().copied())
                .collect();
            if let Some(run) = runs.get_mut(at) {
                run.is_scenario = !run.covers.is_subset(&others);
            }
        }
        let scenarios =
            runs.into_iter()
                .filter(|run| run.is_scenario)
                .map(|run| GeneratedScenario {
                    name: String::new(),
                    plan: run.plan.trimmed(&run.trace),
                    max_steps: is_stopped(&run.trace).then_some(self.max_steps),
                    trace: run.trace,
                    covers: run.covers.into_iter().collect(),
                });
        let nodes: BTreeSet<&str> = self.visited.iter().map(|(node, _)| node.as_str()).collect();
        let uncovered = pipeline
            .indexed_edges()
            .filter(|(ix, _)| !self.covered.contains(&ix.index()));
        let uncovered = uncovered.map(|(ix, edge)| Uncovered {
            edge: self
                .coverage
                .edges
                .get(ix.index())
                .map(ToString::to_string)
                .unwrap_or_default(),
            range: edge.range(),
            reason: reason(pipeline, ix, &nodes),
        });
        Generated {
            graph: pipeline.name.clone(),
            scenarios: scenarios.collect(),
            edges: pipeline.edges.len(),
            uncovered: uncovered.collect(),
        }
    }
}

/// The step that decides what follows: a conditional node passes on the result of the node before it.
fn decider<'t>(pipeline: &Pipeline, trace: &'t Trace, number: usize) -> Option<&'t Step> {
    let mut number = number;
    for _ in 0..=trace.steps.len() {
        let step = trace.steps.get(number)?;
        let node = pipeline.node_by_id(&step.node)?;
        if node.kind != NodeKind::Conditional {
            return Some(step);
        }
        let from = &trace.crossings.get(step.by?)?.from;
        let before = trace.steps.get(..number)?;
        number = before
            .iter()
            .rposition(|one| one.node == *from && one.graph.is_none())?;
    }
    None
}

/// Whether a choice may lead somewhere else when it is made again and again.
fn may_repeat(choice: &Choice) -> bool {
    match choice {
        Choice::Outcome { outcome, .. } => {
            outcome.status != Some(Status::Success) || !outcome.set.is_empty()
        }
        Choice::Answer(_) => true,
    }
}

/// Why no scenario takes an edge.
fn reason(pipeline: &Pipeline, ix: EdgeIx, visited: &BTreeSet<&str>) -> String {
    let Some(edge) = pipeline.edge(ix) else {
        return String::new();
    };
    let from = pipeline.id(edge.from);
    if !visited.contains(from) {
        return format!("no dry run enters `{from}`");
    }
    let mut statuses = Status::KNOWN.to_vec();
    let conditions = edge.condition.iter();
    statuses.extend(conditions.flat_map(|one| attractor_lint::named_outcomes(one)));
    if solve(pipeline, ix, &statuses).is_unsatisfiable() {
        return match edge.condition {
            Some(_) => "its condition cannot hold where no edge before it is taken".to_owned(),
            None => "one of the conditions before it always holds".to_owned(),
        };
    }
    let before = pipeline
        .outgoing(edge.from)
        .iter()
        .take_while(|one| **one != ix);
    let mut before = before.filter_map(|one| pipeline.edge(*one));
    match before.find(|one| !one.is_conditional() && !edge.is_conditional()) {
        Some(first) => format!(
            "`{from} -> {}`, which has no condition either, precedes it",
            pipeline.id(first.to)
        ),
        None => "no dry run that takes it was found".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use attractor_model::{NoFiles, Options, Pipeline};
    use attractor_run::Source;

    use super::*;
    use crate::Subject;

    #[tokio::test]
    async fn a_plan_runs_once() {
        let text = "digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> e }";
        let source = Source {
            path: "a.dot".into(),
            text: Arc::from(text),
        };
        let pipelines = Pipeline::from_text(text);
        let subject = Subject::new(&source, &pipelines, &Options::default(), &NoFiles);
        let dry_runs = subject.pipeline(None).unwrap().dry_runs().unwrap();
        let mut search = Search::new(dry_runs, Plan::default(), 10).unwrap();
        assert!(search.run(&Plan::default()).await.is_some());
        assert!(search.run(&Plan::default()).await.is_none());
    }
}
