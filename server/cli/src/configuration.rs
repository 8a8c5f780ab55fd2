//! The configuration of a folder: the user's file and the project's, read together.
//!
//! The user's is `$XDG_CONFIG_HOME/attractor/config.toml` (`~/.config` without that variable), the
//! project's the nearest `.attractor/config.toml` at or above the folder. The project's settings
//! take precedence; a handler that both declare is the user's. A problem in the project's file is an error and
//! nothing runs; in the user's file it is a warning.

use std::fs;
use std::path::{Path, PathBuf};

use attractor_lsp::settings::project::{self, Problem, Project};

use crate::console;

/// A file of the configuration.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Where it is.
    pub path: PathBuf,
    /// The folder its globs are relative to.
    pub root: PathBuf,
    /// Its settings.
    pub settings: Project,
    /// What is wrong in it.
    pub problems: Vec<Problem>,
    /// Whose file it is.
    pub owner: Owner,
}

/// Whose configuration file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The project's.
    Project,
    /// The user's.
    User,
}

/// The configuration files of `folder`, in order of precedence.
pub fn layers(folder: &Path) -> Vec<Layer> {
    let of_project = folder.ancestors().find_map(|root| {
        let path = root.join(project::PATH);
        read(path, root, Owner::Project)
    });
    let of_user = users_file().and_then(|path| read(path, folder, Owner::User));
    of_project.into_iter().chain(of_user).collect()
}

/// The path of the user's file, whether or not it exists.
pub fn users_file() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = set("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".config")))?;
    Some(base.join("attractor").join("config.toml"))
}

/// Prints the problems on standard error.
pub fn report_problems(layers: &[Layer]) {
    for layer in layers {
        for problem in &layer.problems {
            let kind = match layer.owner {
                Owner::Project => "error",
                Owner::User => "warning",
            };
            console::remark(&format!(
                "{kind}: {}:{}",
                layer.path.display(),
                console::plain(&problem.to_string())
            ));
        }
    }
}

fn read(path: PathBuf, root: &Path, owner: Owner) -> Option<Layer> {
    let text = fs::read_to_string(&path).ok()?;
    let (mut settings, problems) = project::parse(&text);
    if owner == Owner::Project {
        for handler in &mut settings.handlers {
            handler.folder = Some(root.display().to_string());
        }
    }
    Some(Layer {
        path,
        root: root.to_owned(),
        settings,
        problems,
        owner,
    })
}
