//! The results for people: a line per scenario, then failures, then what is not covered.

use std::fmt::Write;

use attractor_scenario::Failure;
use attractor_text_diff::{Edit, TextDiff};

use super::suite::{Suite, Totals, percent};
use crate::console::plain;
use crate::render::line_column::Lines;
use crate::render::{counted, human};
use crate::style::{ATTENTION, BAD, FAINT, GOOD, STRONG, paint};

/// The lines of one file.
pub(super) fn suite(suite: &Suite, quiet: bool) -> String {
    let mut text = String::new();
    for checked in [&suite.file, &suite.pipeline] {
        if !checked.diagnostics.is_empty() {
            text += &human::report(checked, human::ReportDetail::Problems);
        }
    }
    if !suite.is_valid() {
        return text;
    }
    let name = plain(&suite.file.source.name);
    if !quiet {
        writeln!(text, "{}", paint(STRONG, &name)).ok();
    }
    let lines = Lines::new(&suite.file.source.text);
    for result in &suite.results {
        let title = plain(&result.name.value);
        if result.passed() {
            if !quiet {
                writeln!(text, "  {} {title}", paint(GOOD, "✓")).ok();
            }
            continue;
        }
        let line = lines.position(result.name.range.start()).line;
        let place = paint(FAINT, format!("{name}:{line}"));
        writeln!(text, "  {} {title}  {place}", paint(BAD, "✗")).ok();
        for failure in &result.failures {
            failed(&mut text, &name, &lines, failure);
        }
    }
    if !quiet {
        coverage(&mut text, suite);
        text.push('\n');
    }
    text
}

fn failed(text: &mut String, name: &str, lines: &Lines<'_>, failure: &Failure) {
    let at = lines.position(failure.range.start());
    let place = paint(FAINT, format!("{name}:{}:{}", at.line, at.column));
    writeln!(text, "      {} {place}", plain(&failure.message)).ok();
    if failure.expected.contains('\n') || failure.actual.contains('\n') {
        path(text, failure);
    }
    for line in failure.reason.iter().flat_map(|reason| reason.lines()) {
        writeln!(text, "      {}", paint(FAINT, plain(line))).ok();
    }
}

/// Expected and actual nodes of a path, as a difference.
fn path(text: &mut String, failure: &Failure) {
    let diff = TextDiff::of_lines(&failure.expected, &failure.actual);
    for (edit, node) in diff.changes_with_context(2) {
        let node = plain(node.trim_end());
        let line = match edit {
            Edit::Equal => format!("  {node}"),
            Edit::Removed => paint(BAD, format!("- {node}")),
            Edit::Added => paint(GOOD, format!("+ {node}")),
        };
        writeln!(text, "          {line}").ok();
    }
}

fn coverage(text: &mut String, suite: &Suite) {
    let coverage = &suite.coverage;
    let (edges, nodes) = (coverage.edges().count(), coverage.nodes().count());
    let taken = coverage.edges().filter(|edge| edge.taken > 0).count();
    let entered = coverage.nodes().filter(|node| node.visits > 0).count();
    let style = if taken == edges { GOOD } else { ATTENTION };
    let share = format!("{}%", percent(taken, edges));
    writeln!(
        text,
        "  {} covered: {taken} of {}, {entered} of {}",
        paint(style, share),
        counted(edges, "edge"),
        counted(nodes, "node"),
    )
    .ok();
    let lines = Lines::new(&suite.pipeline.source.text);
    let file = plain(&suite.pipeline.source.name);
    for edge in suite.uncovered() {
        let at = lines.position(edge.range.start());
        let edge = plain(&edge.to_string()).into_owned();
        writeln!(
            text,
            "    {file}:{}:{}: not covered: {edge}",
            at.line, at.column
        )
        .ok();
    }
}

/// The last line, over all files.
pub(super) fn summary(suites: &[Suite], totals: &Totals, quiet: bool) -> String {
    let mut parts = Vec::new();
    if totals.failed > 0 {
        parts.push(paint(BAD, format!("{} failed", totals.failed)));
    }
    if totals.passed > 0 {
        parts.push(paint(GOOD, format!("{} passed", totals.passed)));
    }
    let invalid = totals.invalid_files + totals.invalid_pipelines;
    if invalid > 0 {
        parts.push(paint(BAD, counted(invalid, "invalid file")));
    }
    if parts.is_empty() {
        parts.push("no scenarios".to_owned());
    }
    if quiet && totals.failed == 0 && invalid == 0 {
        return String::new();
    }
    let files = match suites.len() {
        1 => String::new(),
        files => format!(" in {}", counted(files, "file")),
    };
    format!(
        "{}{files}; {}% of {} covered\n",
        parts.join(", "),
        totals.percent(),
        counted(totals.edges, "edge"),
    )
}
