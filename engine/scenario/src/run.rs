//! Runs scenarios as dry runs of the executor.

use std::time::Duration;

use attractor_run::{AnswerPolicy, BackendRegistry, DryRun, DryRuns, Limits, RunError};
use futures::stream::{self, StreamExt};

use crate::located::Located;
use crate::scenario::Scenario;
use crate::subject::{Subject, TestedPipeline};
use crate::trace::Trace;
use crate::verdict::{Failure, judge};

/// A dry run waits for nothing; one that takes longer than this is stopped.
const MAX_TIME: Duration = Duration::from_mins(1);

/// What became of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioResult {
    /// Its name.
    pub name: Located<String>,
    /// The pipeline it ran.
    pub graph: String,
    /// The run; `None` when it could not start.
    pub trace: Option<Trace>,
    /// Expectations that are not met; a run that could not start has one.
    pub failures: Vec<Failure>,
}

impl ScenarioResult {
    /// Whether every expectation is met.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// Opens a cassette, named as in the scenario file: gives backends that answer from it, or the problem.
pub type OpenCassette<'a> = &'a (dyn Fn(&str) -> Result<BackendRegistry, String> + Sync);

/// Runs scenarios, several at a time; the results are in the order of the scenarios. Each one opens its own cassette.
pub async fn run_all(
    subject: &Subject,
    scenarios: &[Scenario],
    open: OpenCassette<'_>,
) -> Vec<ScenarioResult> {
    let parallel = std::thread::available_parallelism().map_or(1, usize::from);
    let mut runs = Vec::with_capacity(scenarios.len());
    for scenario in scenarios {
        runs.push(run(subject, scenario, open));
    }
    stream::iter(runs).buffered(parallel).collect().await
}

async fn run(subject: &Subject, scenario: &Scenario, open: OpenCassette<'_>) -> ScenarioResult {
    let graph = scenario.graph.as_ref().map(|graph| graph.value.as_str());
    let tested = subject.pipeline(graph);
    let name = tested.map(|tested| tested.pipeline().name.clone());
    let cassette = scenario.cassette.as_ref();
    let backends = cassette.map_or_else(
        || Ok(BackendRegistry::default()),
        |cassette| open(&cassette.value),
    );
    let result = match (tested.map(TestedPipeline::dry_runs), backends) {
        (Some(Ok(dry_runs)), Ok(backends)) => trace(dry_runs, scenario, backends)
            .await
            .map_err(|error| error.to_string()),
        (Some(Err(error)), _) => Err(error.to_string()),
        (Some(Ok(_)), Err(problem)) => Err(problem),
        (None, _) => Err("the file has no pipeline".to_owned()),
    };
    let (trace, failures) = match result {
        Ok(trace) => {
            let failures = judge(scenario, &trace);
            (Some(trace), failures)
        }
        Err(message) => {
            let failure = Failure {
                message,
                expected: String::new(),
                actual: String::new(),
                reason: None,
                range: scenario.name.range,
            };
            (None, vec![failure])
        }
    };
    ScenarioResult {
        name: scenario.name.clone(),
        graph: name.unwrap_or_default(),
        trace,
        failures,
    }
}

/// The dry run of a scenario.
pub(crate) async fn trace(
    dry_runs: &DryRuns,
    scenario: &Scenario,
    backends: BackendRegistry,
) -> Result<Trace, RunError> {
    let run = dry_runs.start(DryRun {
        script: scenario.script(),
        answers: AnswerPolicy::Scripted(scenario.prepared_answers()),
        inputs: scenario.inputs.clone(),
        limits: Limits {
            max_steps: scenario.max_steps,
            ..Limits::default()
        },
        backends,
    })?;
    let report = if let Ok(report) = tokio::time::timeout(MAX_TIME, run.wait()).await {
        report
    } else {
        run.cancel("the time limit of a scenario");
        run.wait().await
    };
    Ok(Trace::of(&run.events(0), report))
}
