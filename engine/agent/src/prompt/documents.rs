//! The instructions a project has for agents: `AGENTS.md` and the files of the provider, from the root of the repository
//! down to the folder of the session.

use std::io::Read;
use std::path::{Path, PathBuf};

use attractor_exec::open_beneath;

/// How much of all documents together is read, in bytes.
pub const DOCUMENTS_LIMIT: usize = 32 * 1024;

/// Reads the documents, those of the repository's root first, so that the nearest ones take precedence.
pub fn discover_project_docs(folder: &Path, names: &[&str]) -> String {
    let mut left = DOCUMENTS_LIMIT;
    let mut documents = Vec::new();
    for (path, text) in project_docs(folder, names) {
        if left == 0 {
            documents.push(format!("[{path} is left out: the limit of {DOCUMENTS_LIMIT} bytes for all documents is reached]"));
            continue;
        }
        documents.push(format!("## {path}\n\n{}", cut(text.trim(), left)));
        left = left.saturating_sub(text.trim().len());
    }
    documents.join("\n\n")
}

/// The documents in that order: path from the root of the repository, and text.
pub fn project_docs(folder: &Path, names: &[&str]) -> Vec<(String, String)> {
    let root = repository_root(folder);
    let below = folder.strip_prefix(&root).unwrap_or(Path::new(""));
    let mut folders = vec![PathBuf::new()];
    for part in below.components() {
        let next = folders.last().map(|last| last.join(part));
        folders.extend(next);
    }
    let paths = folders
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)));
    let read = paths.filter_map(|path| Some((path.display().to_string(), read(&root, &path)?)));
    read.collect()
}

/// The nearest folder upward that has `.git`; the folder itself without one.
pub(crate) fn repository_root(folder: &Path) -> PathBuf {
    let mut folders = folder.ancestors();
    let root = folders.find(|folder| folder.join(".git").exists());
    root.unwrap_or(folder).to_owned()
}

/// A document, unless it is empty, not there, or a link that leads out of the repository.
fn read(root: &Path, path: &Path) -> Option<String> {
    let file = open_beneath(root, path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    // One byte more shows that there is more.
    let most = u64::try_from(DOCUMENTS_LIMIT).ok()? + 1;
    file.take(most).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

fn cut(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = (0..=limit)
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or_default();
    let head = text.get(..end).unwrap_or_default();
    format!(
        "{head}\n[the rest is left out: the limit of {DOCUMENTS_LIMIT} bytes for all documents is reached]"
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const NAMES: &[&str] = &["AGENTS.md", "CLAUDE.md"];

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn documents_of_the_root_come_first() {
        let folder = project(&[
            (".git/HEAD", ""),
            ("AGENTS.md", "root"),
            ("a/CLAUDE.md", "a\n"),
            ("a/b/AGENTS.md", "b"),
            ("a/b/CLAUDE.md", "  \n"),
            ("a/b/c/AGENTS.md", "below"),
        ]);
        expect_test::expect![[r#"
            ## AGENTS.md

            root

            ## a/CLAUDE.md

            a

            ## a/b/AGENTS.md

            b"#]]
        .assert_eq(&discover_project_docs(&folder.path().join("a/b"), NAMES));
    }

    #[test]
    fn all_documents_together_are_limited() {
        let folder = project(&[
            (".git/HEAD", ""),
            ("AGENTS.md", &"ä".repeat(DOCUMENTS_LIMIT)),
            ("CLAUDE.md", "more"),
        ]);
        let text = discover_project_docs(folder.path(), NAMES);
        assert!(text.len() < DOCUMENTS_LIMIT + 400, "{}", text.len());
        assert!(text.contains("[the rest is left out"));
        assert!(text.contains("[CLAUDE.md is left out"));
    }

    #[test]
    fn a_link_out_of_the_repository_is_not_read() {
        let outside = project(&[("key", "secret")]);
        let folder = project(&[(".git/HEAD", "")]);
        let link = folder.path().join("AGENTS.md");
        std::os::unix::fs::symlink(outside.path().join("key"), link).unwrap();
        assert_eq!(discover_project_docs(folder.path(), NAMES), "");
    }
}
