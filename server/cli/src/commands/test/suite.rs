//! One scenario file with its pipeline and the results of its scenarios.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor::replay_backends;
use attractor_lang::stylesheet::Stylesheet;
use attractor_model::{Diagnostic, Pipeline, Severity};
use attractor_run::DOT_EXTENSIONS;
use attractor_scenario::{
    Coverage, EdgeCoverage, Scenario, ScenarioFile, ScenarioResult, Subject, check,
    check_cassettes, pipeline_paths, run_all,
};

use crate::analysis::analyze;
use crate::error::Error;
use crate::input::Source;
use crate::render::Checked;

/// A scenario file.
pub(super) struct Suite {
    /// The file with its problems.
    pub(super) file: Checked,
    /// The pipeline with its errors.
    pub(super) pipeline: Checked,
    /// Where its cassettes are.
    folder: PathBuf,
    /// What its scenarios run; `None` when one of the two files is invalid.
    subject: Option<Subject>,
    scenarios: Vec<Scenario>,
    /// The results, in the order of the file.
    pub(super) results: Vec<ScenarioResult>,
    /// What they cover.
    pub(super) coverage: Coverage,
}

impl Suite {
    /// Reads a scenario file and its pipeline; `filter` chooses scenarios by name.
    pub(super) fn load(path: &Path, filter: Option<&str>) -> Result<Self, Error> {
        let source = Source::read(path)?;
        let (file, mut problems) = ScenarioFile::parse(&source.text);
        let (pipeline, subject) = read_pipeline(&pipeline_path(path, &file))?;
        problems.extend(check(&file, &subject));
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        problems.extend(check_cassettes(&file, &folder).into_iter().map(recordable));
        problems.sort_by_key(|problem| problem.range.start());
        let coverage = Coverage::new(subject.pipelines());
        let valid = !has_errors(&problems) && pipeline.diagnostics.is_empty();
        let filter = filter.map(str::to_lowercase);
        let wanted = |scenario: &Scenario| {
            let name = scenario.name.value.to_lowercase();
            filter.as_ref().is_none_or(|filter| name.contains(filter))
        };
        Ok(Self {
            file: Checked {
                source,
                diagnostics: problems,
            },
            pipeline,
            folder,
            subject: valid.then_some(subject),
            scenarios: file.scenarios.into_iter().filter(wanted).collect(),
            results: Vec::new(),
            coverage,
        })
    }

    /// Runs its scenarios, unless one of its files is invalid.
    pub(super) async fn run(&mut self) {
        let Some(subject) = &self.subject else { return };
        let open = |name: &str| replay_backends(&self.folder.join(name));
        self.results = run_all(subject, &self.scenarios, &open).await;
        for result in &self.results {
            if let Some(trace) = &result.trace {
                self.coverage.add(&result.graph, trace);
            }
        }
    }

    /// Whether no scenario of a valid file was chosen.
    pub(super) fn is_empty(&self) -> bool {
        self.is_valid() && self.scenarios.is_empty()
    }

    /// Whether its scenarios have run.
    pub(super) fn is_valid(&self) -> bool {
        self.subject.is_some()
    }

    /// Edges that no scenario takes.
    pub(super) fn uncovered(&self) -> impl Iterator<Item = &EdgeCoverage> {
        self.coverage.edges().filter(|edge| edge.taken == 0)
    }
}

/// A problem of a cassette, with how to record one.
fn recordable(mut problem: Diagnostic) -> Diagnostic {
    problem.message += "; record it with `attractor run FILE --record`";
    problem
}

/// Whether one of the problems keeps scenarios from running.
fn has_errors(problems: &[Diagnostic]) -> bool {
    problems.iter().any(|one| one.severity == Severity::Error)
}

/// A pipeline file with its errors, and what its scenarios run.
pub(super) fn read_pipeline(path: &Path) -> Result<(Checked, Subject), Error> {
    let analyzed = analyze(Source::read(path)?, Stylesheet::default());
    if let Some(path) = analyzed.broken_configuration {
        return Err(Error::Configuration { path });
    }
    let pipelines: Vec<Arc<Pipeline>> = analyzed.analysis.pipelines().cloned().collect();
    if pipelines.is_empty() {
        return Err(Error::NoPipeline {
            path: analyzed.source.name,
        });
    }
    let mut errors: Vec<Diagnostic> = analyzed.analysis.diagnostics;
    errors.retain(|one| one.severity == Severity::Error);
    let source = attractor_run::Source {
        path: path.to_owned(),
        text: Arc::clone(&analyzed.source.text),
    };
    let subject = Subject::new(&source, &pipelines, &analyzed.options, &analyzed.files);
    let checked = Checked {
        source: analyzed.source,
        diagnostics: errors,
    };
    Ok((checked, subject))
}

/// The pipeline of a scenario file: the first that exists of those it may have.
fn pipeline_path(path: &Path, file: &ScenarioFile) -> PathBuf {
    let paths = pipeline_paths(path, file, &DOT_EXTENSIONS);
    let existing = paths.iter().find(|path| path.is_file());
    existing.or(paths.first()).cloned().unwrap_or_default()
}

/// The sums over all files.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) invalid_files: usize,
    pub(super) invalid_pipelines: usize,
    pub(super) edges: usize,
    pub(super) edges_covered: usize,
    pub(super) nodes: usize,
    pub(super) nodes_covered: usize,
}

impl Totals {
    pub(super) fn of(suites: &[Suite]) -> Self {
        let mut totals = Self::default();
        for suite in suites {
            let passed = suite
                .results
                .iter()
                .filter(|result| result.passed())
                .count();
            totals.passed += passed;
            totals.failed += suite.results.len() - passed;
            totals.invalid_files += usize::from(has_errors(&suite.file.diagnostics));
            totals.invalid_pipelines += usize::from(!suite.pipeline.diagnostics.is_empty());
            totals.edges += suite.coverage.edges().count();
            totals.edges_covered += suite.coverage.edges().filter(|edge| edge.taken > 0).count();
            totals.nodes += suite.coverage.nodes().count();
            totals.nodes_covered += suite
                .coverage
                .nodes()
                .filter(|node| node.visits > 0)
                .count();
        }
        totals
    }

    /// The share of edges that are covered, rounded down.
    pub(super) fn percent(&self) -> u8 {
        percent(self.edges_covered, self.edges)
    }
}

/// `part` of `whole` in percent, rounded down: only all of it is 100.
pub(super) fn percent(part: usize, whole: usize) -> u8 {
    match (part * 100).checked_div(whole) {
        Some(percent) => u8::try_from(percent).unwrap_or(100),
        None => 100,
    }
}
