//! `attractor.test`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use attractor::replay_backends;
use attractor_ide::model::Diagnostic;
use attractor_run::is_dot_file;
use attractor_scenario::{
    Coverage, Failure, Scenario, ScenarioResult, Subject, generate, run_all, scenario_path, write,
};
use lsp_types::Uri;

use crate::errors::ServerError;
use crate::ext::commands::{
    CoveredEdge, CoveredNode, TestArgs, TestCoverage, TestFailure, TestProblem, TestResult,
    TestScenario,
};
use crate::paths;
use crate::scenarios::suite::Suite;
use crate::session::Session;
use attractor_proto::RequestContext;
use attractor_proto::RequestError;
use attractor_proto::to_proto;

/// Lists or runs the scenarios of a file. They are dry runs, which need no trust.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: TestArgs,
) -> Result<TestResult, ServerError> {
    let session = Arc::clone(session);
    let TestArgs {
        uri,
        names,
        list,
        init,
    } = args;
    if init == Some(true) {
        write_scenarios(&session, &uri).await?;
    }
    let load = tokio::task::spawn_blocking(move || load(&session, &uri));
    let suite = load.await.map_err(|_| RequestError::Internal)??;
    let runs = list != Some(true) && init != Some(true) && suite.errors().next().is_none();
    let Some(subject) = suite.subject.as_ref().filter(|_| runs) else {
        return Ok(suite.listed());
    };
    let mut scenarios = suite.file.scenarios.clone();
    if let Some(names) = names {
        scenarios.retain(|scenario| names.contains(&scenario.name.value));
    }
    let open = |name: &str| replay_backends(&suite.folder.join(name));
    let results = run_all(subject, &scenarios, &open).await;
    Ok(suite.ran(subject, &results))
}

/// The scenario file of a document, or of the pipeline that the document is.
fn load(session: &Session, uri: &Uri) -> Result<Suite, ServerError> {
    let path = scenario_file_of(uri)?;
    Suite::of_file(session, &path)
        .ok_or_else(|| unreadable(uri, "there is no scenario file for it"))
}

fn scenario_file_of(uri: &Uri) -> Result<PathBuf, ServerError> {
    let path = paths::path_of(uri).ok_or_else(|| unreadable(uri, "it is not a file"))?;
    let is_pipeline = is_dot_file(&path);
    Ok(if is_pipeline {
        scenario_path(&path)
    } else {
        path
    })
}

fn unreadable(uri: &Uri, reason: &str) -> ServerError {
    let (uri, reason) = (uri.as_str().to_owned(), reason.to_owned());
    RequestError::Unreadable { uri, reason }.into()
}

/// Writes scenarios that cover every edge of a pipeline; a file that exists is never changed.
async fn write_scenarios(session: &Arc<Session>, uri: &Uri) -> Result<(), ServerError> {
    let path = scenario_file_of(uri)?;
    let taken = || ServerError::Taken {
        uri: path.display().to_string(),
    };
    if path.exists() {
        return Err(taken());
    }
    let (this, file) = (Arc::clone(session), path.clone());
    let suite = tokio::task::spawn_blocking(move || Suite::new(&this, &file, String::new()));
    let suite = suite.await.map_err(|_| RequestError::Internal)?;
    let subject = suite.subject.as_ref().ok_or(RequestError::NoPipeline {
        uri: uri.as_str().to_owned(),
    })?;
    let mut generated = Vec::new();
    for pipeline in subject.pipelines() {
        generated.extend(generate(subject, &pipeline.name).await);
    }
    let pipeline = paths::path_of(uri).unwrap_or_default();
    let name = pipeline.file_name().unwrap_or_default().to_string_lossy();
    let text = write(&name, &generated);
    let target = path.clone();
    let create = move || {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(target)?;
        file.write_all(text.as_bytes())
    };
    let created = tokio::task::spawn_blocking(create).await;
    let created = created.map_err(|_| RequestError::Internal)?;
    created.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => taken(),
        _ => unreadable(uri, &format!("cannot write {}: {error}", path.display())),
    })
}

impl Suite {
    /// The scenarios, not run.
    fn listed(&self) -> TestResult {
        let scenarios = self.file.scenarios.iter();
        TestResult {
            uri: self.uri.clone(),
            pipeline: self.pipeline.as_ref().map(|context| context.uri.clone()),
            problems: self.errors().map(|one| self.problem(one)).collect(),
            scenarios: scenarios.map(|one| self.scenario(one)).collect(),
            coverage: None,
        }
    }

    fn problem(&self, problem: &Diagnostic) -> TestProblem {
        TestProblem {
            message: problem.message.clone(),
            range: self.range(problem.range),
        }
    }

    fn scenario(&self, scenario: &Scenario) -> TestScenario {
        TestScenario {
            name: scenario.name.value.clone(),
            range: self.range(scenario.name.range),
            passed: None,
            failures: Vec::new(),
        }
    }

    /// The results of scenarios.
    fn ran(&self, subject: &Subject, results: &[ScenarioResult]) -> TestResult {
        let mut coverage = Coverage::new(subject.pipelines());
        for result in results {
            if let Some(trace) = &result.trace {
                coverage.add(&result.graph, trace);
            }
        }
        let scenarios = results.iter().map(|result| TestScenario {
            name: result.name.value.clone(),
            range: self.range(result.name.range),
            passed: Some(result.passed()),
            failures: result
                .failures
                .iter()
                .map(|one| self.failure(one))
                .collect(),
        });
        TestResult {
            scenarios: scenarios.collect(),
            coverage: self
                .pipeline
                .as_ref()
                .map(|context| covered(context, &coverage)),
            ..self.listed()
        }
    }

    fn failure(&self, failure: &Failure) -> TestFailure {
        TestFailure {
            message: failure.message.clone(),
            expected: failure.expected.clone(),
            actual: failure.actual.clone(),
            reason: failure.reason.clone(),
            range: self.range(failure.range),
        }
    }
}

fn covered(context: &RequestContext, coverage: &Coverage) -> TestCoverage {
    let edges = coverage.edges().map(|edge| CoveredEdge {
        from: edge.from.clone(),
        to: edge.to.clone(),
        range: to_proto::range(context, edge.range),
        taken: edge.taken,
    });
    let nodes = coverage.nodes().map(|node| CoveredNode {
        id: node.id.clone(),
        range: to_proto::range(context, node.range),
        visits: node.visits,
    });
    TestCoverage {
        edges: edges.collect(),
        nodes: nodes.collect(),
    }
}
