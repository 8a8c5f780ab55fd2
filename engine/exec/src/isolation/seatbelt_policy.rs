//! What Seatbelt allows a command: what bubblewrap allows it, by real paths.

use std::fs;
use std::path::{Path, PathBuf};

use super::own::OwnAccess;
use super::sandbox_place::Place;
use super::seatbelt::SeatbeltPolicy;
use super::settings::SandboxSettings;

impl SeatbeltPolicy {
    /// For a command of an agent.
    pub(super) fn of_agent(place: &Place<'_>, settings: &SandboxSettings) -> Self {
        let root = settings.writes().then(|| place.root.to_owned());
        let writable = place.writable(settings).cloned();
        let writable = writable
            .chain(root)
            .chain([place.temporary.to_owned()])
            .filter_map(|path| fs::canonicalize(path).ok());
        let engine = place.git.map(|(_, socket)| socket);
        let sockets = engine.into_iter().chain([place.temporary]);
        Self {
            writable: writable.collect(),
            read_only: place.protected.paths().iter().flat_map(real).collect(),
            unreadable: place.credentials().flat_map(real).collect(),
            sockets: sockets.flat_map(real).collect(),
            network: settings.network,
        }
    }

    /// For a command of the engine.
    pub(super) fn of_engine(access: OwnAccess<'_>) -> Self {
        let writable = access.writable.iter();
        Self {
            writable: writable
                .filter_map(|path| fs::canonicalize(path).ok())
                .collect(),
            read_only: access.read_only.iter().flat_map(real).collect(),
            ..Self::default()
        }
    }
}

/// The real path of something, and where it leads if it is a link. It need not exist.
fn real(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let place = place(path);
    let target = fs::canonicalize(path).ok();
    let target = target.filter(|target| *target != place);
    std::iter::once(place).chain(target).collect()
}

/// A path without links before its last name.
fn place(path: &Path) -> PathBuf {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return path.to_owned();
    };
    fs::canonicalize(parent)
        .unwrap_or_else(|_| place(parent))
        .join(name)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_are_the_ones_that_the_system_compares() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/secret")).unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink("secret", root.join("real/shortcut")).unwrap();
        let check = |path: &str, expected: &[&str]| {
            let expected: Vec<PathBuf> = expected.iter().map(|path| root.join(path)).collect();
            assert_eq!(real(root.join(path)), expected, "{path}");
        };
        check("real/secret", &["real/secret"]);
        check("link/secret", &["real/secret"]);
        check("link/shortcut", &["real/shortcut", "real/secret"]);
        check("link/missing/file", &["real/missing/file"]);
    }
}
