//! What sandboxes this machine offers.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::{bubblewrap, landlock};
use crate::process::find_program;

/// The sandbox of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxSupport {
    /// bubblewrap works.
    Bubblewrap(PathBuf),
    /// The kernel has Landlock, of this version.
    Landlock(i32),
    /// There is none; with the reason.
    Nothing(String),
}

impl SandboxSupport {
    /// What this machine offers; it is tried once per process.
    pub fn of_this_machine() -> &'static Self {
        static SUPPORT: OnceLock<SandboxSupport> = OnceLock::new();
        SUPPORT.get_or_init(probe)
    }

    /// For people: what commands of agents run in.
    pub fn describe(&self) -> String {
        match self {
            Self::Bubblewrap(path) => format!("bubblewrap ({})", path.display()),
            Self::Landlock(version) => format!(
                "Landlock (version {version}); install bubblewrap for a private /proc and no network at all"
            ),
            Self::Nothing(reason) => format!("none: {reason}"),
        }
    }
}

fn probe() -> SandboxSupport {
    if !cfg!(target_os = "linux") {
        return SandboxSupport::Nothing("only Linux has one that is supported".to_owned());
    }
    let fails = match find_program("bwrap") {
        Some(path) => match try_bubblewrap(&path) {
            Ok(()) => return SandboxSupport::Bubblewrap(path),
            Err(reason) => format!("bubblewrap fails ({reason})"),
        },
        None => "bubblewrap is not installed".to_owned(),
    };
    match landlock::version() {
        Some(version) => SandboxSupport::Landlock(version),
        None => SandboxSupport::Nothing(format!("{fails}, and the kernel has no Landlock")),
    }
}

/// Runs `true` in the kind of sandbox that commands get.
fn try_bubblewrap(program: &std::path::Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(bubblewrap::probe()).stdin(Stdio::null());
    let output = bubblewrap::pass_filter(&mut command)
        .and_then(|()| command.output())
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().next().unwrap_or("without a message");
    Err(line.trim().to_owned())
}
