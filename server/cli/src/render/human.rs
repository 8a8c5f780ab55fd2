//! Diagnostics for people: the message, the line, carets under the range, and the first fix.
//!
//! Only the lines that matter are handed to the printer, so a diagnostic at the end of a large file costs
//! no more than one at its beginning.

use std::fmt::Write;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use attractor_dot::{Fix, TextRange};
use attractor_model::{Diagnostic, Severity};

use super::{Checked, counted};
use crate::console::plain;

/// A related range further away than this, in bytes, is named and not drawn.
const WINDOW: usize = 8 * 1024;
/// Diagnostics of one file that are drawn; the rest is counted.
const MAX_DIAGNOSTICS: usize = 100;
/// A range over more lines than this is drawn at its first line only.
const MAX_RANGE_LINES: usize = 6;

/// Which diagnostics are drawn; the others are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportDetail {
    /// Errors and warnings.
    Problems,
    /// Notes and hints too.
    Everything,
}

impl ReportDetail {
    fn covers(self, severity: Severity) -> bool {
        self == Self::Everything || matches!(severity, Severity::Error | Severity::Warning)
    }
}

/// The diagnostics of one file, and a closing line.
pub fn report(checked: &Checked, detail: ReportDetail) -> String {
    let renderer = Renderer::styled()
        .decor_style(DecorStyle::Ascii)
        .term_width(crate::console::width());
    let mut text = String::new();
    // Terminals are recorded, so a key of the file is not repeated there.
    let source = attractor_exec::redactor([])
        .cover(&checked.source.text)
        .into_owned();
    let drawn = || {
        checked
            .diagnostics
            .iter()
            .filter(|one| detail.covers(one.severity))
    };
    for one in drawn().take(MAX_DIAGNOSTICS) {
        text.push_str(&renderer.render(&groups(one, checked, &source)));
        text.push_str("\n\n");
    }
    let rest = drawn().count().saturating_sub(MAX_DIAGNOSTICS);
    if rest > 0 {
        writeln!(text, "… and {rest} more; --format json lists all\n").ok();
    }
    text.push_str(&summary(checked, detail));
    text
}

/// `pipeline.dot: 1 error, 2 warnings` or `pipeline.dot: no problems found`, and how many notes there are.
fn summary(checked: &Checked, detail: ReportDetail) -> String {
    let count = |severity, noun| {
        let number = checked.count(severity);
        (number > 0).then(|| counted(number, noun))
    };
    let problems: Vec<String> = [
        count(Severity::Error, "error"),
        count(Severity::Warning, "warning"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let result = if checked.source.text.trim().is_empty() {
        "empty file, no graph to check".to_owned()
    } else if problems.is_empty() {
        "no problems found".to_owned()
    } else {
        problems.join(", ")
    };
    let notes = checked.count(Severity::Info) + checked.count(Severity::Hint);
    let notes = match (notes, detail) {
        (0, _) => String::new(),
        (_, ReportDetail::Everything) => format!(", {}", counted(notes, "note")),
        (_, ReportDetail::Problems) => format!(", {} (--notes shows them)", counted(notes, "note")),
    };
    format!("{}: {result}{notes}\n", plain(&checked.source.name))
}

fn groups<'a>(one: &'a Diagnostic, checked: &'a Checked, text: &'a str) -> Vec<Group<'a>> {
    let level = match one.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info | Severity::Hint => Level::INFO,
    };
    let primary = first_lines(text, one.range);
    let near: Vec<_> = one
        .related
        .iter()
        .map(|other| (first_lines(text, other.range), other.message.as_str()))
        .filter(|(range, _)| {
            range.start.abs_diff(primary.start) < WINDOW && range.end.abs_diff(primary.end) < WINDOW
        })
        .collect();
    let window = near
        .iter()
        .map(|(range, _)| Window::around(text, range.clone()))
        .fold(Window::around(text, primary.clone()), |all, next| {
            all.join(text, &next)
        });
    let mut snippet = Snippet::source(window.text)
        .line_start(window.line)
        .path(plain(&checked.source.name))
        .annotation(AnnotationKind::Primary.span(window.local(&primary)));
    for (range, message) in near {
        snippet = snippet.annotation(
            AnnotationKind::Context
                .span(window.local(&range))
                .label(plain(message)),
        );
    }
    let mut groups = vec![
        level
            .primary_title(plain(&one.message))
            .id(one.rule)
            .element(snippet),
    ];
    groups.extend(one.fixes.iter().take(1).map(|fix| help(fix, text)));
    groups
}

/// The first fix, drawn when its edits are close to each other.
fn help<'a>(fix: &'a Fix, text: &'a str) -> Group<'a> {
    let title = Level::HELP.secondary_title(plain(&fix.title));
    let start = fix.edits.iter().map(|edit| edit.range.start()).min();
    let end = fix.edits.iter().map(|edit| edit.range.end()).max();
    let (Some(start), Some(end)) = (start, end) else {
        return Group::with_title(title);
    };
    if end - start > WINDOW {
        return Group::with_title(title);
    }
    let window = Window::around(text, start..end);
    let patches = fix.edits.iter().map(|edit| {
        let range = edit.range.start()..edit.range.end();
        Patch::new(window.local(&range), plain(&edit.text))
    });
    title.element(
        Snippet::source(window.text)
            .line_start(window.line)
            .patches(patches),
    )
}

/// The range, or its first line when it spans too many to be drawn.
fn first_lines(text: &str, range: TextRange) -> Range<usize> {
    let (start, end) = (range.start().min(text.len()), range.end().min(text.len()));
    let inside = text.get(start..end).unwrap_or_default();
    match inside.split_inclusive('\n').nth(MAX_RANGE_LINES) {
        None => start..end,
        Some(_) => start..start + inside.find('\n').unwrap_or(inside.len()),
    }
}

/// Some whole lines of a text.
#[derive(Clone)]
struct Window<'a> {
    text: &'a str,
    start: usize,
    /// The number of the first line, from 1.
    line: usize,
}

impl<'a> Window<'a> {
    /// The lines that `range` touches; of a very long line, the part around it.
    fn around(text: &'a str, range: Range<usize>) -> Self {
        let before = text.get(..range.start).unwrap_or(text);
        let after = text.get(range.end..).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = range.end + after.find('\n').unwrap_or(after.len());
        let start = boundary(text, line_start.max(range.start.saturating_sub(WINDOW)));
        let end = boundary(text, line_end.min(range.end.saturating_add(WINDOW)));
        Self::cut(text, start, end)
    }

    fn cut(text: &'a str, start: usize, end: usize) -> Self {
        let line = 1 + text.get(..start).unwrap_or_default().matches('\n').count();
        Self {
            text: text.get(start..end).unwrap_or_default(),
            start,
            line,
        }
    }

    fn join(&self, text: &'a str, other: &Self) -> Self {
        let end = (self.start + self.text.len()).max(other.start + other.text.len());
        Self::cut(text, self.start.min(other.start), end)
    }

    /// A range of the whole text as one of this window.
    fn local(&self, range: &Range<usize>) -> Range<usize> {
        let clamp = |at: usize| at.saturating_sub(self.start).min(self.text.len());
        clamp(range.start)..clamp(range.end)
    }
}

/// The nearest start of a character at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}
