//! Folders of branches that work in copies of the project (`isolation=worktree`): made when a branch first does
//! something, merged where the branches meet, removed when nobody needs them.
//!
//! A folder is in the directory of the run, beneath the project: what is not copied, because it is ignored, is found
//! where tools look up the tree for it (`node_modules`). `docs/adr/0011` says why.

mod git;
mod merging;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use attractor_exec::git::{GitError, Repository};
use attractor_exec::{ExecutionEnvironment, Redactor, is_beneath};
use attractor_machine::frame::Worktree;

use crate::error::RunError;
use crate::file_changes::{Folders, Recorder};
use crate::store::Layout;
use crate::store::worktree_record::{Base, WorktreeRecord};
pub(crate) use crate::store::worktree_record::{copy_records, snapshots_of_worktrees};

/// Makes every file beneath visible to tools that read `.gitignore` files of outer folders: that of the runs hides all.
const NOT_IGNORED: &str = "!*\n";

/// The folders of the branches of a run.
pub(crate) struct Worktrees {
    layout: Layout,
    /// The project.
    root: PathBuf,
    /// Where the run works.
    workdir: PathBuf,
    /// The repository that the project is in, as it was when the run began.
    repository: Option<Repository>,
    redactor: Arc<Redactor>,
    execution: Arc<dyn ExecutionEnvironment>,
    /// One branch of a split at a time makes its folder.
    opening: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

/// Where a frame works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The project, or the copy of it.
    pub(crate) root: PathBuf,
    /// Where paths begin.
    pub(crate) workdir: PathBuf,
}

impl Place {
    /// The folders that a comparison of files is about.
    pub(crate) fn folders(&self) -> Folders<'_> {
        Folders {
            root: &self.root,
            workdir: &self.workdir,
        }
    }

    /// Whether a node may work in a folder.
    pub(crate) fn allows(&self, directory: &Path) -> bool {
        directory == self.workdir || is_beneath(&self.root, directory)
    }
}

impl Worktrees {
    pub(crate) fn new(
        directory: &Path,
        place: Place,
        repository: Option<Repository>,
        redactor: Arc<Redactor>,
        execution: Arc<dyn ExecutionEnvironment>,
    ) -> Self {
        Self {
            layout: Layout::new(directory.to_owned()),
            root: place.root,
            workdir: place.workdir,
            repository,
            redactor,
            execution,
            opening: Mutex::default(),
        }
    }

    /// Where a frame works that has this folder; none is the project itself.
    pub(crate) fn place(&self, worktree: Option<&Worktree>) -> Place {
        let Some(worktree) = worktree else {
            return Place {
                root: self.root.clone(),
                workdir: self.workdir.clone(),
            };
        };
        let root = self.layout.worktree(worktree).join(git::prefix(&self.root));
        let below = self.workdir.strip_prefix(&self.root);
        Place {
            workdir: root.join(below.unwrap_or(Path::new(""))),
            root,
        }
    }

    /// Takes the snapshots of a folder.
    pub(crate) fn recorder(&self, worktree: Option<&Worktree>) -> Recorder {
        let recorder = Recorder::new(
            &self.place(worktree).root,
            self.layout.runs_dir(),
            Arc::clone(&self.redactor),
        );
        match worktree {
            Some(worktree) => {
                let cache = self.layout.of_worktree(worktree, "cache");
                recorder.of_worktree(worktree.clone(), cache)
            }
            None => recorder,
        }
    }

    /// Whether the folder of a branch is there.
    pub(crate) fn is_open(&self, worktree: &Worktree) -> bool {
        WorktreeRecord::load(&self.layout, worktree).is_some()
            && self.place(Some(worktree)).root.is_dir()
    }

    /// Makes the folder of a branch, with the files that `outer` had when the first branch of the split began. One that
    /// is there is used.
    pub(crate) async fn open(
        self: &Arc<Self>,
        worktree: &Worktree,
        outer: Option<&Worktree>,
    ) -> Result<(), String> {
        let lock = {
            let mut opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(opening.entry(worktree.split.clone()).or_default())
        };
        let _one_at_a_time = lock.lock().await;
        if self.is_open(worktree) {
            return Ok(());
        }
        let (this, own, from) = (Arc::clone(self), worktree.clone(), outer.cloned());
        let base = blocking(move || this.prepare(&own, from.as_ref())).await?;
        let outer_root = self.place(outer).root;
        let folder = self.layout.worktree(worktree);
        let repository = self.add_worktree(&outer_root, &folder).await;
        let is_worktree =
            repository.map_err(|error| format!("the branch cannot use Git: {error}"))?;
        let (this, own, from) = (Arc::clone(self), worktree.clone(), outer_root.clone());
        blocking(move || this.copy_files(&own, &base, &from)).await?;
        let copy = self.place(Some(worktree)).root;
        if is_worktree {
            git::copy_tracked(&outer_root, &copy, self.execution.as_ref()).await?;
        }
        let (this, own) = (Arc::clone(self), worktree.clone());
        blocking(move || this.complete(&own)).await
    }

