//! A run that has ended, as a scenario: its inputs, the outcomes of its nodes and the answers of its gates, in order.
//!
//! The scenario has as little as repeats the path: of what nodes have set in the context nothing, else the keys that
//! conditions of the pipeline read, else all short values. The dry run decides: a scenario that does not repeat the path
//! of the run is refused, with the first difference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use attractor_lang::condition;
use attractor_machine::outcome::{FailureClass, Outcome};
use attractor_machine::transition::InputKind;
use attractor_model::{NodeKind, Pipeline};
use attractor_run::{BackendRegistry, Event, History, RunState, ScriptedOutcome};
use serde_json::Value;

use crate::generate::{GeneratedScenario, Plan, describe};
use crate::run;
use crate::subject::{Subject, TestedPipeline};
use crate::trace::{Step, Trace};

/// Bytes of the largest value that a scenario has.
const MAX_VALUE: usize = 4096;
/// Nodes whose values are left out, if the path is the same without them.
const MAX_TRIES: usize = 64;
/// Characters of the longest name that says what differs from success.
const MAX_NAME: usize = 100;
/// Steps after which a dry run that has not ended where the run did is stopped.
const EXCESS: u64 = 8;
/// Attributes of nodes that hold conditions.
const CONDITIONS: [&str; 3] = ["condition", "done_condition", "verify"];

/// Why a run is not recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRecorded {
    /// It has not ended by itself.
    NotEnded(RunState),
    /// The file has no such pipeline any more.
    NoPipeline(String),
    /// The pipeline has errors.
    Invalid(String),
    /// The dry run goes another way.
    Differs {
        /// The number of the step, from 1.
        step: usize,
        /// What the run entered there; none where it had ended.
        run: Option<String>,
        /// What the dry run entered.
        dry_run: Option<String>,
    },
    /// The dry run ends otherwise.
    EndDiffers {
        /// How the run ended.
        run: RunState,
        /// How the dry run ended.
        dry_run: RunState,
    },
}

impl fmt::Display for NotRecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = |node: &Option<String>| {
            node.as_ref()
                .map_or_else(|| "ended".to_owned(), |node| format!("entered `{node}`"))
        };
        match self {
            Self::NotEnded(state) => write!(
                f,
                "the run is {}; expected one that ended by itself",
                state.name()
            ),
            Self::NoPipeline(name) => write!(f, "the file has no pipeline `{name}`"),
            Self::Invalid(reason) => f.write_str(reason),
            Self::Differs { step, run, dry_run } => write!(
                f,
                "a dry run with the same outcomes takes another path: at step {step} the run {}, the dry run {}; has the \
                 pipeline changed since?",
                node(run),
                node(dry_run)
            ),
            Self::EndDiffers { run, dry_run } => write!(
                f,
                "a dry run with the same outcomes takes the same path but ends with `{}` instead of `{}`; has the \
                 pipeline changed since?",
                dry_run.name(),
                run.name()
            ),
        }
    }
}

/// What of the values that nodes set is written.
#[derive(Clone, Copy)]
enum Values {
    /// None.
    None,
    /// Those that conditions read.
    Read,
    /// All short ones.
    All,
}

