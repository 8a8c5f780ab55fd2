//! Where a sandbox is, and what in its surroundings is not for commands: the same in every sandbox that can keep it from
//! them.

use std::path::{Path, PathBuf};

use super::protected::Protected;
use super::settings::SandboxSettings;

/// Folders and files of the home folder that hold credentials.
const CREDENTIALS: [&str; 13] = [
    ".aws",
    ".azure",
    ".config/attractor",
    ".config/gcloud",
    ".config/gh",
    ".docker/config.json",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".netrc",
    ".npmrc",
    ".ssh",
    "Library/Keychains",
];

/// Where a sandbox is.
pub(super) struct Place<'p> {
    pub(super) root: &'p Path,
    /// The private `/tmp`.
    pub(super) temporary: &'p Path,
    pub(super) home: Option<&'p Path>,
    /// The folder of the user's configuration, where it is not in the home folder.
    pub(super) configuration: Option<PathBuf>,
    pub(super) protected: &'p Protected,
    /// The program that is `git`, and the socket of the engine.
    pub(super) git: Option<(&'p Path, &'p Path)>,
}

impl Place<'_> {
    /// What holds credentials, except for what the workspace is in.
    pub(super) fn credentials(&self) -> impl Iterator<Item = PathBuf> {
        let home = self.home.into_iter();
        let credentials = home.flat_map(|home| CREDENTIALS.map(|name| home.join(name)));
        credentials
            .chain(self.configuration.clone())
            .filter(|path| !self.root.starts_with(path))
    }

    /// What may be written besides the workspace: its repository, where commands may write that, and caches. The latter
    /// also where the workspace may not be written.
    pub(super) fn writable<'s>(
        &'s self,
        settings: &'s SandboxSettings,
    ) -> impl Iterator<Item = &'s PathBuf> {
        let repository = self.protected.writable().iter();
        repository
            .filter(|_| settings.writes())
            .chain(&settings.writable)
    }
}
