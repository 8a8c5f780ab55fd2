//! The results as a `JUnit` report: a suite per file, a test case per scenario. It is red exactly when the command
//! fails.

use attractor_model::Severity;
use attractor_scenario::ScenarioResult;

use super::suite::Suite;
use crate::render::junit::{TestCase, TestResult, TestSuite, document};
use crate::render::line_column::Lines;

/// The report. A file that is invalid is a suite with one error. `too_little` says what the coverage lacks.
pub(super) fn report(suites: &[Suite], too_little: Option<&str>) -> String {
    let files = suites.iter().map(suite);
    let coverage = too_little.map(|message| TestSuite {
        name: "coverage".to_owned(),
        cases: vec![whole("coverage", failed(message, ""))],
        ..TestSuite::default()
    });
    document(&files.chain(coverage).collect::<Vec<_>>())
}

fn suite(suite: &Suite) -> TestSuite {
    let name = &suite.file.source.name;
    let problems = [&suite.file, &suite.pipeline];
    let mut problems = problems
        .into_iter()
        .flat_map(|checked| &checked.diagnostics);
    let error = problems.find(|one| one.severity == Severity::Error);
    let error = error.map(|one| whole(name, TestResult::Error(one.message.clone())));
    let lines = Lines::new(&suite.file.source.text);
    let cases = suite.results.iter().map(|result| TestCase {
        name: result.name.value.clone(),
        class: result.graph.clone(),
        place: Some((name.clone(), lines.position(result.name.range.start()).line)),
        millis: None,
        result: result_of(result),
    });
    TestSuite {
        name: name.clone(),
        cases: error.into_iter().chain(cases).collect(),
        ..TestSuite::default()
    }
}

/// A test case that is all of its suite.
fn whole(name: &str, result: TestResult) -> TestCase {
    TestCase {
        name: name.to_owned(),
        class: name.to_owned(),
        place: None,
        millis: None,
        result,
    }
}

fn result_of(result: &ScenarioResult) -> TestResult {
    let Some(first) = result.failures.first() else {
        return TestResult::Passed(String::new());
    };
    let details = result.failures.iter().map(|failure| {
        let reason = failure.reason.as_deref().unwrap_or_default();
        format!(
            "{}\nexpected: {}\nactual:   {}\n{reason}",
            failure.message,
            failure.expected.replace('\n', " → "),
            failure.actual.replace('\n', " → "),
        )
    });
    failed(&first.message, &details.collect::<Vec<_>>().join("\n\n"))
}

fn failed(message: &str, details: &str) -> TestResult {
    TestResult::Failed {
        message: message.to_owned(),
        details: details.to_owned(),
    }
}
