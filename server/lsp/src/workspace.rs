//! The folders the editor has open, and the files around a document.
//!
//! Reads files, and writes none. What the editor has open counts before what is on the disk.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_ide::format::Wanted;
use attractor_ide::model::{DialectChoice, FileKind};
use attractor_ide::model::{Files, NoFiles, Options};
use attractor_run::ProjectFiles;
use globset::{Glob, GlobSet, GlobSetBuilder};
use lsp_types::Uri;
use rustc_hash::FxHashMap;

use crate::documents::Documents;
use crate::settings::Settings;
use crate::settings::project::{self, Problem, Project};
use crate::sync::lock;

/// The endings of files this server is for (Graphviz DOT language).
pub const ENDINGS: [&str; 4] = ["dot", "gv", "attractor", "fabro"];
/// Larger files are not read on a document's behalf.
const LARGEST: u64 = 10 * 1024 * 1024;
/// DOT files looked at when the whole workspace is asked for.
const MOST_FILES: usize = 2_000;
/// Folders never searched for DOT files.
const SKIPPED: [&str; 3] = ["node_modules", "target", ".git"];

/// What a configuration file asks for, and what in it cannot be used.
type Configuration = Arc<(Arc<Project>, Vec<Problem>)>;

/// The folders the editor has open and what their projects ask for.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    folders: Mutex<Vec<PathBuf>>,
    /// By the path of the configuration file.
    projects: Mutex<FxHashMap<PathBuf, Configuration>>,
}

/// The path behind a `file:` URI.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    if !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    Some(uri.to_file_path()?.into_owned())
}

impl Workspace {
    /// Replaces the folders.
    pub(crate) fn set_folders(&self, folders: Vec<PathBuf>) {
        *lock(&self.folders) = folders;
    }

    /// Adds and removes folders.
    pub(crate) fn change_folders(&self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        let mut folders = lock(&self.folders);
        folders.retain(|folder| !removed.contains(folder));
        folders.extend(added);
    }

