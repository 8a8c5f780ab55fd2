//! Pipeline files in a folder, for the corpus test and the example `findings`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_lint::{Analysis, analyze};
use attractor_model::{Files, Options};

/// The files next to a pipeline.
struct SiblingFiles(PathBuf);

impl Files for SiblingFiles {
    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }

    fn exists(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    fn list(&self, _dir: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Every pipeline file in a folder and below, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|ending| matches!(ending, "dot" | "gv" | "attractor" | "fabro"))
        {
            files.push(path);
        }
    }
}

/// A file's text and what the validator makes of it, under that name.
pub(crate) fn analysis(file: &Path, name: &str) -> std::io::Result<(Arc<str>, Analysis)> {
    let bytes = std::fs::read(file)?;
    let text = Arc::from(String::from_utf8_lossy(&bytes));
    let options = Options {
        path: Some(name.to_owned()),
        ..Options::default()
    };
    let siblings = SiblingFiles(file.parent().map(Path::to_path_buf).unwrap_or_default());
    let analysis = analyze(&text, &attractor_dot::parse(&text), &options, &siblings);
    Ok((text, analysis))
}
