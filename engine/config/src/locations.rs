//! Where configuration files are.

use std::path::{Path, PathBuf};

/// The project's file, relative to the project's folder.
pub const PROJECT_FILE: &str = ".attractor/config.toml";

/// The user's file, whether or not it exists: `$XDG_CONFIG_HOME/attractor/config.toml`, or below `~/.config` when that
/// variable is not set to an absolute path.
pub fn user_file() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = set("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".config")))?;
    Some(base.join("attractor").join("config.toml"))
}

/// The folder for what programs of this user keep: `$XDG_STATE_HOME/attractor`, else `~/.local/state/attractor`
/// (`%LOCALAPPDATA%\attractor` on Windows). `None` when the environment has no home directory.
pub fn state_folder() -> Option<PathBuf> {
    let named = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    named("XDG_STATE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .or_else(|| Some(named("HOME")?.join(".local").join("state")))
        .map(|base| base.join("attractor"))
}

/// The paths where the project's file of `path` may be, the nearest first.
pub(crate) fn project_files(path: &Path) -> impl Iterator<Item = PathBuf> {
    path.ancestors().map(|folder| folder.join(PROJECT_FILE))
}

/// The folder of the project that `path` is part of: the nearest with `.attractor` or `.git`, else that of the file.
pub(crate) fn project_root(path: &Path) -> &Path {
    let own = if path.is_dir() {
        path
    } else {
        path.parent().unwrap_or(path)
    };
    let is_root = |folder: &&Path| {
        [".attractor", ".git"]
            .iter()
            .any(|mark| folder.join(mark).exists())
    };
    own.ancestors().find(is_root).unwrap_or(own)
}
