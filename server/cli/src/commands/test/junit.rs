//! The results as a `JUnit` report: a suite per file, a test case per scenario.

use std::fmt::Write;

use super::suite::Suite;
use crate::follow::junit::escaped;
use crate::render::line_column::Lines;

/// The report. A file that is invalid is a suite with one error.
pub(super) fn report(suites: &[Suite]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for suite in suites {
        write_suite(&mut text, suite);
    }
    text.push_str("</testsuites>\n");
    text
}

fn write_suite(text: &mut String, suite: &Suite) {
    let name = escaped(&suite.file.source.name);
    let problems: Vec<_> = [&suite.file, &suite.pipeline]
        .into_iter()
        .flat_map(|checked| &checked.diagnostics)
        .collect();
    let tests = suite.results.len() + usize::from(!problems.is_empty());
    let failures = suite
        .results
        .iter()
        .filter(|result| !result.passed())
        .count();
    let errors = usize::from(!problems.is_empty());
    writeln!(
        text,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\">"
    )
    .ok();
    if let Some(problem) = problems.first() {
        let message = escaped(&problem.message);
        writeln!(
            text,
            "    <testcase name=\"{name}\" classname=\"{name}\"><error message=\"{message}\"/></testcase>"
        )
        .ok();
    }
    let lines = Lines::new(&suite.file.source.text);
    for result in &suite.results {
        let case = escaped(&result.name.value);
        let line = lines.position(result.name.range.start()).line;
        let begin = format!(
            "    <testcase name=\"{case}\" classname=\"{}\" file=\"{name}\" line=\"{line}\"",
            escaped(&result.graph)
        );
        let Some(first) = result.failures.first() else {
            writeln!(text, "{begin}/>").ok();
            continue;
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
        let details = details.collect::<Vec<_>>().join("\n\n");
        writeln!(
            text,
            "{begin}><failure message=\"{}\">{}</failure></testcase>",
            escaped(&first.message),
            escaped(&details)
        )
        .ok();
    }
    text.push_str("  </testsuite>\n");
}