/// The scenario of a run, for the pipeline of that name as its file is now.
///
/// # Errors
/// The run has not ended by itself, or a dry run of the pipeline does not repeat it.
pub async fn record(
    subject: &Subject,
    graph: &str,
    run: &History,
) -> Result<GeneratedScenario, NotRecorded> {
    let ended = run.state().end.as_ref();
    let end = match ended.map(|end| end.status) {
        Some(state @ (RunState::Success | RunState::Fail | RunState::Escalated)) => state,
        other => return Err(NotRecorded::NotEnded(other.unwrap_or(RunState::Running))),
    };
    let failure = ended.and_then(|end| end.failure.as_ref());
    let is_stopped = failure.is_some_and(|failure| failure.stopped.is_some());
    let max_steps = is_stopped.then_some(run.state().steps);
    let tested = subject
        .pipeline(Some(graph))
        .ok_or_else(|| NotRecorded::NoPipeline(graph.to_owned()))?;
    let events = run.steps().iter().flat_map(|step| &step.events);
    let events: Vec<Arc<Event>> = events.cloned().map(Arc::new).collect();
    let expected = Expected {
        steps: Trace::steps_of(&events),
        end,
        max_steps,
    };
    let mut problem = None;
    for values in [Values::None, Values::Read, Values::All] {
        let plan = plan(tested, run, &expected.steps, values);
        match repeat(tested, &plan, &expected).await {
            Ok(scenario) => {
                let mut scenario = shorten(tested, plan, &expected, scenario).await;
                if scenario.name.chars().count() > MAX_NAME {
                    scenario.name = format!("as in run {}", run.run());
                }
                return Ok(scenario);
            }
            Err(difference) => problem = Some(difference),
        }
    }
    Err(problem.unwrap_or(NotRecorded::NotEnded(end)))
}

/// What a scenario has to repeat.
struct Expected {
    steps: Vec<Step>,
    end: RunState,
    /// The steps after which a limit stopped the run.
    max_steps: Option<u64>,
}

/// The scenario without the values of those nodes that its path does not depend on.
async fn shorten(
    tested: &TestedPipeline,
    mut plan: Plan,
    expected: &Expected,
    mut scenario: GeneratedScenario,
) -> GeneratedScenario {
    let nodes: Vec<String> = plan.outcomes.keys().cloned().collect();
    for node in nodes.into_iter().take(MAX_TRIES) {
        let mut shorter = plan.clone();
        for outcome in shorter.outcomes.get_mut(&node).into_iter().flatten() {
            outcome.set.clear();
            outcome.output = None;
        }
        if shorter != plan
            && let Ok(repeated) = repeat(tested, &shorter, expected).await
        {
            (plan, scenario) = (shorter, repeated);
        }
    }
    scenario
}

/// The scenario of a plan whose dry run enters these nodes.
async fn repeat(
    tested: &TestedPipeline,
    plan: &Plan,
    expected: &Expected,
) -> Result<GeneratedScenario, NotRecorded> {
    let invalid = |error: &dyn fmt::Display| NotRecorded::Invalid(error.to_string());
    let dry_runs = tested.dry_runs().map_err(|error| invalid(error))?;
    let limit = expected.max_steps;
    let limit = limit.unwrap_or_else(|| expected.steps.len() as u64 + EXCESS);
    let trace = run::trace(dry_runs, &plan.scenario(limit), BackendRegistry::default())
        .await
        .map_err(|error| invalid(&error))?;
    compare(&expected.steps, &trace.steps)?;
    if trace.report.status != expected.end {
        return Err(NotRecorded::EndDiffers {
            run: expected.end,
            dry_run: trace.report.status,
        });
    }
    let plan = plan.clone().trimmed(&trace);
    Ok(GeneratedScenario {
        name: describe(&plan, &trace),
        plan,
        max_steps: expected.max_steps,
        trace,
        covers: Vec::new(),
    })
}

/// Compares paths. Branches that run at the same time have no order among each other.
fn compare(run: &[Step], dry_run: &[Step]) -> Result<(), NotRecorded> {
    let lines = |steps: &[Step]| {
        let mut lines: BTreeMap<Option<String>, Vec<(usize, String)>> = BTreeMap::new();
        for (at, step) in steps.iter().enumerate() {
            let line = lines.entry(step.branch.clone()).or_default();
            line.push((at + 1, step.node.clone()));
        }
        lines
    };
    let (run, dry_run) = (lines(run), lines(dry_run));
    let branches: BTreeSet<_> = run.keys().chain(dry_run.keys()).collect();
    for branch in branches {
        let of = |lines: &BTreeMap<_, Vec<(usize, String)>>| lines.get(branch).cloned();
        let (run, dry_run) = (
            of(&run).unwrap_or_default(),
            of(&dry_run).unwrap_or_default(),
        );
        for at in 0..run.len().max(dry_run.len()) {
            let (run, dry_run) = (run.get(at), dry_run.get(at));
            let node = |step: Option<&(usize, String)>| step.map(|(_, node)| node.clone());
            if node(run) != node(dry_run) {
                return Err(NotRecorded::Differs {
                    step: run.or(dry_run).map_or(1, |(step, _)| *step),
                    run: node(run),
                    dry_run: node(dry_run),
                });
            }
        }
    }
    Ok(())
}

