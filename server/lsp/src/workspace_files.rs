//! The files a document refers to: prompts, stylesheets, sub-pipelines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_ide::model::{Files, NoFiles, Options};
use attractor_run::ProjectFiles;
use lsp_types::Uri;

use crate::documents::Documents;
use crate::paths::path_of;
use attractor_proto::sync::lock;

/// The files a document may refer to, by paths relative to it. The text of an open document takes precedence over the
/// file on the disk.
#[derive(Debug)]
pub(crate) struct WorkspaceFiles {
    files: ProjectFiles,
    documents: Arc<Documents>,
    /// Every path that was looked up, whether the file exists or not.
    dependencies: Mutex<BTreeSet<PathBuf>>,
}

impl WorkspaceFiles {
    /// The files `uri` may refer to, below the root in its options; none for documents without a path.
    pub(crate) fn of(uri: &Uri, options: &Options, documents: &Arc<Documents>) -> Box<dyn Files> {
        match Self::new(uri, options, documents) {
            Some(files) => Box::new(files),
            None => Box::new(NoFiles),
        }
    }

    /// The files `uri` may refer to, if it has a path.
    pub(crate) fn new(uri: &Uri, options: &Options, documents: &Arc<Documents>) -> Option<Self> {
        let path = path_of(uri)?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        let root = options.root.as_deref().map_or(folder, Path::new);
        Some(Self {
            files: ProjectFiles::new(folder, root),
            documents: Arc::clone(documents),
            dependencies: Mutex::default(),
        })
    }

    /// Every path that was looked up so far.
    pub(crate) fn into_dependencies(self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut lock(&self.dependencies))
    }

    /// The text the editor has open at a path of the project.
    fn open_text(&self, path: &str) -> Option<String> {
        let resolved = self.files.resolve(path);
        lock(&self.dependencies).insert(resolved.clone());
        let text = self.documents.text_at(&resolved)?;
        (!self.files.is_outside(path)).then_some(text)
    }
}

impl Files for WorkspaceFiles {
    fn read(&self, path: &str) -> Option<String> {
        self.open_text(path).or_else(|| self.files.read(path))
    }

    fn exists(&self, path: &str) -> bool {
        self.open_text(path).is_some() || self.files.exists(path)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        self.files.list(dir)
    }

    fn is_outside(&self, path: &str) -> bool {
        self.files.is_outside(path)
    }

    fn has_root(&self) -> bool {
        self.files.has_root()
    }
}