    /// The folders, in the editor's order.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        lock(&self.folders).clone()
    }

    /// The innermost open folder around a file.
    pub(crate) fn folder_of(&self, file: &Path) -> Option<PathBuf> {
        let folders = lock(&self.folders);
        let around = folders.iter().filter(|folder| file.starts_with(folder));
        around
            .max_by_key(|folder| folder.components().count())
            .cloned()
    }

    /// The folder a file belongs to: the open folder around it, else the nearest one that holds
    /// `.attractor` or `.git`, else its own.
    pub(crate) fn root_of(&self, file: &Path) -> PathBuf {
        let own = file.parent().unwrap_or(Path::new("/"));
        let marked = |folder: &&Path| {
            [".attractor", ".git"]
                .iter()
                .any(|mark| folder.join(mark).is_dir())
        };
        self.folder_of(file)
            .or_else(|| own.ancestors().find(marked).map(Path::to_owned))
            .unwrap_or_else(|| own.to_owned())
    }

    /// The folder beneath which a file may name others: its project's root or the open folder around it,
    /// whichever is further out.
    fn reach_of(&self, file: &Path) -> PathBuf {
        let project = attractor_run::project_root(file);
        match self.folder_of(file) {
            Some(folder) if project.starts_with(&folder) => folder,
            _ => project,
        }
    }

    /// Forgets what the projects ask for; it is read again when next needed.
    pub(crate) fn forget_projects(&self) {
        lock(&self.projects).clear();
    }

    /// How a document is to be read, and what is wrong with its project's configuration.
    pub(crate) fn options(&self, uri: &Uri, settings: &Settings) -> (Options, Vec<String>) {
        let mut options = Options {
            dialect: settings.dialect,
            levels: settings.lints.clone(),
            ..Options::default()
        };
        let Some(path) = path_of(uri) else {
            return (options, Vec::new());
        };
        let root = self.root_of(&path);
        let (project, mut problems) = self.project(&root);
        if let (DialectChoice::Auto, Some(dialect)) = (options.dialect, project.dialect) {
            options.dialect = dialect;
        }
        for (rule, level) in project.lints.iter() {
            if options.levels.get(rule).is_none() {
                options.levels.set(rule, level);
            }
        }
        options.custom_handlers.clone_from(&project.handlers);
        for handler in &mut options.custom_handlers {
            handler.folder = Some(root.display().to_string());
        }
        let (globs, wrong) = globs(
            settings
                .pipeline_globs
                .iter()
                .chain(&project.pipeline_globs),
        );
        problems.extend(wrong);
        if globs.is_match(path.strip_prefix(&root).unwrap_or(&path)) {
            options.kind = FileKind::Pipelines;
        }
        options.path = Some(path.display().to_string());
        options.root = Some(self.reach_of(&path).display().to_string());
        (options, problems)
    }

    /// The layout a document's project asks for.
    pub(crate) fn format(&self, uri: &Uri) -> Wanted {
        let Some(path) = path_of(uri) else {
            return Wanted::default();
        };
        self.project(&self.root_of(&path)).0.format
    }

    /// What in the configuration of a file's project cannot be used; runs are refused until it is gone.
    pub(crate) fn broken_configuration(&self, file: &Path) -> Option<(PathBuf, Problem)> {
        let path = self.root_of(file).join(project::PATH);
        let (configuration, _) = self.configuration(&path);
        let first = configuration.1.first()?.clone();
        Some((path, first))
    }

    /// What a project asks for; the problems when it is read for the first time.
    fn project(&self, root: &Path) -> (Arc<Project>, Vec<String>) {
        let path = root.join(project::PATH);
        let (configuration, is_new) = self.configuration(&path);
        let (project, problems) = &*configuration;
        let told = problems.iter().filter(|_| is_new);
        let told = told.map(|problem| format!("{}:{problem}", path.display()));
        (Arc::clone(project), told.collect())
    }

    /// A configuration file, and whether it was read just now.
    fn configuration(&self, path: &Path) -> (Configuration, bool) {
        if let Some(known) = lock(&self.projects).get(path) {
            return (Arc::clone(known), false);
        }
        let (project, problems) = read_small(path)
            .map(|text| project::parse(&text))
            .unwrap_or_default();
        let read: Configuration = Arc::new((Arc::new(project), problems));
        lock(&self.projects).insert(path.to_owned(), Arc::clone(&read));
        (read, true)
    }

    /// DOT files of the open folders, at most [`MOST_FILES`].
    pub(crate) fn dot_files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut pending = self.folders();
        while let Some(folder) = pending.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries.flatten() {
                if found.len() >= MOST_FILES {
                    return found;
                }
                let path = entry.path();
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // Symbolic links are not followed: they may lead in circles.
                match entry.file_type() {
                    Ok(kind)
                        if kind.is_dir()
                            && !SKIPPED.contains(&&*name)
                            && !name.starts_with('.') =>
                    {
                        pending.push(path);
                    }
                    Ok(kind) if kind.is_file() && is_dot(&path) => found.push(path),
                    _ => {}
                }
            }
        }
        found.sort();
        found
    }
}

/// Whether a path has the ending of a DOT file.
pub(crate) fn is_dot(path: &Path) -> bool {
    let ending = path
        .extension()
        .and_then(std::ffi::OsStr::to_str)
        .unwrap_or_default();
    ENDINGS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(ending))
}

/// The text of a file that is small enough to be read on a document's behalf.
pub(crate) fn read_small(path: &Path) -> Option<String> {
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A path relative to `folder`, with `.` and `..` worked out on the text alone.
pub(crate) fn resolve(folder: &Path, path: &str) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            part => resolved.push(part),
        }
    }
    resolved
}

fn globs<'g>(patterns: impl Iterator<Item = &'g String>) -> (GlobSet, Vec<String>) {
    let mut set = GlobSetBuilder::new();
    let mut problems = Vec::new();
    for pattern in patterns {
        match Glob::new(pattern) {
            Ok(glob) => {
                set.add(glob);
            }
            Err(error) => problems.push(format!(
                "The pipeline glob {pattern:?} is not understood: {}.",
                error.kind()
            )),
        }
    }
    (set.build().unwrap_or_default(), problems)
}

