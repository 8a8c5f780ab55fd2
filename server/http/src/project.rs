//! The project of the server: the folder whose pipelines clients list and name by their paths.
//!
//! No path leads out of it, neither by `..` nor by a link. Runs and submitted texts are stored in it, but they are not
//! its files.

use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use std::sync::Arc;

use attractor_exec::is_beneath;
use attractor_model::Files as _;
use attractor_run::{ProjectFiles, files_below, is_dot_file};

use crate::error::ApiError;
use crate::runs::blocking;

/// The folder whose pipelines clients list and name.
#[derive(Clone)]
pub(crate) struct Project {
    root: PathBuf,
    files: ProjectFiles,
    /// Folders of the server in it.
    excluded: [PathBuf; 2],
}

/// The project of a client that may name its files.
pub(crate) fn may_name_files(project: Option<&Project>) -> Result<&Project, ApiError> {
    project.ok_or_else(|| {
        ApiError::invalid("files of the project cannot be named here; send the text in `dot`")
    })
}

impl Project {
    /// The project in `root`, without the folders of runs and of submitted texts.
    pub(crate) fn new(root: PathBuf, runs: &Path, submissions: &Path) -> Self {
        Self {
            files: ProjectFiles::new(&root, &root),
            root,
            excluded: [runs.to_owned(), submissions.to_owned()],
        }
    }

    /// Its folder, in which its pipelines work.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The file that a client names.
    pub(crate) async fn find(&self, path: String) -> Result<PathBuf, ApiError> {
        let project = self.clone();
        blocking(move || {
            let file = project.file(&path);
            file.ok_or_else(|| ApiError::not_found("file of the project", &path))
        })
        .await
    }

    fn file(&self, path: &str) -> Option<PathBuf> {
        let path = path.trim();
        let file = self.files.resolve(path);
        let is_named = file.is_file() && !self.files.is_outside(path) && !self.is_excluded(&file);
        is_named.then_some(file)
    }

    fn is_excluded(&self, file: &Path) -> bool {
        let mut excluded = self.excluded.iter();
        excluded.any(|folder| is_beneath(folder, file))
    }

    /// The paths and texts of its DOT files, sorted by path. Reads each file when it is asked for; those that are too
    /// large or not text are left out.
    pub(crate) fn dot_files(&self) -> impl Iterator<Item = (String, Arc<str>)> {
        let files = files_below(&self.root, is_dot_file).filter(|file| !self.is_excluded(file));
        files.filter_map(|file| {
            let path = file.strip_prefix(&self.root).ok()?.to_str()?;
            let text = self.files.read(path)?;
            Some((path.replace(MAIN_SEPARATOR_STR, "/"), text.into()))
        })
    }
}
