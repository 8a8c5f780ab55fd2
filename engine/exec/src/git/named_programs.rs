//! Files of a workspace that the configuration of its repository names: a folder of hooks, files of settings, programs.
//! Git runs or obeys them as it does what is in `.git`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::configuration::{Setting, is_history, settings};
use super::repository::small_text;

/// Files of settings that include one another are followed so far.
const MAX_INCLUDES: usize = 20;

/// What the configuration in the folders of a repository names in a workspace.
pub(crate) fn named_programs(
    work_tree: &Path,
    folders: &[PathBuf],
    workspace: &Path,
) -> BTreeSet<PathBuf> {
    let names = ["config", "config.worktree"];
    let mut open: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .collect();
    let mut paths = BTreeSet::new();
    let mut seen = BTreeSet::new();
    while let Some(file) = open.pop() {
        if seen.len() >= MAX_INCLUDES || !seen.insert(file.clone()) {
            continue;
        }
        for setting in settings(&small_text(&file).unwrap_or_default()) {
            if setting.is_include() {
                let included = file.with_file_name(&setting.value);
                paths.extend(inside(&included, workspace));
                open.push(included);
            } else if !is_history(&setting) {
                let words = setting.words().map(|word| work_tree.join(word));
                paths.extend(words.filter_map(|path| inside(&path, workspace)));
            }
        }
    }
    paths
}

/// The real path of a file or folder below a workspace.
fn inside(path: &Path, workspace: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    let is_below = real != workspace && real.starts_with(workspace);
    is_below.then_some(real)
}

impl Setting {
    fn is_include(&self) -> bool {
        ["include", "includeif"].contains(&&*self.section) && self.name == "path"
    }

    /// The words of a value that may be a path: a value as a whole, and each word of a command.
    fn words(&self) -> impl Iterator<Item = &str> {
        let value = self.value.trim_start_matches('!');
        let words = value.split(|c: char| c.is_whitespace() || "\"';|&()<>=".contains(c));
        std::iter::once(value)
            .chain(words)
            .filter(|word| !word.is_empty() && *word != ".")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn hooks_settings_and_programs_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in [".git", ".husky", "tools"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        for name in [
            "tools/monitor",
            "tools/clean.py",
            "tools/show",
            "origin",
            "gitconfig",
        ] {
            fs::write(root.join(name), "").unwrap();
        }
        fs::write(
            root.join("gitconfig"),
            "[diff \"x\"]\n\ttextconv = tools/show\n",
        )
        .unwrap();
        let config = "[core]\n\thooksPath = .husky\n\tfsmonitor = ./tools/monitor\n[filter \"x\"]\n\tclean = python3 tools/clean.py %f\n\
                      [include]\n\tpath = ../gitconfig\n[branch \"main\"]\n\tremote = origin\n[core]\n\teditor = vi\n\tpager = ../outside\n";
        fs::write(root.join(".git/config"), config).unwrap();
        let named = named_programs(&root, &[root.join(".git")], &root);
        let below: Vec<_> = named
            .iter()
            .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap())
            .collect();
        let expected = [
            ".husky",
            "gitconfig",
            "tools/clean.py",
            "tools/monitor",
            "tools/show",
        ];
        assert_eq!(below, expected);
    }
}
