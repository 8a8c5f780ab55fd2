//! Draws findings under the text they are about, and what their fixes make of it.

use std::fmt::Write;
use std::sync::Arc;

use attractor_dot::apply;
use expect_test::Expect;

use attractor_model::{Diagnostic, Files, Levels, NoFiles, Options};

use crate::analyze;

/// Checks what one rule says about a text.
pub(crate) fn check(rule: &str, text: &str, expected: Expect) {
    check_with(rule, text, &Options::default(), &NoFiles, expected);
}

/// Checks what one rule says about a text with these options and files.
#[expect(clippy::needless_pass_by_value, reason = "callers write `expect![…]`")]
pub(crate) fn check_with(
    rule: &str,
    text: &str,
    options: &Options,
    files: &dyn Files,
    expected: Expect,
) {
    let text = Arc::from(text);
    let parse = attractor_dot::parse(&text);
    let analysis = analyze(&text, &parse, options, files);
    let broken: Vec<_> = analysis
        .diagnostics
        .iter()
        .filter(|found| found.rule == "syntax")
        .collect();
    assert!(
        broken.is_empty() || rule == "syntax",
        "the fixture is not DOT: {broken:?}"
    );
    let found: Vec<_> = analysis
        .diagnostics
        .iter()
        .filter(|found| found.rule == rule)
        .collect();
    let mut drawn = String::new();
    for diagnostic in found {
        draw(&text, diagnostic, &mut drawn);
    }
    expected.assert_eq(&drawn);
}

/// Options with one rule set to `level`, for lints that are silent by default.
pub(crate) fn with_level(rule: &str, level: attractor_model::Level) -> Options {
    let mut levels = Levels::default();
    levels.set(rule, level);
    Options {
        levels,
        ..Options::default()
    }
}

fn draw(text: &str, diagnostic: &Diagnostic, out: &mut String) {
    point(
        text,
        diagnostic.range,
        &format!("{}: {}", diagnostic.severity.name(), diagnostic.message),
        out,
    );
    for related in &diagnostic.related {
        point(
            text,
            related.range,
            &format!("note: {}", related.message),
            out,
        );
    }
    for fix in &diagnostic.fixes {
        let _ = writeln!(out, "  fix: {}", fix.title);
        let fixed = apply(text, &fix.edits);
        let before: Vec<_> = text.lines().collect();
        for line in fixed.lines().filter(|line| !before.contains(line)) {
            let _ = writeln!(out, "    + {}", line.trim_start());
        }
        let after: Vec<_> = fixed.lines().collect();
        if fixed.lines().all(|line| before.contains(&line)) {
            for line in before.iter().filter(|line| !after.contains(line)) {
                let _ = writeln!(out, "    - {}", line.trim_start());
            }
        }
    }
}

/// The line without its indentation, so that a picture does not depend on it.
fn point(text: &str, range: attractor_dot::TextRange, message: &str, out: &mut String) {
    let start = text[..range.start()].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.start()..]
        .find('\n')
        .map_or(text.len(), |at| range.start() + at);
    let line = text[start..end].trim_start();
    let start = end - line.len();
    let column = text[start..range.start().max(start)].chars().count();
    let width = text[range.start()..range.end().min(end)]
        .chars()
        .count()
        .max(1);
    let _ = writeln!(out, "{line}");
    let _ = writeln!(out, "{}{} {message}", " ".repeat(column), "^".repeat(width));
}
