//! The form `*** Begin Patch`. Markers may be padded with whitespace.

use super::operation::{Hunk, Operation, OperationKind, PatchError};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// Reads the lines of a patch.
pub(super) fn parse(lines: &[&str]) -> Result<Vec<Operation>, PatchError> {
    let mut lines = Lines { lines, next: 0 };
    while lines.peek().is_some_and(|line| line.trim().is_empty()) {
        lines.next += 1;
    }
    if lines.peek().is_none_or(|line| line.trim() != BEGIN) {
        return Err(PatchError::new(
            lines.number(),
            format!("expected `{BEGIN}` or a unified diff"),
        ));
    }
    lines.next += 1;
    let mut operations = Vec::new();
    loop {
        let number = lines.number();
        let Some(line) = lines.take() else {
            return Err(PatchError::new(
                number,
                format!("the patch ends without `{END}`; it may have been cut"),
            ));
        };
        let marker = line.trim();
        if marker == END {
            return Ok(operations);
        } else if marker.is_empty() {
            continue;
        }
        let operation = |path: &str, kind| Operation {
            line: number,
            path: path.trim().to_owned(),
            kind,
        };
        operations.push(if let Some(path) = marker.strip_prefix(ADD) {
            operation(path, added(&mut lines)?)
        } else if let Some(path) = marker.strip_prefix(DELETE) {
            operation(path, OperationKind::Delete)
        } else if let Some(path) = marker.strip_prefix(UPDATE) {
            operation(path, updated(&mut lines, number)?)
        } else {
            return Err(PatchError::new(
                number,
                format!(
                    "unexpected `{line}`; expected `{ADD}PATH`, `{DELETE}PATH`, `{UPDATE}PATH` or `{END}`"
                ),
            ));
        });
    }
}

fn added(lines: &mut Lines<'_>) -> Result<OperationKind, PatchError> {
    let mut text = String::new();
    while let Some(line) = lines.take_body() {
        match line.strip_prefix('+') {
            Some(line) => {
                text.push_str(line);
                text.push('\n');
            }
            None if line.trim().is_empty() => {}
            None => {
                return Err(PatchError::new(
                    lines.number() - 1,
                    format!("unexpected `{line}`; each line of a new file begins with `+`"),
                ));
            }
        }
    }
    Ok(OperationKind::Add { text })
}

fn updated(lines: &mut Lines<'_>, header: usize) -> Result<OperationKind, PatchError> {
    let target = lines.peek().and_then(|line| line.trim().strip_prefix(MOVE));
    let move_to = target.map(|target| target.trim().to_owned());
    lines.next += usize::from(move_to.is_some());
    let mut hunks: Vec<Hunk> = Vec::new();
    loop {
        let number = lines.number();
        let Some(line) = lines.take_body() else {
            break;
        };
        if line.trim_end() == END_OF_FILE {
            if let Some(hunk) = hunks.last_mut() {
                hunk.at_end = true;
            }
        } else if let Some(header) = line.strip_prefix("@@") {
            let next = Hunk::new(number, header);
            match hunks.last_mut().filter(|last| last.lines.is_empty()) {
                // Further headers narrow the place of the same hunk.
                Some(last) => last.headers.extend(next.headers),
                None => hunks.push(next),
            }
        } else {
            if hunks.last().is_none_or(|last| last.at_end) {
                hunks.push(Hunk::new(number, ""));
            }
            let is_body = hunks.last_mut().is_some_and(|hunk| hunk.take(line));
            if !is_body {
                return Err(PatchError::new(
                    number,
                    format!(
                        "unexpected `{line}`; a line of a hunk begins with ` `, `+`, `-` or `@@`"
                    ),
                ));
            }
        }
    }
    hunks.retain(|hunk| !hunk.lines.is_empty());
    if hunks.is_empty() && move_to.is_none() {
        return Err(PatchError::new(
            header,
            "the update changes nothing: it has no hunk",
        ));
    }
    Ok(OperationKind::Update { move_to, hunks })
}

/// The lines of a patch, read one after the other.
struct Lines<'a> {
    lines: &'a [&'a str],
    next: usize,
}

impl<'a> Lines<'a> {
    /// The number of the next line, from 1.
    fn number(&self) -> usize {
        self.next + 1
    }

    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.next).copied()
    }

    fn take(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        self.next += 1;
        Some(line)
    }

    /// A line that neither begins the next operation nor ends the patch. A padded marker is a line of context, except
    /// for one at the end.
    fn take_body(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        let rest = self.lines.get(self.next + 1..).unwrap_or_default();
        let is_end = line.trim() == END && rest.iter().all(|line| line.trim().is_empty());
        let is_marker = line.starts_with("*** ") && line.trim_end() != END_OF_FILE;
        if is_end || is_marker {
            None
        } else {
            self.take()
        }
    }
}
