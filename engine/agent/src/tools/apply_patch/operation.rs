//! What a patch says, whichever form it has.

use std::path::PathBuf;

/// One operation on a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Operation {
    /// The line of the patch where it begins, from 1.
    pub(super) line: usize,
    /// The file, as the patch names it.
    pub(super) path: String,
    pub(super) kind: OperationKind,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum OperationKind {
    Add {
        text: String,
    },
    Delete,
    Update {
        move_to: Option<String>,
        hunks: Vec<Hunk>,
    },
}

/// A place in a file, and what changes there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Hunk {
    /// The line of the patch where it begins, from 1.
    pub(super) line: usize,
    /// Lines of the file above it, in order: the texts after `@@`.
    pub(super) headers: Vec<String>,
    /// The line of the file where it should be, from 1; only unified diffs say it. Without old lines, the line after
    /// which it is inserted.
    pub(super) expected: Option<usize>,
    pub(super) lines: Vec<HunkLine>,
    /// It is at the end of the file.
    pub(super) at_end: bool,
    /// The last added line has no line end.
    pub(super) no_newline: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HunkLine {
    Context(String),
    Removed(String),
    Added(String),
}

/// A line of a patch that is wrong, or does not fit its file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub(super) struct PatchError {
    /// The line of the patch, from 1.
    line: usize,
    message: String,
}

impl PatchError {
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Self {
            line,
            message: message.into(),
        }
    }
}

impl Operation {
    /// The file that is there afterwards, or was there before.
    pub(super) fn target(&self) -> &str {
        match &self.kind {
            OperationKind::Update {
                move_to: Some(target),
                ..
            } => target,
            _ => &self.path,
        }
    }

    /// The files it changes.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let mut paths = vec![PathBuf::from(&self.path)];
        if self.target() != self.path {
            paths.push(PathBuf::from(self.target()));
        }
        paths
    }

    /// For messages: `update a.txt`.
    pub(super) fn shown(&self) -> String {
        match &self.kind {
            OperationKind::Add { .. } => format!("add {}", self.path),
            OperationKind::Delete => format!("delete {}", self.path),
            OperationKind::Update { .. } if self.target() != self.path => {
                format!("move {} to {}", self.path, self.target())
            }
            OperationKind::Update { .. } => format!("update {}", self.path),
        }
    }
}

impl Hunk {
    /// A hunk that begins at this line of the patch, with the text after `@@`.
    pub(super) fn new(line: usize, header: &str) -> Self {
        let header = header.trim_end();
        let mut hunk = Self {
            line,
            ..Self::default()
        };
        match position(header) {
            Some(expected) => hunk.expected = Some(expected),
            None if header.trim().is_empty() => {}
            None => hunk
                .headers
                .push(header.strip_prefix(' ').unwrap_or(header).to_owned()),
        }
        hunk
    }

    /// Takes a line of its body; says whether it is one.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let part = if let Some(text) = line.strip_prefix('+') {
            HunkLine::Added(text.to_owned())
        } else if let Some(text) = line.strip_prefix('-') {
            HunkLine::Removed(text.to_owned())
        } else if let Some(text) = line.strip_prefix(' ') {
            HunkLine::Context(text.to_owned())
        } else if line.is_empty() {
            // Editors and models drop the space of an empty context line.
            HunkLine::Context(String::new())
        } else {
            return false;
        };
        self.lines.push(part);
        true
    }

    /// The lines that must be in the file.
    pub(super) fn old_lines(&self) -> Vec<&str> {
        self.lines
            .iter()
            .filter_map(|line| match line {
                HunkLine::Context(text) | HunkLine::Removed(text) => Some(text.as_str()),
                HunkLine::Added(_) => None,
            })
            .collect()
    }
}

/// The line of the old file in ` -12,3 +14,4 @@`.
fn position(header: &str) -> Option<usize> {
    let (ranges, _) = header.strip_prefix(" -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let number = |range: &str| {
        let (line, count) = range.split_once(',').unwrap_or((range, "1"));
        count.parse::<usize>().ok()?;
        line.parse::<usize>().ok()
    };
    number(new)?;
    number(old)
}
