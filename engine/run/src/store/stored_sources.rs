//! The copies that a run keeps of the DOT files of the pipelines it calls.

use std::fs;
use std::path::Path;

use attractor_model::Files;

use crate::store::{Layout, Manifest};

/// The files of called pipelines as a run began with them, secrets masked.
pub struct StoredSources {
    layout: Layout,
    /// As the pipeline names them.
    paths: Vec<String>,
}

impl StoredSources {
    /// Those of the run in `directory`; none, where no run is stored.
    pub fn of(directory: &Path) -> Self {
        let layout = Layout::new(directory.to_owned());
        let sources = Manifest::load(&layout).map(|manifest| manifest.sources);
        let sources = sources.unwrap_or_default().into_iter();
        let paths = sources.filter_map(|source| source.path.into_os_string().into_string().ok());
        Self {
            paths: paths.collect(),
            layout,
        }
    }
}

impl Files for StoredSources {
    fn read(&self, path: &str) -> Option<String> {
        self.exists(path).then_some(())?;
        fs::read_to_string(self.layout.file(path)).ok()
    }

    fn exists(&self, path: &str) -> bool {
        self.paths.iter().any(|known| known == path)
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}
