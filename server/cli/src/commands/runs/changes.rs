//! `attractor runs diff` and `attractor runs revert`: what a run or one of its nodes changed in the files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use attractor_run::{Change, ChangeKind, FileChanges, FileKind, changes_of_node, changes_of_run};
use clap_complete::ArgValueCandidates;
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use super::super::ListFormat;
use crate::console;
use crate::error::Error;
use crate::project::{RunFilter, find, is_run};
use crate::render::counted;
use crate::style::{BAD, FAINT, GOOD, STRONG, paint};

/// A longer search for the smallest difference is given up for a larger one.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);

/// Which run, and which node of it
#[derive(Debug, clap::Args)]
pub struct Target {
    /// A run: id, unique prefix or folder [default: the newest]
    #[arg(add = ArgValueCandidates::new(|| RunFilter::Any.complete()))]
    run: Option<String>,
    /// A node, or one of its visits: NODE@VISIT [default: the whole run, and the last visit that changed files]
    #[arg(value_name = "NODE[@VISIT]")]
    node: Option<String>,
}

/// Show what a run or a node changed in the files
#[derive(Debug, clap::Args)]
pub struct Diff {
    #[command(flatten)]
    target: Target,
    /// Show only the names of files and the numbers of lines
    #[arg(long)]
    stat: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

/// Undo what a node changed in the files; refused where a file has changed since
#[derive(Debug, clap::Args)]
pub struct Revert {
    #[command(flatten)]
    target: Target,
}

/// How a file differs, in lines.
struct FileDiff {
    added: usize,
    removed: usize,
    /// A unified diff with the names of the files.
    text: String,
}

impl Target {
    fn changes(&self) -> Result<FileChanges, Error> {
        let (directory, node) = self.place()?;
        Ok(match node {
            None => changes_of_run(&directory)?,
            Some(node) => {
                let (name, visit) = visit(node);
                changes_of_node(&directory, name, visit)?
            }
        })
    }

