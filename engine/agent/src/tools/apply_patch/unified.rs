//! Unified diffs, as `diff -u` and git write them. The line counts of hunks need not be right: models count badly.

use super::operation::{Hunk, HunkLine, Operation, OperationKind, PatchError};

const NOWHERE: &str = "/dev/null";

/// Whether the first line of a patch is one of a unified diff.
pub(super) fn is_start(line: &str) -> bool {
    ["diff --git ", "--- ", "+++ ", "Index: "]
        .iter()
        .any(|start| line.starts_with(start))
}

/// What is known of the file of the current part.
#[derive(Default)]
struct Part {
    line: usize,
    old: Option<String>,
    new: Option<String>,
    /// `new file mode` or `--- /dev/null`.
    is_new: bool,
    /// `deleted file mode` or `+++ /dev/null`.
    is_deleted: bool,
    hunks: Vec<Hunk>,
}

/// Reads the lines of a diff.
pub(super) fn parse(lines: &[&str]) -> Result<Vec<Operation>, PatchError> {
    let mut operations = Vec::new();
    let mut part: Option<Part> = None;
    for (at, line) in lines.iter().enumerate() {
        let number = at + 1;
        let begins_part = line.starts_with("diff --git ")
            || (is_file_header(lines, at)
                && part.as_ref().is_none_or(|part| !part.hunks.is_empty()));
        if begins_part {
            operations.extend(part.take().map(Part::operation).transpose()?);
            part = Some(Part {
                line: number,
                ..Part::default()
            });
        }
        let Some(part) = &mut part else { continue };
        part.take(line, number, is_file_header(lines, at))?;
    }
    operations.extend(part.map(Part::operation).transpose()?);
    Ok(operations)
}

/// Whether `--- a/x` is followed by `+++ b/x`. Alone it may be a removed line that begins with `-- `.
fn is_file_header(lines: &[&str], at: usize) -> bool {
    let starts = |at: usize, start| lines.get(at).is_some_and(|line| line.starts_with(start));
    let ends = |at: usize| {
        lines.get(at).is_none_or(|line| {
            line.trim().is_empty()
                || ["@@", "diff --git "]
                    .iter()
                    .any(|start| line.starts_with(start))
        })
    };
    starts(at, "--- ") && starts(at + 1, "+++ ") && ends(at + 2)
}

impl Part {
    fn take(&mut self, line: &str, number: usize, is_file_header: bool) -> Result<(), PatchError> {
        if let Some(hunk) = line.strip_prefix("@@") {
            self.hunks.push(Hunk::new(number, hunk));
            return Ok(());
        }
        if let Some(hunk) = self.hunks.last_mut() {
            return take_body(hunk, line, number);
        }
        if let Some(names) = line.strip_prefix("diff --git ") {
            if let Some((old, new)) = names.split_once(" b/") {
                self.old = Some(name(old, number)?);
                self.new = Some(name(new, number)?);
            }
        } else if let Some(path) = line.strip_prefix("--- ").filter(|_| is_file_header) {
            self.is_new |= is_nowhere(path);
            if !is_nowhere(path) {
                self.old = Some(name(path, number)?);
            }
        } else if let Some(path) = line.strip_prefix("+++ ") {
            self.is_deleted |= is_nowhere(path);
            if !is_nowhere(path) {
                self.new = Some(name(path, number)?);
            }
        } else if let Some(path) = line.strip_prefix("rename from ") {
            self.old = Some(name(path, number)?);
        } else if let Some(path) = line.strip_prefix("rename to ") {
            self.new = Some(name(path, number)?);
        } else if line.starts_with("new file mode ") {
            self.is_new = true;
        } else if line.starts_with("deleted file mode ") {
            self.is_deleted = true;
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(PatchError::new(
                number,
                "binary patches are not supported; use the shell",
            ));
        }
        // Other headers, as `index` and `similarity`, say nothing that is needed.
        Ok(())
    }

    fn operation(self) -> Result<Operation, PatchError> {
        let missing = || PatchError::new(self.line, "the path of the file is missing");
        let (path, kind) = if self.is_new {
            let text = new_text(&self.hunks)?;
            (self.new.ok_or_else(missing)?, OperationKind::Add { text })
        } else if self.is_deleted {
            (self.old.ok_or_else(missing)?, OperationKind::Delete)
        } else {
            let old = self.old.or_else(|| self.new.clone()).ok_or_else(missing)?;
            let move_to = self.new.filter(|new| *new != old);
            if self.hunks.is_empty() && move_to.is_none() {
                return Err(PatchError::new(
                    self.line,
                    "the update changes nothing: it has no hunk",
                ));
            }
            let hunks = self.hunks;
            (old, OperationKind::Update { move_to, hunks })
        };
        Ok(Operation {
            line: self.line,
            path,
            kind,
        })
    }
}

fn take_body(hunk: &mut Hunk, line: &str, number: usize) -> Result<(), PatchError> {
    if line.starts_with("\\ No newline") {
        hunk.no_newline = matches!(hunk.lines.last(), Some(HunkLine::Added(_)));
        return Ok(());
    }
    if hunk.take(line) {
        return Ok(());
    }
    Err(PatchError::new(
        number,
        format!("unexpected `{line}`; a line of a hunk begins with ` `, `+` or `-`"),
    ))
}

fn is_nowhere(path: &str) -> bool {
    path.split('\t').next().map(str::trim) == Some(NOWHERE)
}

/// The path of a header: without `a/` or `b/`, and without the time that `diff` writes after a tab.
fn name(path: &str, number: usize) -> Result<String, PatchError> {
    let path = path.split('\t').next().unwrap_or(path).trim();
    let quoted = path
        .strip_prefix('"')
        .and_then(|path| path.strip_suffix('"'));
    if quoted.is_some_and(|path| path.contains('\\')) {
        return Err(PatchError::new(
            number,
            "write the path as it is, without escapes",
        ));
    }
    let path = quoted.unwrap_or(path);
    let bare = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"));
    Ok(bare.unwrap_or(path).to_owned())
}

fn new_text(hunks: &[Hunk]) -> Result<String, PatchError> {
    let mut text = String::new();
    for hunk in hunks {
        for line in &hunk.lines {
            match line {
                HunkLine::Added(line) => {
                    text.push_str(line);
                    text.push('\n');
                }
                // The end of the patch as a text.
                HunkLine::Context(line) if line.is_empty() => {}
                HunkLine::Context(_) | HunkLine::Removed(_) => {
                    return Err(PatchError::new(
                        hunk.line,
                        "a new file has only added lines",
                    ));
                }
            }
        }
        if hunk.no_newline {
            text.pop();
        }
    }
    Ok(text)
}
