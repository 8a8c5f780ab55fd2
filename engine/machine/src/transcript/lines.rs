//! Lines below the first: what tools wrote, and differences.

use super::entry::{EntryLine, EntryRole};

/// Lines of a tool's output, or of a difference, that are shown.
const MAX_LINES: usize = 12;

/// The lines up to the limit, and how many more there are. One line too many is shown.
pub(super) fn shortened(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    if lines.len() <= MAX_LINES + 1 {
        return lines;
    }
    let more = format!("… {} more lines", lines.len() - MAX_LINES);
    let shown = lines.into_iter().take(MAX_LINES);
    shown
        .chain([EntryLine::new(EntryRole::More, &more)])
        .collect()
}

/// The lines of a text, each after a sign.
pub(super) fn signed(role: EntryRole, sign: &str, text: &str) -> Vec<EntryLine> {
    let lines = text.lines();
    lines
        .map(|line| EntryLine::new(role, &format!("{sign}{line}")))
        .collect()
}
