//! Differences for people: a line with a mark for each change, texts by words.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::Style;
use attractor_diff::{Change, ChangeKind, Difference, Edit, FileDifference, Piece, Report, Status};

use crate::console::plain;
use crate::render::markdown_inline::Styles;
use crate::style::{ATTENTION, BAD, FAINT, GOOD, STRONG, paint};

/// Characters of equal text that are shown on each side of a change.
const CONTEXT: usize = 60;

/// All files.
pub(super) fn report(report: &Report, styles: Styles) -> String {
    let files: Vec<String> = report.files.iter().map(|one| file(one, styles)).collect();
    files.join("\n")
}

fn file(file: &FileDifference, styles: Styles) -> String {
    let mut text = paint(STRONG, plain(&file.path));
    if let Some(old) = &file.old_path {
        text.push_str(&paint(FAINT, format!(" (was {})", plain(old))));
    }
    let outcome = match file.status {
        Status::Added => ": added",
        Status::Removed => ": removed",
        Status::Unchanged if file.problems.is_empty() => ": no change in meaning",
        Status::Changed | Status::Unchanged => "",
    };
    text.extend([outcome, "\n"]);
    for problem in &file.problems {
        let (line, column) = (problem.line, problem.column);
        let _ = writeln!(
            text,
            "  {} {line}:{column} in the {} version: {}",
            paint(BAD, "error:"),
            problem.version.name(),
            plain(&problem.message)
        );
    }
    for pipeline in file.pipelines.iter().filter(|one| !one.is_empty()) {
        text.push_str(&difference(pipeline, styles));
    }
    for line in file.lines.iter().flat_map(|lines| lines.lines()) {
        let style = match line.chars().next() {
            Some('+') => GOOD,
            Some('-') => BAD,
            _ => Style::new(),
        };
        text.extend([&paint(style, plain(line)), "\n"]);
    }
    text
}

fn difference(difference: &Difference, styles: Styles) -> String {
    let mut text = format!("  {}\n", plain(&difference.title()));
    let mut section = None;
    for change in &difference.changes {
        let own = change.topic.section();
        if section != Some(own) {
            section = Some(own);
            let _ = writeln!(text, "  {}", paint(STRONG, own.title()));
        }
        text.push_str(&line(change, styles));
    }
    text
}

fn line(change: &Change, styles: Styles) -> String {
    let style = match change.change {
        ChangeKind::Added => GOOD,
        ChangeKind::Removed => BAD,
        ChangeKind::Changed | ChangeKind::Renamed | ChangeKind::Reordered => ATTENTION,
    };
    let mark = paint(style, change.change.mark());
    let mut text = format!("    {mark} {}", plain(&change.title()));
    let (old, new) = change.values();
    let is_block = [old, new]
        .into_iter()
        .flatten()
        .any(|value| value.contains('\n'));
    if !is_block {
        let old = old.map(|value| paint(BAD, plain(value)));
        let new = new.map(|value| paint(GOOD, plain(value)));
        match (old, new) {
            (Some(old), Some(new)) => text.extend([" ", &old, " → ", &new]),
            (Some(one), None) | (None, Some(one)) => text.extend([" ", &one]),
            (None, None) => {}
        }
    }
    if let Some(note) = change.note() {
        let note = format!(" ({note})");
        text.push_str(&paint(FAINT, plain(&note)));
    }
    text.push('\n');
    if is_block {
        let piece = |edit, value: Option<&str>| Piece {
            edit,
            text: value.unwrap_or_default().to_owned(),
        };
        let pieces = [piece(Edit::Removed, old), piece(Edit::Added, new)];
        text.push_str(&block(&pieces, styles));
    } else if !change.words.is_empty() {
        text.push_str(&block(&change.words, styles));
    }
    text
}

/// The words of a text, as lines.
fn block(words: &[Piece], styles: Styles) -> String {
    let mut lines = vec![String::new()];
    let words = words.iter().filter(|piece| !piece.text.is_empty());
    let words: Vec<&Piece> = words.collect();
    for (at, piece) in words.iter().enumerate() {
        let (is_first, is_last) = (at == 0, at + 1 == words.len());
        let text = match piece.edit {
            Edit::Equal => shortened(&piece.text, is_first, is_last),
            Edit::Removed | Edit::Added => Cow::Borrowed(&*piece.text),
        };
        let text = plain(&text);
        for (number, part) in text.split('\n').enumerate() {
            if number > 0 {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(&marked(piece.edit, part, styles));
            }
        }
    }
    let lines = lines.into_iter().map(|line| format!("        {line}\n"));
    lines.collect()
}

fn marked(edit: Edit, text: &str, styles: Styles) -> String {
    match (edit, styles) {
        _ if text.is_empty() => String::new(),
        (Edit::Equal, _) => text.to_owned(),
        (Edit::Removed, Styles::On) => paint(BAD, text),
        (Edit::Added, Styles::On) => paint(GOOD, text),
        (Edit::Removed, Styles::Off) => format!("[-{text}-]"),
        (Edit::Added, Styles::Off) => format!("{{+{text}+}}"),
    }
}

/// Equal text near changes.
fn shortened(text: &str, is_first: bool, is_last: bool) -> Cow<'_, str> {
    let count = text.chars().count();
    let sides = usize::from(!is_first) + usize::from(!is_last);
    if count <= sides.max(1) * CONTEXT + 1 {
        return Cow::Borrowed(text);
    }
    let head: String = text.chars().take(CONTEXT).collect();
    let tail: String = text.chars().skip(count.saturating_sub(CONTEXT)).collect();
    let [head, tail] = [(is_first, head), (is_last, tail)]
        .map(|(is_left_out, part)| if is_left_out { String::new() } else { part });
    Cow::Owned(format!("{head}…{tail}"))
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn equal_text_is_shown_near_changes() {
        let long = format!("{}{}{}", "a".repeat(60), "b".repeat(50), "c".repeat(60));
        let around = format!("{}…{}", "a".repeat(60), "c".repeat(60));
        assert_eq!(shortened(&long, false, false), around);
        assert_eq!(
            shortened(&long, true, false),
            format!("…{}", "c".repeat(60))
        );
        assert_eq!(
            shortened(&long, false, true),
            format!("{}…", "a".repeat(60))
        );
        assert_eq!(shortened("short", true, false), "short");
    }
}
