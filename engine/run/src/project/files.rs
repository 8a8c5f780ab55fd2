//! Files beneath a project's root, as a pipeline may name them.
//!
//! A pipeline names files by `@path`, `prompt_file` and `sub_pipeline`. What it names is read, sent to models
//! and copied into the run's folder, so nothing outside the project may be named: not by `..`, not by an
//! absolute path, not through a symbolic link, a hard link or `/proc`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use attractor_exec::{is_beneath, normalize, open_beneath, sha256};
use attractor_model::Files;

use crate::project::hard_links::has_name_outside;

/// A named file larger than this is not read.
const MAX_FILE_SIZE: u64 = 16 * 1024 * 1024;

/// Entries of a folder that [`Files::list`] gives at most.
const MAX_ENTRIES: usize = 1_000;

/// What marks the root of a project.
const MARKERS: [&str; 2] = [".attractor", ".git"];

/// The root of the project a file belongs to: the nearest folder at or above the file's own that holds
/// `.attractor` or `.git`, else the file's own folder.
pub fn project_root(file: &Path) -> PathBuf {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(&file);
    project_root_of_folder(folder)
}

/// The same for a folder.
pub fn project_root_of_folder(folder: &Path) -> PathBuf {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let marked = folder.ancestors().find(|folder| is_marked(folder));
    marked.unwrap_or(&folder).to_owned()
}

fn is_marked(folder: &Path) -> bool {
    MARKERS.iter().any(|marker| folder.join(marker).exists())
}

/// The files a pipeline in `folder` may name: those beneath `root`.
#[derive(Clone, Debug)]
pub struct ProjectFiles {
    folder: PathBuf,
    root: PathBuf,
}

impl ProjectFiles {
    /// `folder` is the one of the DOT file, from which its paths begin. Both are made absolute.
    pub fn new(folder: &Path, root: &Path) -> Self {
        let absolute = |path: &Path| {
            let path = if path.as_os_str().is_empty() {
                Path::new(".")
            } else {
                path
            };
            normalize(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
        };
        Self {
            folder: absolute(folder),
            root: absolute(root),
        }
    }

    /// Where a path leads on its text alone.
    pub fn resolve(&self, path: &str) -> PathBuf {
        normalize(&self.folder.join(path))
    }

    /// The part of `path` below the root, if it stays there on its text alone.
    fn below_root(&self, path: &str) -> Option<PathBuf> {
        let below = self.resolve(path).strip_prefix(&self.root).ok()?.to_owned();
        Some(if below.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            below
        })
    }

    /// Whether something is there, and in the project. It need not be readable.
    pub(crate) fn is_there(&self, path: &str) -> bool {
        self.resolve(path.trim()).exists() && !self.is_outside(path)
    }

    /// The bytes of a file of any size.
    pub(crate) fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut file = self.open(path.trim())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open(&self, path: &str) -> io::Result<File> {
        let below = self
            .below_root(path)
            .ok_or_else(|| io::Error::from(io::ErrorKind::PermissionDenied))?;
        let file = open_beneath(&self.root, &below)?;
        if has_name_outside(&self.root, &file.metadata()?) {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        Ok(file)
    }
}

impl Files for ProjectFiles {
    fn read(&self, path: &str) -> Option<String> {
        let file = self.open(path).ok()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || metadata.len() > MAX_FILE_SIZE {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(MAX_FILE_SIZE).read_to_end(&mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }

    fn exists(&self, path: &str) -> bool {
        self.open(path).is_ok()
    }

    fn hash(&self, path: &str) -> Option<String> {
        let is_file = self.open(path).ok()?.metadata().ok()?.is_file();
        let bytes = is_file.then(|| self.bytes(path))?;
        bytes.ok().map(sha256)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        if self.open(dir).is_err() {
            return Vec::new();
        }
        let entries = fs::read_dir(self.resolve(dir)).into_iter().flatten();
        let mut names: Vec<String> = entries
            .flatten()
            .take(MAX_ENTRIES)
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                Some(if is_folder { format!("{name}/") } else { name })
            })
            .collect();
        names.sort();
        names
    }

