//! What sandboxes this machine offers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::bubblewrap;
use super::seatbelt::{self, SeatbeltPolicy};
use crate::platform::{self, landlock, syscall_filter};
use crate::process::{Job, find_program};

/// The sandbox of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxSupport {
    /// bubblewrap works.
    Bubblewrap(PathBuf),
    /// The kernel has Landlock, of this version.
    Landlock(i32),
    /// Seatbelt works, by this program.
    Seatbelt(PathBuf),
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
            Self::Seatbelt(path) => format!("Seatbelt ({})", path.display()),
            Self::Nothing(reason) => format!("none: {reason}"),
        }
    }
}

fn probe() -> SandboxSupport {
    if let Some(program) = platform::SANDBOX_EXEC {
        let program = PathBuf::from(program);
        return match try_seatbelt(&program) {
            Ok(()) => SandboxSupport::Seatbelt(program),
            Err(reason) => SandboxSupport::Nothing(format!("Seatbelt fails ({reason})")),
        };
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
fn try_bubblewrap(program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(bubblewrap::probe());
    syscall_filter::pass(&mut command).map_err(|error| error.to_string())?;
    works(command)
}

/// The same with Seatbelt.
fn try_seatbelt(program: &Path) -> Result<(), String> {
    let mut job = Job {
        argv: vec!["true".to_owned()],
        ..Job::default()
    };
    seatbelt::contain(program, &SeatbeltPolicy::default(), &mut job)
        .map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(job.argv.iter().skip(1));
    works(command)
}

fn works(mut command: Command) -> Result<(), String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().next().unwrap_or("without a message");
    Err(line.trim().to_owned())
}