fn plan(tested: &TestedPipeline, run: &History, steps: &[Step], values: Values) -> Plan {
    let keys = match values {
        Values::None => Some(BTreeSet::new()),
        Values::Read => Some(keys_read(tested.all())),
        Values::All => None,
    };
    let mut plan = Plan::default();
    run.walk(|state, step| match &step.input.kind {
        InputKind::Start(begin) => plan.inputs.extend(begin.context.clone()),
        InputKind::Finished {
            ticket, outcome, ..
        } => {
            let Some(frame) = state.holder(*ticket) else {
                return;
            };
            let node = tested.all().find_map(|one| one.node_by_id(&frame.node));
            // A gate is decided by its answer.
            if node.is_some_and(|node| node.kind == NodeKind::HumanGate) {
                return;
            }
            let outcomes = plan.outcomes.entry(frame.node.clone()).or_default();
            outcomes.push(scripted(outcome, keys.as_ref()));
        }
        _ => {}
    });
    for step in steps {
        if let Some(answer) = &step.answer {
            let answers = plan.answers.entry(step.node.clone()).or_default();
            answers.push(answer.clone());
        }
    }
    plan
}

/// An outcome as a script gives it, with the values of these keys, or all short ones.
fn scripted(outcome: &Outcome, keys: Option<&BTreeSet<String>>) -> ScriptedOutcome {
    let is_read = |key: &str| keys.is_none_or(|keys| keys.contains(key));
    let updates = outcome.context_updates.iter();
    let set = updates.filter(|(key, value)| is_read(key) && is_short(value));
    let output = outcome.output.as_str();
    let output = output.filter(|_| keys.is_none_or(|keys| keys.iter().any(|key| is_output(key))));
    ScriptedOutcome {
        status: Some(outcome.status.clone()),
        failure_class: outcome
            .failure_class
            .filter(|class| is_given(outcome, *class)),
        preferred_label: outcome.preferred_label.clone(),
        next_node: outcome.next_node.clone(),
        output: output
            .filter(|text| text.len() <= MAX_VALUE)
            .map(str::to_owned),
        set: set
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    }
}

/// Whether a script gives the class of a failure: without one it is deterministic.
fn is_given(outcome: &Outcome, class: FailureClass) -> bool {
    outcome.status.is_failure() && class != FailureClass::Deterministic
}

fn is_short(value: &Value) -> bool {
    !value.is_null() && value.to_string().len() <= MAX_VALUE
}

/// Whether a key may hold the output of a node, which the engine sets.
fn is_output(key: &str) -> bool {
    key == "output" || key.ends_with(".output")
}

/// The context keys that conditions of pipelines read.
fn keys_read<'p>(pipelines: impl Iterator<Item = &'p Pipeline>) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for pipeline in pipelines {
        let of_nodes = pipeline.nodes.iter().map(|node| &node.attributes);
        let of_edges = pipeline.edges.iter().map(|edge| &edge.attributes);
        for attributes in of_nodes.chain(of_edges) {
            for text in CONDITIONS.iter().filter_map(|name| attributes.text(name)) {
                let (condition, _) = condition::parse(text);
                keys.extend(condition.keys().map(|(key, _)| bare(key).to_owned()));
            }
        }
    }
    keys
}

/// A key without the prefix that conditions may write.
fn bare(key: &str) -> &str {
    key.strip_prefix("context.").unwrap_or(key)
}