    fn is_outside(&self, path: &str) -> bool {
        let path = self.resolve(path.trim());
        let is_inside =
            |file| is_beneath(&self.root, &path) && !has_name_outside(&self.root, &file);
        fs::metadata(&path).is_ok_and(|file| !is_inside(file))
    }

    fn has_root(&self) -> bool {
        self.root.ancestors().any(is_marked)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// `outer/secret.txt` next to the project `outer/project`, whose pipelines are in `flows`.
    fn project() -> (tempfile::TempDir, ProjectFiles) {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("project");
        fs::create_dir_all(root.join("flows/prompts")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(outer.path().join("secret.txt"), "secret").unwrap();
        fs::write(root.join("common.md"), "shared").unwrap();
        fs::write(root.join("flows/prompts/a.md"), "a").unwrap();
        symlink("../../secret.txt", root.join("flows/out.md")).unwrap();
        symlink("/etc", root.join("flows/etc")).unwrap();
        symlink("../common.md", root.join("flows/in.md")).unwrap();
        let files = ProjectFiles::new(
            &root.join("flows"),
            &project_root(&root.join("flows/x.dot")),
        );
        (outer, files)
    }

    #[test]
    fn files_of_the_project_are_read() {
        let (_outer, files) = project();
        for (path, text) in [
            ("prompts/a.md", "a"),
            ("../common.md", "shared"),
            ("prompts/../../common.md", "shared"),
            ("in.md", "shared"),
        ] {
            assert_eq!(files.read(path).as_deref(), Some(text), "{path}");
            assert!(!files.is_outside(path), "{path}");
        }
        assert_eq!(files.list("prompts"), ["a.md"]);
        for path in ["prompts/missing.md", "../../missing.md"] {
            assert!(!files.is_outside(path), "{path}");
        }
    }

    #[test]
    fn no_way_leads_out_of_the_project() {
        let (outer, files) = project();
        let absolute = outer.path().join("secret.txt");
        for path in [
            "../../secret.txt",
            absolute.to_str().unwrap(),
            "out.md",
            "etc/hostname",
            "/etc/hostname",
            "/proc/self/environ",
            "../../project/../secret.txt",
        ] {
            assert_eq!(files.read(path), None, "{path}");
            assert!(!files.exists(path), "{path}");
            assert!(files.is_outside(path), "{path}");
        }
        assert_eq!(files.list("../.."), Vec::<String>::new());
        assert_eq!(files.list("etc"), Vec::<String>::new());
    }

    #[test]
    fn a_project_without_a_marker_has_no_root() {
        let (outer, files) = project();
        assert!(files.has_root());
        let flows = outer.path().join("project/flows");
        fs::remove_dir(outer.path().join("project/.git")).unwrap();
        let part = ProjectFiles::new(&flows, &project_root(&flows.join("x.dot")));
        assert!(!part.has_root());
        assert!(part.is_outside("../common.md"));
    }

    #[test]
    fn a_hard_link_leads_out_unless_all_its_names_are_inside() {
        let (outer, files) = project();
        let link = |from: &Path, to: &str| {
            fs::hard_link(from, files.root.join(to)).unwrap();
        };
        link(&outer.path().join("secret.txt"), "flows/linked.md");
        assert_eq!(files.read("linked.md"), None);
        assert!(files.is_outside("linked.md"));
        link(&files.root.join("common.md"), "flows/common.md");
        assert_eq!(files.read("common.md").as_deref(), Some("shared"));
        assert!(!files.is_outside("common.md"));
    }

    #[test]
    fn a_fifo_does_not_hold_the_reader_up() {
        let (_outer, files) = project();
        let fifo = files.root.join("flows/pipe.md");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        assert_eq!(files.read("pipe.md"), None);
    }
}
