//! The arguments of bubblewrap.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use attractor_permissions::SandboxMode;

use super::protected::Protected;
use super::settings::SandboxSettings;
use crate::git::NAME;

/// Tries all kinds of isolation that commands get.
pub(super) const PROBE: [&str; 14] = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/run",
    "--unshare-pid",
    "--unshare-net",
    "--new-session",
    "--",
    "true",
];

/// Folders and files of the home folder that hold credentials.
const CREDENTIALS: [&str; 12] = [
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

/// Where the program is that is `git`.
pub(super) const GIT_FOLDER: &str = "/run/attractor-git";

/// The socket of the engine, next to it.
pub(super) const GIT_SOCKET: &str = "/run/attractor-git/socket";

/// The arguments before the command.
pub(super) fn arguments(
    place: &Place<'_>,
    settings: &SandboxSettings,
    directory: &Path,
) -> Vec<OsString> {
    let mut all = Arguments::default();
    all.words(&["--die-with-parent", "--new-session", "--unshare-pid"]);
    if !settings.network {
        all.words(&["--unshare-net"]);
    }
    all.words(&["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
    // Sockets of services, which would do for a command what it cannot do itself.
    all.words(&["--tmpfs", "/run"]);
    if settings.network {
        let resolver = Path::new("/run/systemd/resolve");
        all.bind("--ro-bind-try", resolver);
    }
    for folder in ["/tmp", "/var/tmp"] {
        all.words(&["--bind"]);
        all.0.extend([place.temporary.into(), folder.into()]);
    }
    let writes = settings.mode != SandboxMode::ReadOnly;
    all.bind(if writes { "--bind" } else { "--ro-bind" }, place.root);
    let repository = place.protected.writable().iter().filter(|_| writes);
    for path in repository.chain(&settings.writable) {
        all.bind("--bind-try", path);
    }
    let credentials = place
        .home
        .into_iter()
        .flat_map(|home| CREDENTIALS.map(|name| home.join(name)));
    // After the workspace, which may be the home folder.
    for path in credentials.chain(place.configuration.clone()) {
        if place.root.starts_with(&path) {
            continue;
        }
        if path.is_dir() {
            all.words(&["--tmpfs"]);
            all.0.push(path.into());
        } else if path.exists() {
            all.words(&["--ro-bind", "/dev/null"]);
            all.0.push(path.into());
        }
    }
    for path in place.protected.paths() {
        all.bind("--ro-bind-try", path);
    }
    if let Some((program, socket)) = place.git {
        let program_in_sandbox = Path::new(GIT_FOLDER).join(NAME);
        all.words(&["--ro-bind"]);
        all.0.extend([program.into(), program_in_sandbox.into()]);
        all.words(&["--bind"]);
        all.0.extend([socket.into(), GIT_SOCKET.into()]);
    }
    all.words(&["--chdir"]);
    all.0.push(directory.into());
    all.words(&["--"]);
    all.0
}

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    /// Shows a path at its own place.
    fn bind(&mut self, how: &str, path: &Path) {
        self.0.extend([how.into(), path.into(), path.into()]);
    }
}
