//! The folders the editor has open, its settings, and the configuration of the projects in these folders.
//!
//! Reads files, and writes none.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_config::format::FormatSettings;
use attractor_config::{Configuration, PROJECT_FILE};
use attractor_ide::model::{DialectChoice, FileKind, Options};
use attractor_run::{files_below, is_dot_file};
use globset::{Glob, GlobSet, GlobSetBuilder};
use lsp_types::Uri;
use rustc_hash::FxHashMap;

use crate::paths::path_of;
use crate::settings::Settings;
use attractor_proto::sync::lock;

/// DOT files of a workspace that are analyzed.
const MAX_FILES: usize = 2_000;

/// The folders the editor has open, with settings and project configuration.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    settings: Mutex<Arc<Settings>>,
    folders: Mutex<Vec<PathBuf>>,
    /// By the folder of a document.
    configurations: Mutex<FxHashMap<PathBuf, Arc<Configuration>>>,
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

    /// Drops the cached configuration; it is read again when next needed.
    pub(crate) fn clear_configurations(&self) {
        lock(&self.configurations).clear();
    }

    /// How a document is analyzed, and new problems of its configuration. A setting of the editor takes precedence over
    /// the configuration files.
    pub(crate) fn options(&self, uri: &Uri) -> (Options, Vec<String>) {
        let settings = self.settings();
        let Some(path) = path_of(uri) else {
            let options = Options {
                dialect: settings.language.dialect,
                levels: settings.language.lints.clone(),
                today: attractor_run::today(),
                ..Options::default()
            };
            return (options, Vec::new());
        };
        let (configuration, mut problems) = self.configuration(&path);
        let mut options = configuration.options(&path);
        if settings.language.dialect != DialectChoice::Auto {
            options.dialect = settings.language.dialect;
        }
        for (rule, level) in settings.language.lints.iter() {
            options.levels.set(rule, level);
        }
        let root = self.root_of(&path);
        let (globs, invalid) = globs(settings.pipeline_globs.iter());
        problems.extend(invalid);
        if globs.is_match(path.strip_prefix(&root).unwrap_or(&path)) {
            options.kind = FileKind::Pipelines;
        }
        options.today = attractor_run::today();
        options.path = Some(path.display().to_string());
        options.root = Some(self.access_root_of(&path).display().to_string());
        (options, problems)
    }

    /// The formatter options that the configuration of a document sets.
    pub(crate) fn format(&self, uri: &Uri) -> FormatSettings {
        let path = path_of(uri);
        path.map_or_else(FormatSettings::default, |path| {
            self.configuration(&path).0.format()
        })
    }

    /// The configuration of a file, with its problems when it is read for the first time.
    pub(crate) fn configuration(&self, file: &Path) -> (Arc<Configuration>, Vec<String>) {
        let folder = file.parent().unwrap_or(file);
        if let Some(known) = lock(&self.configurations).get(folder) {
            return (Arc::clone(known), Vec::new());
        }
        let read = Arc::new(self.read_configuration(folder));
        let mut known = lock(&self.configurations);
        let is_new = |path: &Path| {
            let mut layers = known.values().flat_map(|other| other.layers());
            !layers.any(|layer| layer.path == path)
        };
        let problems = read
            .layers()
            .iter()
            .filter(|layer| is_new(&layer.path))
            .flat_map(|layer| {
                let path = layer.path.display();
                let problems = layer.problems.iter();
                problems.map(move |problem| format!("{path}:{problem}"))
            })
            .collect();
        known.insert(folder.to_owned(), Arc::clone(&read));
        (read, problems)
    }

    fn read_configuration(&self, folder: &Path) -> Configuration {
        Configuration::read(folder, self.settings().user_config.as_deref())
    }

    /// The configuration that applies to the first folder; providers of models are only in the user's part of it.
    pub(crate) fn user_configuration(&self) -> Configuration {
        let folder = self.folders().into_iter().next();
        self.read_configuration(&folder.unwrap_or_default())
    }

    /// Whether a configuration file has changed since it was read.
    pub(crate) fn has_outdated_configurations(&self) -> bool {
        let known = lock(&self.configurations).clone();
        known
            .iter()
            .any(|(folder, configuration)| self.read_configuration(folder) != **configuration)
    }

    /// The paths where configuration files of a file are looked for: in the folders of its project, and the user's.
    pub(crate) fn configuration_paths(&self, file: &Path) -> Vec<PathBuf> {
        let root = self.root_of(file);
        let folders = file.ancestors().skip(1);
        let of_project = folders.take_while(|folder| folder.starts_with(&root));
        of_project
            .map(|folder| folder.join(PROJECT_FILE))
            .chain(self.settings().user_config.clone())
            .collect()
    }

    /// Whether a path is one of a configuration file.
    pub(crate) fn is_configuration(&self, path: &Path) -> bool {
        path.ends_with(PROJECT_FILE) || self.settings().user_config.as_deref() == Some(path)
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
        let folders = self.folders();
        let files = folders
            .iter()
            .flat_map(|folder| files_below(folder, is_dot_file));
        let mut found: Vec<PathBuf> = files.take(MAX_FILES).collect();
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
        std::fs::write(root.join(PROJECT_FILE), config).expect("written");
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
            ".github/e.dot",
            "ignored/f.dot",
            ".gitignore",
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            std::fs::write(path, "digraph {}").expect("written");
        }
        std::fs::write(root.join(".gitignore"), "ignored").expect("written");
        let workspace = Workspace::default();
        workspace.set_folders(vec![root.to_owned()]);
        let found = workspace.dot_files();
        let names: Vec<_> = found
            .iter()
            .filter_map(|path| path.strip_prefix(root).ok())
            .collect();
        let expected = [".github/e.dot", "a.dot", "deep/b.GV"];
        assert_eq!(names, expected.map(Path::new));
    }
}
