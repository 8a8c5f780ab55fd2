//! Applies hunks to a file. Context lines stay as they are in the file, also where the patch writes them a little
//! differently; added lines get the line ends of the file.

use std::borrow::Cow;

use super::matching::{Order, find};
use super::operation::{Hunk, HunkLine, PatchError};
use crate::text::{TextFormat, nearest};

/// The content of the file with all hunks applied.
///
/// # Errors
/// A hunk does not fit; none is applied then.
pub(super) fn apply(content: &[u8], hunks: &[Hunk]) -> Result<Vec<u8>, PatchError> {
    let text = TextFormat::without_mark(content);
    let mark = content
        .get(..content.len() - text.len())
        .unwrap_or_default();
    let file = SourceFile::new(text);
    let newline: &[u8] = if TextFormat::of(content).crlf {
        b"\r\n"
    } else {
        b"\n"
    };
    let mut output = mark.to_vec();
    let mut next = 0;
    for hunk in hunks {
        let place = file.place(hunk, next)?;
        file.copy(next..place.at, &mut output);
        next = place.at;
        for line in place.lines {
            match line {
                HunkLine::Context(_) => {
                    file.copy(next..next + 1, &mut output);
                    next += 1;
                }
                HunkLine::Removed(_) => next += 1,
                HunkLine::Added(line) => {
                    end_line(&mut output, mark, newline);
                    output.extend_from_slice(line.as_bytes());
                    output.extend_from_slice(newline);
                }
            }
        }
        if hunk.no_newline && next >= file.raw.len() && output.ends_with(newline) {
            output.truncate(output.len() - newline.len());
        }
    }
    file.copy(next..file.raw.len(), &mut output);
    Ok(output)
}

/// Ends the last line if the file did not.
fn end_line(output: &mut Vec<u8>, mark: &[u8], newline: &[u8]) {
    if output.len() > mark.len() && !output.ends_with(b"\n") {
        output.extend_from_slice(newline);
    }
}

/// The lines of a file.
struct SourceFile<'f> {
    /// With their line ends.
    raw: Vec<&'f [u8]>,
    /// Without.
    lines: Vec<Cow<'f, str>>,
}

/// Where a hunk is.
struct HunkPlace<'h> {
    at: usize,
    /// The lines of the hunk that are used.
    lines: &'h [HunkLine],
}

impl<'f> SourceFile<'f> {
    fn new(text: &'f [u8]) -> Self {
        let raw: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let line = |raw: &&'f [u8]| {
            let line = raw.strip_suffix(b"\n").unwrap_or(raw);
            String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line))
        };
        let lines = raw.iter().map(line).collect();
        Self { raw, lines }
    }

    fn copy(&self, range: std::ops::Range<usize>, output: &mut Vec<u8>) {
        for line in self.raw.get(range).unwrap_or_default() {
            output.extend_from_slice(line);
        }
    }

    /// Finds a hunk, not before the line `next`.
    fn place<'h>(&self, hunk: &'h Hunk, next: usize) -> Result<HunkPlace<'h>, PatchError> {
        let from = self.below_headers(hunk, next)?;
        let old = hunk.old_lines();
        if old.is_empty() {
            let at = match hunk.expected {
                Some(line) => line.clamp(next, self.raw.len().max(next)),
                None if hunk.headers.is_empty() || hunk.at_end => self.raw.len(),
                None => from,
            };
            return Ok(HunkPlace {
                at,
                lines: &hunk.lines,
            });
        }
        let order = match hunk.expected {
            _ if hunk.at_end => Order::Last,
            Some(line) => Order::Nearest(line.saturating_sub(1)),
            None => Order::First,
        };
        // The last header may be repeated as the first line of context.
        let again = (from > next && !hunk.headers.is_empty()).then(|| from - 1);
        let search = |old: &[&str]| {
            let below = find(&self.lines, old, from, order);
            below.or_else(|| find(&self.lines, old, again?, order))
        };
        if let Some(at) = search(&old) {
            return Ok(HunkPlace {
                at,
                lines: &hunk.lines,
            });
        }
        // The line end of the last line is sometimes written as an empty line of context.
        if let Some((HunkLine::Context(last), lines)) = hunk.lines.split_last()
            && last.is_empty()
            && old.len() > 1
            && let Some(at) = search(old.get(..old.len() - 1).unwrap_or_default())
        {
            return Ok(HunkPlace { at, lines });
        }
        Err(self.not_found(hunk, &old, next))
    }

    /// The line after the last header of a hunk.
    fn below_headers(&self, hunk: &Hunk, next: usize) -> Result<usize, PatchError> {
        let mut from = next;
        for header in &hunk.headers {
            let whole = find(&self.lines, &[header], from, Order::First);
            let part = || {
                let mut lines = self.lines.iter().skip(from);
                let at = lines.position(|line| line.contains(header.trim()))?;
                Some(from + at)
            };
            let at = whole.or_else(part).ok_or_else(|| {
                let message = format!("`@@ {header}` was not found{}", self.hint(&[header], next));
                PatchError::new(hunk.line, message)
            })?;
            from = at + 1;
        }
        Ok(from)
    }

    fn not_found(&self, hunk: &Hunk, old: &[&str], next: usize) -> PatchError {
        let hint = match find(&self.lines, old, 0, Order::Last).filter(|at| *at < next) {
            Some(at) => format!(
                " below line {next} of the file, where the hunk before it ends; it is at line {}: put the hunks in the \
                 order of the file",
                at + 1
            ),
            None => self.hint(old, next),
        };
        let first = old.iter().find(|line| !line.trim().is_empty());
        let first = first.map_or("", |line| line.trim());
        PatchError::new(
            hunk.line,
            format!(
                "the lines of the hunk that begin with `{first}` were not found in the file{hint}"
            ),
        )
    }

    fn hint(&self, wanted: &[&str], next: usize) -> String {
        let lines: Vec<&str> = self.lines.iter().map(AsRef::as_ref).collect();
        match nearest(&lines, wanted) {
            Some(place) if place.line <= next => format!("; {place}\n(before the hunk above it)"),
            Some(place) => format!("; {place}"),
            None => "; nothing in the file is like it: read the file again".to_owned(),
        }
    }
}
