//! The folders the editor has open, its settings, and the configuration of the projects in these folders.
//!
//! Reads files, and writes none.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_ide::format_options::FormatSettings;
use attractor_ide::model::{DialectChoice, FileKind, Options};
use globset::{Glob, GlobSet, GlobSetBuilder};
use lsp_types::Uri;
use rustc_hash::FxHashMap;

use crate::paths::{self, path_of};
use crate::settings::Settings;
use crate::settings::project::{self, Problem, Project};
use crate::sync::lock;

/// DOT files of a workspace that are analyzed.
const MAX_FILES: usize = 2_000;
/// Folders never searched for DOT files.
const SKIPPED_FOLDERS: [&str; 3] = ["node_modules", "target", ".git"];

/// The values of a configuration file, and its problems.
type Configuration = Arc<(Arc<Project>, Vec<Problem>)>;

/// The folders the editor has open, with settings and project configuration.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    settings: Mutex<Arc<Settings>>,
    folders: Mutex<Vec<PathBuf>>,
    /// By the path of the configuration file.
    projects: Mutex<FxHashMap<PathBuf, Configuration>>,
}

impl Workspace {
    /// A workspace without folders.
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings: Mutex::new(Arc::new(settings)),
            ..Self::default()
        }
    }

    /// The current settings.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&lock(&self.settings))
    }

    /// Changes the settings.
    pub(crate) fn change_settings<T>(&self, change: impl FnOnce(&mut Settings) -> T) -> T {
        let mut settings = lock(&self.settings);
        change(Arc::make_mut(&mut settings))
    }

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

    /// The innermost open folder that contains a file.
    pub(crate) fn folder_of(&self, file: &Path) -> Option<PathBuf> {
        let folders = lock(&self.folders);
        let containing = folders.iter().filter(|folder| file.starts_with(folder));
        containing
            .max_by_key(|folder| folder.components().count())
            .cloned()
    }

    /// The folder a file belongs to: the open folder that contains it, else the nearest one with
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

    /// The folder that contains every file this one may refer to: its project's root or the innermost open folder,
    /// whichever is further out.
    fn access_root_of(&self, file: &Path) -> PathBuf {
        let project = attractor_run::project_root(file);
        match self.folder_of(file) {
            Some(folder) if project.starts_with(&folder) => folder,
            _ => project,
        }
    }

    /// Drops the cached project configuration; it is read again when next needed.
    pub(crate) fn clear_projects(&self) {
        lock(&self.projects).clear();
    }

    /// How a document is analyzed, and the problems of its project's configuration.
    pub(crate) fn options(&self, uri: &Uri) -> (Options, Vec<String>) {
        let settings = self.settings();
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
        let (globs, invalid) = globs(
            settings
                .pipeline_globs
                .iter()
                .chain(&project.pipeline_globs),
        );
        problems.extend(invalid);
        if globs.is_match(path.strip_prefix(&root).unwrap_or(&path)) {
            options.kind = FileKind::Pipelines;
        }
        options.path = Some(path.display().to_string());
        options.root = Some(self.access_root_of(&path).display().to_string());
        (options, problems)
    }

    /// The formatter options of a document's project.
    pub(crate) fn format(&self, uri: &Uri) -> FormatSettings {
        let Some(path) = path_of(uri) else {
            return FormatSettings::default();
        };
        self.project(&self.root_of(&path)).0.format
    }

    /// The first problem of the configuration of a file's project; runs are refused until it is fixed.
    pub(crate) fn configuration_problem(&self, file: &Path) -> Option<(PathBuf, Problem)> {
        let path = self.root_of(file).join(project::PATH);
        let (configuration, _) = self.configuration(&path);
        let first = configuration.1.first()?.clone();
        Some((path, first))
    }

    /// The configuration of a project, with its problems when it is read for the first time.
    fn project(&self, root: &Path) -> (Arc<Project>, Vec<String>) {
        let path = root.join(project::PATH);
        let (configuration, is_new) = self.configuration(&path);
        let (project, problems) = &*configuration;
        let new = problems.iter().filter(|_| is_new);
        let new = new.map(|problem| format!("{}:{problem}", path.display()));
        (Arc::clone(project), new.collect())
    }

    /// A configuration file, and whether it was read just now.
    fn configuration(&self, path: &Path) -> (Configuration, bool) {
        if let Some(known) = lock(&self.projects).get(path) {
            return (Arc::clone(known), false);
        }
        let (project, problems) = paths::read_small(path)
            .map(|text| project::parse(&text))
            .unwrap_or_default();
        let read: Configuration = Arc::new((Arc::new(project), problems));
        lock(&self.projects).insert(path.to_owned(), Arc::clone(&read));
        (read, true)
    }

    /// Where runs of a file or a folder are stored: as on the command line, unless the settings say otherwise.
    pub(crate) fn runs_dir(&self, path: &Path) -> PathBuf {
        match &self.settings().runs_dir {
            Some(configured) => self.root_of(path).join(configured),
            None if path.is_dir() => {
                attractor_run::runs_dir(&attractor_run::project_root_of_folder(path))
            }
            None => attractor_run::runs_dir(&attractor_run::project_root(path)),
        }
    }

    /// DOT files of the open folders, at most [`MAX_FILES`].
    pub(crate) fn dot_files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut pending = self.folders();
        while let Some(folder) = pending.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries.flatten() {
                if found.len() >= MAX_FILES {
                    return found;
                }
                let path = entry.path();
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // Symbolic links are not followed: they may form cycles.
                match entry.file_type() {
                    Ok(kind)
                        if kind.is_dir()
                            && !SKIPPED_FOLDERS.contains(&&*name)
                            && !name.starts_with('.') =>
                    {
                        pending.push(path);
                    }
                    Ok(kind) if kind.is_file() && paths::is_dot(&path) => found.push(path),
                    _ => {}
                }
            }
        }
        found.sort();
        found
    }
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
                "Invalid pipeline glob {pattern:?}: {}",
                error.kind()
            )),
        }
    }
    (set.build().unwrap_or_default(), problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(path: &Path) -> Uri {
        Uri::from_file_path(path).expect("absolute")
    }

    #[test]
    fn project_configuration_sets_the_options() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        std::fs::create_dir_all(root.join(".attractor")).expect("created");
        let config = "dialect = \"kilroy\"\n[pipelines]\nglobs = [\"flows/*.gv\", \"[\"]";
        std::fs::write(root.join(project::PATH), config).expect("written");
        let workspace = Workspace::default();

        let (options, problems) = workspace.options(&uri(&root.join("flows/a.gv")));
        assert_eq!(options.kind, FileKind::Pipelines);
        assert_ne!(options.dialect, DialectChoice::Auto);
        assert_eq!(problems.len(), 1, "{problems:?}");

        let (options, _) = workspace.options(&uri(&root.join("a.gv")));
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
}