    /// Makes the folder of a branch a worktree, if the project is in a repository. Else it is an ordinary folder.
    async fn add_worktree(&self, outer_root: &Path, folder: &Path) -> Result<bool, GitError> {
        let Some(recorded) = &self.repository else {
            return Ok(false);
        };
        let Some(repository) = git::repository_of(outer_root, recorded)? else {
            return Ok(false);
        };
        git::add(&repository, outer_root, folder, self.execution.as_ref()).await?;
        Ok(true)
    }

    /// Prepares for the folder of a branch, and gives the files it gets.
    fn prepare(&self, worktree: &Worktree, outer: Option<&Worktree>) -> Result<Base, String> {
        let all = self.layout.worktrees();
        let ignore = all.join(".gitignore");
        let split = self.layout.worktree(worktree);
        let split = split.parent().unwrap_or(&all);
        fs::create_dir_all(split).map_err(|error| cannot("make", split, &error))?;
        // A process that was killed may have left it empty.
        if fs::read(&ignore).ok().as_deref() != Some(NOT_IGNORED.as_bytes()) {
            fs::write(&ignore, NOT_IGNORED).map_err(|error| cannot("write", &ignore, &error))?;
        }
        // What a process left that was killed while it made the folder.
        self.remove(worktree).map_err(|error| error.to_string())?;
        let path = self.layout.worktree_base(worktree);
        if let Some(base) = Base::load(&path) {
            return Ok(base);
        }
        let recorder = self.recorder(outer);
        let snapshot = recorder.take();
        let snapshot = snapshot.ok_or("the files of the project cannot be recorded")?;
        let is_complete = recorder.store().is_complete(&snapshot.id);
        if !is_complete.map_err(|error| error.to_string())? {
            return Err(
                "the project has more files than are recorded; ignore those that a branch does not need (`.gitignore`)"
                    .to_owned(),
            );
        }
        let base = Base {
            snapshot: snapshot.id.clone(),
        };
        base.save(&path)?;
        Ok(base)
    }

    fn copy_files(
        &self,
        worktree: &Worktree,
        base: &Base,
        outer_root: &Path,
    ) -> Result<(), String> {
        let place = self.place(Some(worktree));
        fs::create_dir_all(&place.workdir)
            .map_err(|error| cannot("make", &place.workdir, &error))?;
        let recorder = self.recorder(Some(worktree));
        let checked_out = recorder
            .store()
            .check_out(&base.snapshot, outer_root, &place.root);
        checked_out.map_err(|error| error.to_string())
    }

    /// Notes that the folder of a branch is complete, and what is in it.
    fn complete(&self, worktree: &Worktree) -> Result<(), String> {
        let before = self.recorder(Some(worktree)).take();
        let before = before.ok_or("the files of the branch cannot be recorded")?;
        let record = WorktreeRecord {
            before: before.id.clone(),
            after: None,
        };
        record.save(&self.layout, worktree)
    }

    /// Removes the folder of a branch. What is known about it stays.
    pub(crate) fn remove(&self, worktree: &Worktree) -> Result<(), RunError> {
        remove_folder(&self.layout.worktree(worktree))
    }
}

/// Removes the folders of the branches of a run that is removed, so that no repository knows them any more.
pub(crate) fn remove_all(directory: &Path) -> Result<(), RunError> {
    let folders = |path: &Path| {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let all = Layout::new(directory.to_owned()).worktrees();
    for worktree in folders(&all).iter().flat_map(|split| folders(split)) {
        remove_folder(&worktree)?;
    }
    Ok(())
}

fn remove_folder(folder: &Path) -> Result<(), RunError> {
    git::forget(folder);
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(RunError::io("cannot remove", folder)(error))
        }
        _ => Ok(()),
    }
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

/// Runs something that waits for the disk off the threads of tasks.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(error.to_string()))
}
