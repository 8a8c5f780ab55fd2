//! `attractor runs diff` and `attractor runs revert`: what a run or one of its nodes changed in the files.

use std::path::{Path, PathBuf};

use attractor_run::{
    ChangeKind, FileChanges, FileDiff, changes_of_node, changes_of_run, snapshot_of,
};
use clap_complete::ArgValueCandidates;
use serde_json::json;

use super::super::ListFormat;
use crate::console;
use crate::error::Error;
use crate::project::{RunFilter, find, is_run};
use crate::render::counted;
use crate::style::{BAD, FAINT, GOOD, STRONG, paint};

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

impl Target {
    fn changes(&self) -> Result<FileChanges, Error> {
        let (directory, node) = self.place()?;
        Ok(match node {
            None => changes_of_run(&directory)?,
            Some(node) => {
                let (name, visit) = visit(node);
                check_reached(&directory, name)?;
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

/// Refuses a node that the run has not reached; one of a sub-pipeline, `GRAPH/NODE`, is looked for later.
fn check_reached(directory: &Path, name: &str) -> Result<(), Error> {
    let snapshot = snapshot_of(directory)?;
    if name.contains('/') || snapshot.nodes.contains_key(name) {
        return Ok(());
    }
    let reached = snapshot.nodes.keys().map(String::as_str);
    Err(Error::NodeNotReached {
        run: snapshot.run.clone(),
        node: name.to_owned(),
        near: attractor_model::catalogue::nearest(name, reached).map(str::to_owned),
    })
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
        let files = changes.diffs()?;
        if !changes.complete {
            console::remark(
                "the project has more files than are recorded; what happened to the others is not shown",
            );
        }
        if self.format == ListFormat::Json {
            return console::json(&json!({"files": files}));
        }
        if self.stat {
            return stat(&files);
        }
        for file in &files {
            console::print(&coloured(file.text()))?;
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
                console::line(&format!(
                    "{what} {}",
                    console::plain(&path.to_string_lossy())
                ))?;
            }
        }
        let done = reverted.restored.len() + reverted.removed.len();
        match done {
            0 => console::line("nothing to revert: the files are as they were before"),
            done => console::line(&format!("{} reverted", counted(done, "file"))),
        }
    }
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

fn stat(files: &[FileDiff]) -> Result<(), Error> {
    let (mut added, mut removed) = (0, 0);
    for file in files {
        let numbers = match (file.added, file.removed) {
            (Some(more), Some(less)) => {
                added += more;
                removed += less;
                format!("+{more} -{less}")
            }
            _ => "not text, or not stored".to_owned(),
        };
        let letter = match file.change {
            ChangeKind::Added => "A",
            ChangeKind::Modified => "M",
            ChangeKind::Deleted => "D",
        };
        console::line(&format!(
            "{letter} {} {numbers}",
            console::plain(&file.path)
        ))?;
    }
    let total = counted(files.len(), "file");
    console::line(&format!("{total} changed, +{added} -{removed}"))
}
