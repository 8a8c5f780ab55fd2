//! `attractor.test`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_ide::line_index::Lines;
use attractor_ide::position::Encoding;
use attractor_run::Source;
use attractor_scenario::{
    Coverage, Failure, Scenario, ScenarioFile, ScenarioResult, Subject, check, pipeline_paths,
    run_all, scenario_path,
};
use lsp_types::{Range, Uri};

use crate::context::RequestContext;
use crate::errors::ServerError;
use crate::ext::commands::{
    CoveredEdge, CoveredNode, TestArgs, TestCoverage, TestFailure, TestProblem, TestResult,
    TestScenario,
};
use crate::paths::{self, EXTENSIONS};
use crate::session::Session;
use crate::to_proto;

/// Lists or runs the scenarios of a file, as it is on the disk. They are dry runs, which need no trust.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: TestArgs,
) -> Result<TestResult, ServerError> {
    let session = Arc::clone(session);
    let TestArgs { uri, names, list } = args;
    let load = tokio::task::spawn_blocking(move || Suite::load(&session, &uri));
    let suite = load.await.map_err(|_| ServerError::Internal)??;
    let Some(subject) = suite.subject.as_ref().filter(|_| list != Some(true)) else {
        return Ok(suite.listed());
    };
    let mut scenarios = suite.file.scenarios.clone();
    if let Some(names) = names {
        scenarios.retain(|scenario| names.contains(&scenario.name.value));
    }
    let results = run_all(subject, &scenarios).await;
    Ok(suite.ran(subject, &results))
}

/// A scenario file and the pipeline that it tests.
struct Suite {
    uri: Option<Uri>,
    text: String,
    file: ScenarioFile,
    problems: Vec<TestProblem>,
    pipeline: Option<RequestContext>,
    /// What the scenarios run; `None` when there is a problem.
    subject: Option<Subject>,
    encoding: Encoding,
}

impl Suite {
    /// Reads files.
    fn load(session: &Session, uri: &Uri) -> Result<Self, ServerError> {
        let unreadable = |reason: &str| ServerError::Unreadable {
            uri: uri.as_str().to_owned(),
            reason: reason.to_owned(),
        };
        let path = paths::path_of(uri).ok_or_else(|| unreadable("it is not a file"))?;
        let path = if paths::is_dot(&path) {
            scenario_path(&path)
        } else {
            path
        };
        let missing = || unreadable("there is no scenario file for it");
        let text = paths::read_small(&path).ok_or_else(missing)?;
        let (file, mut problems) = ScenarioFile::parse(&text);
        let pipeline = pipeline_of(session, &path, &file);
        let subject = pipeline.as_ref().map(subject_of);
        if let Some(subject) = &subject {
            problems.extend(check(&file, subject));
        }
        let encoding = session.notifier.features().encoding;
        let lines = Lines::new(&text);
        let range = |at: TextRange| range(&text, &lines, encoding, at);
        let problems: Vec<TestProblem> = problems
            .iter()
            .map(|problem| TestProblem {
                message: problem.message.clone(),
                range: range(problem.range),
            })
            .collect();
        Ok(Self {
            uri: Uri::from_file_path(&path),
            subject: subject.filter(|_| problems.is_empty()),
            text,
            file,
            problems,
            pipeline,
            encoding,
        })
    }

    /// The scenarios, not run.
    fn listed(&self) -> TestResult {
        let scenarios = self.file.scenarios.iter();
        TestResult {
            uri: self.uri.clone(),
            pipeline: self.pipeline.as_ref().map(|context| context.uri.clone()),
            problems: self.problems.clone(),
            scenarios: scenarios.map(|one| self.scenario(one)).collect(),
            coverage: None,
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

    fn range(&self, at: TextRange) -> Range {
        range(&self.text, &Lines::new(&self.text), self.encoding, at)
    }
}

/// The pipeline file that a scenario file tests, as it is open, else as it is on the disk.
fn pipeline_of(session: &Session, path: &Path, file: &ScenarioFile) -> Option<RequestContext> {
    let paths: Vec<PathBuf> = pipeline_paths(path, file, &EXTENSIONS);
    let mut existing = paths.iter().filter(|path| path.is_file());
    let context = RequestContext::of_file(session, existing.next()?)?;
    let has_pipeline = context.document.pipelines().next().is_some();
    has_pipeline.then_some(context)
}

fn subject_of(context: &RequestContext) -> Subject {
    let source = Source {
        path: paths::path_of(&context.uri).unwrap_or_default(),
        text: Arc::clone(&context.document.text),
    };
    let pipelines: Vec<_> = context.document.analysis.pipelines().cloned().collect();
    let options = &context.document.options;
    Subject::new(&source, &pipelines, options, context.files().as_ref())
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

/// The range of bytes of a text.
fn range(text: &str, lines: &Lines, encoding: Encoding, range: TextRange) -> Range {
    let position = |offset| to_proto::line_column(lines.position(text, offset, encoding));
    Range::new(position(range.start()), position(range.end()))
}
