//! The arguments of bubblewrap.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tokio::process::{Child, Command};

use super::capabilities::Capabilities;
use super::sandbox_place::Place;
use super::services;
use super::settings::SandboxSettings;
use crate::git::NAME;
use crate::platform::syscall_filter;

/// What every command gets: no capabilities, and nothing to write. Settings of the kernel belong to root, who would
/// write them without any capability.
const BASE: [&str; 19] = [
    "--die-with-parent",
    "--new-session",
    "--unshare-pid",
    "--unshare-ipc",
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--ro-bind-try",
    "/proc/sys",
    "/proc/sys",
    "--ro-bind-try",
    "/proc/sysrq-trigger",
    "/proc/sysrq-trigger",
];

/// Sockets of services, which would do for a command what it cannot do itself.
const PRIVATE_RUN: [&str; 2] = ["--tmpfs", "/run"];

/// Tries all kinds of isolation that commands get.
pub(super) fn probe() -> Vec<OsString> {
    let mut all = base(Capabilities::None, false);
    all.words(&PRIVATE_RUN);
    all.words(&["--", "true"]);
    all.0
}

/// Starts bubblewrap, with the filter of system calls that its arguments name.
///
/// # Errors
/// It cannot be started.
pub(crate) fn spawn_in_namespace(command: &mut Command) -> io::Result<Child> {
    syscall_filter::pass(command)?;
    command.spawn()
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
    let mut all = base(Capabilities::for_work_in(place.root), settings.network);
    all.words(&PRIVATE_RUN);
    if settings.network {
        let resolver = Path::new("/run/systemd/resolve");
        all.bind("--ro-bind-try", resolver);
    }
    for folder in ["/tmp", "/var/tmp"] {
        all.words(&["--bind"]);
        all.0.extend([place.temporary.into(), folder.into()]);
    }
    let writes = settings.writes();
    all.bind(if writes { "--bind" } else { "--ro-bind" }, place.root);
    // What is mounted cannot be moved. Before the credentials, which one of them may have.
    for path in place.protected.projects().iter().filter(|_| writes) {
        all.bind("--bind-try", path);
    }
    for path in place.writable(settings) {
        all.bind("--bind-try", path);
    }
    // After the workspace, which may be the home folder.
    for path in place.credentials() {
        if path.is_dir() {
            all.words(&["--tmpfs"]);
            all.0.push(path.into());
        } else if path.exists() {
            all.words(&["--ro-bind", "/dev/null"]);
            all.0.push(path.into());
        }
    }
    // Those in its folders a command may have started itself.
    let own = |socket: &PathBuf| {
        [place.root, place.temporary]
            .iter()
            .any(|own| socket.starts_with(own))
    };
    for socket in services::sockets().filter(|socket| !own(socket)) {
        all.words(&["--ro-bind-try", "/dev/null"]);
        all.0.push(socket.into());
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

/// The arguments that every command begins with.
pub(super) fn base(capabilities: Capabilities, network: bool) -> Arguments {
    let mut all = Arguments::default();
    all.words(&BASE);
    all.words(capabilities.arguments());
    if syscall_filter::is_supported() {
        all.0.extend([
            "--seccomp".into(),
            syscall_filter::DESCRIPTOR.to_string().into(),
        ]);
    }
    if !network {
        all.words(&["--unshare-net"]);
    }
    all
}

#[derive(Default)]
pub(super) struct Arguments(pub(super) Vec<OsString>);

impl Arguments {
    pub(super) fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    /// Shows a path at its own place.
    pub(super) fn bind(&mut self, how: &str, path: &Path) {
        self.0.extend([how.into(), path.into(), path.into()]);
    }
}