/// The files a document may name, by paths relative to it: those of its project, and what the editor has open
/// of them.
#[derive(Debug)]
pub(crate) struct Around {
    files: ProjectFiles,
    open: Arc<Documents>,
    /// Every path that was asked for, whether there is a file or not.
    asked: Mutex<BTreeSet<PathBuf>>,
}

impl Around {
    /// The files around `uri`, beneath the root that its options name; documents without a path have none.
    pub(crate) fn of(uri: &Uri, options: &Options, open: &Arc<Documents>) -> Box<dyn Files> {
        match Self::new(uri, options, open) {
            Some(around) => Box::new(around),
            None => Box::new(NoFiles),
        }
    }

    /// The files around `uri`, if it has a path.
    pub(crate) fn new(uri: &Uri, options: &Options, open: &Arc<Documents>) -> Option<Self> {
        let path = path_of(uri)?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        let root = options.root.as_deref().map_or(folder, Path::new);
        Some(Self {
            files: ProjectFiles::new(folder, root),
            open: Arc::clone(open),
            asked: Mutex::default(),
        })
    }

    /// Every path that was asked for so far.
    pub(crate) fn into_asked(self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut lock(&self.asked))
    }

    /// What the editor has open at a path of the project, which is asked for.
    fn opened(&self, path: &str) -> Option<String> {
        let resolved = self.files.resolve(path);
        lock(&self.asked).insert(resolved.clone());
        let text = self.open.text_at(&resolved)?;
        (!self.files.is_outside(path)).then_some(text)
    }
}

impl Files for Around {
    fn read(&self, path: &str) -> Option<String> {
        self.opened(path).or_else(|| self.files.read(path))
    }

    fn exists(&self, path: &str) -> bool {
        self.opened(path).is_some() || self.files.exists(path)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        self.files.list(dir)
    }

    fn is_outside(&self, path: &str) -> bool {
        self.files.is_outside(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(path: &Path) -> Uri {
        Uri::from_file_path(path).expect("absolute")
    }

    #[test]
    fn the_project_decides_how_its_files_are_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        std::fs::create_dir_all(root.join(".attractor")).expect("created");
        let config = "dialect = \"kilroy\"\n[pipelines]\nglobs = [\"flows/*.gv\", \"[\"]";
        std::fs::write(root.join(project::PATH), config).expect("written");
        let workspace = Workspace::default();

        let (options, problems) =
            workspace.options(&uri(&root.join("flows/a.gv")), &Settings::default());
        assert_eq!(options.kind, FileKind::Pipelines);
        assert_ne!(options.dialect, DialectChoice::Auto);
        assert_eq!(problems.len(), 1, "{problems:?}");

        let (options, _) = workspace.options(&uri(&root.join("a.gv")), &Settings::default());
        assert_eq!(options.kind, FileKind::Detect);
    }

    #[test]
    fn the_innermost_folder_wins() {
        let workspace = Workspace::default();
        workspace.set_folders(vec!["/a".into(), "/a/b".into()]);
        assert_eq!(
            workspace.root_of(Path::new("/a/b/c/x.dot")),
            Path::new("/a/b")
        );
        assert_eq!(workspace.root_of(Path::new("/a/x.dot")), Path::new("/a"));
        assert_eq!(workspace.folder_of(Path::new("/ab/x.dot")), None);
    }

    #[test]
    fn dot_files_are_found_and_heavy_folders_left_out() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        for name in [
            "a.dot",
            "deep/b.GV",
            "deep/c.txt",
            "target/d.dot",
            ".hidden/e.dot",
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            std::fs::write(path, "digraph {}").expect("written");
        }
        let workspace = Workspace::default();
        workspace.set_folders(vec![root.to_owned()]);
        let found = workspace.dot_files();
        let names: Vec<_> = found
            .iter()
            .filter_map(|path| path.strip_prefix(root).ok())
            .collect();
        assert_eq!(names, [Path::new("a.dot"), Path::new("deep/b.GV")]);
    }

    #[test]
    fn only_file_uris_have_a_path() {
        assert_eq!(
            path_of(&"untitled:Untitled-1".parse().expect("a URI")),
            None
        );
        assert_eq!(
            path_of(&"file:///a%20b.dot".parse().expect("a URI")),
            Some("/a b.dot".into())
        );
    }
}
