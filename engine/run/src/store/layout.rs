//! Where things are in a run's directory.
//!
//! `manifest.json`, `journal.jsonl`, `checkpoint.json`, `replay-base.json`, `pipeline.dot`, `files/`, `baseline.json`, `artifacts/`,
//! `checkpoints/NAME.json`, and `NODE/VISIT-ATTEMPT/` per attempt. Names that come from a pipeline are made safe here and
//! nowhere else: no node id can lead out of the directory.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::sync_directory;
use attractor_machine::event::NodeAttempt;
use attractor_machine::frame::Worktree;
use attractor_machine::frame::file_name::safe;

use crate::error::RunError;

/// How the names of drafts begin.
const DRAFT: &str = ".new-";

/// A run's directory.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    root: PathBuf,
}

impl Layout {
    /// The directory at `root`, which need not exist.
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The directory of a run that is being recorded for the first time: it gets the run's name when that is
    /// done, so that a directory with the name of a run is complete.
    pub(crate) fn draft(runs_dir: &Path, run: &str) -> Self {
        Self::new(runs_dir.join(format!("{DRAFT}{run}")))
    }

    /// Whether a directory of this name is a draft.
    pub(crate) fn is_draft(name: &str) -> bool {
        name.starts_with(DRAFT)
    }

    /// Makes the directory of an attempt, with no link in it: what is written into it would follow that.
    pub(crate) fn make_stage(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)?;
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if !kind.is_dir() && !kind.is_file() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Makes the directory, for its owner's eyes only.
    pub(crate) fn create(&self) -> Result<(), RunError> {
        create_durably(&self.root)
            .and_then(|()| keep_private(&self.root))
            .map_err(RunError::io("cannot make", &self.root))
    }

    /// Refuses a directory with links, pipes or devices in it: attractor makes none, and writing would follow them. What an
    /// attempt left is not looked at: commands may have made links there, and the next attempt has a directory of its own.
    pub(crate) fn refuse_links(&self) -> Result<(), RunError> {
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let kind = entry
                    .file_type()
                    .map_err(RunError::io("cannot read", &folder))?;
                // The files of a branch are those of the project.
                let is_branches = folder == self.root && entry.file_name() == Worktree::FOLDER;
                let is_attempts = is_attempt(&entry.file_name());
                if kind.is_dir() {
                    folders.extend((!is_branches && !is_attempts).then(|| entry.path()));
                } else if !kind.is_file() {
                    return Err(RunError::NotOwn { path: entry.path() });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.root.join("journal.jsonl")
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        self.root.join("checkpoint.json")
    }

    /// The state when the pipeline was last changed: what is replayed begins there.
    pub(crate) fn replay_base(&self) -> PathBuf {
        self.root.join("replay-base.json")
    }

    pub(crate) fn pipeline(&self) -> PathBuf {
        self.root.join("pipeline.dot")
    }

    /// The files of the project when the run started.
    pub(crate) fn baseline(&self) -> PathBuf {
        self.root.join("baseline.json")
    }

    /// The folder that holds the directories of runs.
    pub(crate) fn runs_dir(&self) -> &Path {
        self.root.parent().unwrap_or(&self.root)
    }

    pub(crate) fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    pub(crate) fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    /// The file of a named checkpoint.
    pub(crate) fn named(&self, name: &str) -> PathBuf {
        self.checkpoints().join(format!("{}.json", safe(name)))
    }

    /// The copy of a file the pipeline names.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.root.join("files").join(safe(path))
    }

    /// The folders of branches that work in folders of their own.
    pub(crate) fn worktrees(&self) -> PathBuf {
        self.root.join(Worktree::FOLDER)
    }

    /// The folder of a branch: the copy of the project, or of the repository that the project is part of.
    pub(crate) fn worktree(&self, worktree: &Worktree) -> PathBuf {
        self.root.join(worktree.path())
    }

    /// A file about the folder of a branch, next to it. No name of a branch begins with a dot.
    pub(crate) fn of_worktree(&self, worktree: &Worktree, ending: &str) -> PathBuf {
        let folder = self.worktree(worktree);
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        folder.with_file_name(format!(".{name}.{ending}"))
    }

    /// What the branches of a parallel node have in common.
    pub(crate) fn worktree_base(&self, worktree: &Worktree) -> PathBuf {
        self.worktrees()
            .join(format!(".{}.json", safe(&worktree.split)))
    }

    /// The directory of one attempt.
    pub(crate) fn stage(&self, at: &NodeAttempt) -> PathBuf {
        let mut path = self.root.clone();
        for part in [&at.graph, &at.branch].into_iter().flatten() {
            path.push(format!("+{}", safe(part)));
        }
        path.join(safe(&at.node))
            .join(format!("{}-{}", at.visit, at.attempt))
    }
}

/// Whether that is the name of the directory of an attempt: `VISIT-ATTEMPT`.
fn is_attempt(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|name| name.split_once('-'));
    name.is_some_and(|(visit, attempt)| {
        visit.parse::<u32>().is_ok() && attempt.parse::<u32>().is_ok()
    })
}

/// Makes a directory with its parents, so that all of them are found after a power failure.
fn create_durably(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|one| !one.exists()).collect();
    fs::create_dir_all(path)?;
    missing.into_iter().try_for_each(sync_directory)
}

fn keep_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}
