//! What the server knows about a document besides its text: the other open documents.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use attractor_ide::diagnostics::typing::ReportedDiagnostics;
use attractor_ide::model::{Files, NoFiles};
use attractor_ide::workspace_words::WorkspaceWords;
use attractor_proto::sync::lock;
use attractor_proto::{Host, SemanticTokensCache, paths};
use ropey::Rope;

/// The open documents as files, by paths relative to the folder of one of them.
#[derive(Clone)]
pub(crate) struct OpenFiles {
    pub(crate) folder: PathBuf,
    pub(crate) texts: Vec<(PathBuf, Rope)>,
}

impl OpenFiles {
    fn text(&self, path: &str) -> Option<&Rope> {
        let resolved = paths::resolve(&self.folder, path);
        let mut texts = self.texts.iter();
        texts.find_map(|(known, text)| (*known == resolved).then_some(text))
    }
}

impl Files for OpenFiles {
    fn read(&self, path: &str) -> Option<String> {
        self.text(path).map(Rope::to_string)
    }

    fn exists(&self, path: &str) -> bool {
        self.text(path).is_some()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let folder = paths::resolve(&self.folder, dir);
        let below = self.texts.iter().filter_map(|(path, _)| {
            let mut parts = path.strip_prefix(&folder).ok()?.iter();
            let name = parts.next()?.to_str()?;
            Some(match parts.next() {
                Some(_) => format!("{name}/"),
                None => name.to_owned(),
            })
        });
        let mut names: Vec<String> = below.collect();
        names.sort();
        names.dedup();
        names
    }

    /// A file that is not open may exist.
    fn is_available(&self) -> bool {
        false
    }
}

/// The host of one request.
pub(crate) struct PageHost {
    pub(crate) files: Option<OpenFiles>,
    pub(crate) reported: Arc<Mutex<Arc<ReportedDiagnostics>>>,
    pub(crate) semantic_tokens: Arc<SemanticTokensCache>,
}

impl Host for PageHost {
    fn files(&self) -> Box<dyn Files> {
        match &self.files {
            Some(files) => Box::new(files.clone()),
            None => Box::new(NoFiles),
        }
    }

    fn words(&self) -> Arc<WorkspaceWords> {
        Arc::default()
    }

    fn reported(&self) -> Arc<ReportedDiagnostics> {
        Arc::clone(&lock(&self.reported))
    }

    fn set_reported(&self, reported: ReportedDiagnostics) {
        *lock(&self.reported) = Arc::new(reported);
    }

    fn semantic_tokens(&self) -> &SemanticTokensCache {
        &self.semantic_tokens
    }
}
