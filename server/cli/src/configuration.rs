//! The configuration of a folder: the person's own file and the project's, read together.
//!
//! The person's is `$XDG_CONFIG_HOME/attractor/config.toml` (`~/.config` without that variable), the
//! project's the nearest `.attractor/config.toml` at or above the folder. Where both say something, the project's
//! counts, for it is about its own files; a handler that both declare is the person's. What cannot be understood in
//! the project's file refuses a run, in the person's it is reported.

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
    /// What it says.
    pub says: Project,
    /// What in it cannot be used.
    pub problems: Vec<Problem>,
    /// Whose it is.
    pub owner: Owner,
}

/// Whose a file of the configuration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The project's.
    Project,
    /// The person's.
    Person,
}

/// The files that count for `folder`, the strongest first.
pub fn layers(folder: &Path) -> Vec<Layer> {
    let of_project = folder.ancestors().find_map(|root| {
        let path = root.join(project::PATH);
        read(path, root, Owner::Project)
    });
    let of_person = users_file().and_then(|path| read(path, folder, Owner::Person));
    of_project.into_iter().chain(of_person).collect()
}

/// The person's own file, whether or not it is there.
pub fn users_file() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = set("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".config")))?;
    Some(base.join("attractor").join("config.toml"))
}

/// Says what cannot be understood, on standard error.
pub fn complain(layers: &[Layer]) {
    for layer in layers {
        for problem in &layer.problems {
            let kind = match layer.owner {
                Owner::Project => "error",
                Owner::Person => "warning",
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
    let (mut says, problems) = project::parse(&text);
    if owner == Owner::Project {
        for handler in &mut says.handlers {
            handler.folder = Some(root.display().to_string());
        }
    }
    Some(Layer {
        path,
        root: root.to_owned(),
        says,
        problems,
        owner,
    })
}