    /// The directory of the run, and the node. A single name that is not a run is a node of the newest one.
    fn place(&self) -> Result<(PathBuf, Option<&str>), Error> {
        match (self.run.as_deref(), self.node.as_deref()) {
            (Some(node), None) if !is_run(node)? => Ok((find(None, RunFilter::Any)?, Some(node))),
            (run, node) => Ok((find(run, RunFilter::Any)?, node)),
        }
    }
}

/// A node and its visit: `NODE@VISIT`.
pub fn visit(node: &str) -> (&str, Option<u32>) {
    match node.rsplit_once('@') {
        Some((name, visit)) => match visit.parse() {
            Ok(visit) => (name, Some(visit)),
            Err(_) => (node, None),
        },
        None => (node, None),
    }
}

impl Diff {
    pub(super) fn run(&self) -> Result<(), Error> {
        let changes = self.target.changes()?;
        let mut files = Vec::new();
        for change in &changes.changes {
            files.push((change, difference(&changes, change)?));
        }
        if self.format == ListFormat::Json {
            let files = files
                .iter()
                .map(|(change, diff)| value(change, diff.as_ref()));
            let files: Vec<Value> = files.collect();
            return console::json(&json!({"files": files}));
        }
        if self.stat {
            return stat(&files);
        }
        for (change, diff) in files {
            let text = diff.map_or_else(|| without_text(change), |diff| diff.text);
            console::print(&coloured(&text))?;
        }
        Ok(())
    }
}

impl Revert {
    pub(super) fn run(&self) -> Result<(), Error> {
        let reverted = self.target.changes()?.revert()?;
        let each = [
            ("restored", &reverted.restored),
            ("removed", &reverted.removed),
        ];
        for (what, paths) in each {
            for path in paths {
                console::line(&format!("{what} {}", shown(path)))?;
            }
        }
        let done = reverted.restored.len() + reverted.removed.len();
        match done {
            0 => console::line("nothing to revert: the files are as they were before"),
            done => console::line(&format!("{} reverted", counted(done, "file"))),
        }
    }
}

/// None where a content is not stored or not text.
fn difference(changes: &FileChanges, change: &Change) -> Result<Option<FileDiff>, Error> {
    let [before, after] = changes.contents(change)?;
    let text = |entry: bool, content: Option<Vec<u8>>| {
        let Some(content) = content else {
            return (!entry).then(String::new);
        };
        String::from_utf8(content)
            .ok()
            .filter(|text| !text.contains('\0'))
    };
    let (Some(before), Some(after)) = (
        text(change.before.is_some(), before),
        text(change.after.is_some(), after),
    ) else {
        return Ok(None);
    };
    let diff = TextDiff::configure()
        .timeout(LONGEST_SEARCH)
        .diff_lines(&before, &after);
    let count = |wanted| {
        let lines = diff.iter_all_changes();
        lines.filter(|line| line.tag() == wanted).count()
    };
    let mut text = heading(change);
    let (old, new) = names(change);
    if before != after {
        text += &diff.unified_diff().header(&old, &new).to_string();
    }
    Ok(Some(FileDiff {
        added: count(ChangeTag::Insert),
        removed: count(ChangeTag::Delete),
        text,
    }))
}

fn names(change: &Change) -> (String, String) {
    let path = shown(&change.path);
    let name = |side: &str, exists: bool| {
        if exists {
            format!("{side}/{path}")
        } else {
            "/dev/null".to_owned()
        }
    };
    (
        name("a", change.before.is_some()),
        name("b", change.after.is_some()),
    )
}

/// The lines above a diff, as `git apply` reads them.
fn heading(change: &Change) -> String {
    let path = shown(&change.path);
    let mode = |kind: FileKind| match kind {
        FileKind::File => "100644",
        FileKind::Executable => "100755",
        FileKind::Link => "120000",
    };
    let mut text = format!("diff --git a/{path} b/{path}\n");
    // Writing to a string cannot fail.
    let _ = match (&change.before, &change.after) {
        (None, Some(after)) => writeln!(text, "new file mode {}", mode(after.kind)),
        (Some(before), None) => writeln!(text, "deleted file mode {}", mode(before.kind)),
        (Some(before), Some(after)) if before.kind != after.kind => writeln!(
            text,
            "old mode {}\nnew mode {}",
            mode(before.kind),
            mode(after.kind)
        ),
        _ => Ok(()),
    };
    text
}

fn without_text(change: &Change) -> String {
    let (old, new) = names(change);
    format!(
        "{}Files {old} and {new} differ (not text, or not stored)\n",
        heading(change)
    )
}

fn coloured(diff: &str) -> String {
    let lines = diff.split_inclusive('\n').map(|line| {
        let (text, end) = match line.strip_suffix('\n') {
            Some(text) => (text, "\n"),
            None => (line, ""),
        };
        let text = console::plain(text);
        let text = match text.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'd', ..] => paint(STRONG, text),
            [b'+', ..] => paint(GOOD, text),
            [b'-', ..] => paint(BAD, text),
            [b'@', ..] => paint(FAINT, text),
            _ => text.into_owned(),
        };
        format!("{text}{end}")
    });
    lines.collect()
}

fn stat(files: &[(&Change, Option<FileDiff>)]) -> Result<(), Error> {
    let (mut added, mut removed) = (0, 0);
    for (change, diff) in files {
        let numbers = match diff {
            Some(diff) => {
                added += diff.added;
                removed += diff.removed;
                format!("+{} -{}", diff.added, diff.removed)
            }
            None => "not text, or not stored".to_owned(),
        };
        let letter = match change.kind() {
            ChangeKind::Added => "A",
            ChangeKind::Modified => "M",
            ChangeKind::Deleted => "D",
        };
        let path = shown(&change.path);
        console::line(&format!("{letter} {} {numbers}", console::plain(&path)))?;
    }
    let total = counted(files.len(), "file");
    console::line(&format!("{total} changed, +{added} -{removed}"))
}

fn value(change: &Change, diff: Option<&FileDiff>) -> Value {
    json!({
        "path": shown(&change.path),
        "change": change.kind(),
        "added": diff.map(|diff| diff.added),
        "removed": diff.map(|diff| diff.removed),
        "diff": diff.map(|diff| &*diff.text),
    })
}

/// A path of the project, with `/` on every system.
fn shown(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}
