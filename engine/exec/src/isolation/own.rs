//! The sandbox of commands that the engine itself calls on files that may be an attacker's, such as Git.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::bubblewrap;
use super::capabilities::Capabilities;
use super::landlock;
use super::seatbelt::{self, SeatbeltPolicy};
use super::settings::{Confinement, LandlockRules};
use super::support::SandboxSupport;
use crate::process::Job;

/// What a command of the engine may write.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OwnAccess<'a> {
    pub(crate) writable: &'a [PathBuf],
    /// What of it stays as it is, in a sandbox that can say so.
    pub(crate) read_only: &'a [PathBuf],
}

/// The job in the sandbox of this machine, if it has one: without network, and writing only what it may.
///
/// # Errors
/// A path is not UTF-8.
pub(crate) fn contain_own(mut job: Job, access: OwnAccess<'_>) -> io::Result<Job> {
    match SandboxSupport::of_this_machine() {
        SandboxSupport::Bubblewrap(program) => {
            let words = arguments(program, access, &job.directory).into_iter();
            let mut argv = words
                .map(|word| {
                    word.into_string().map_err(|word| {
                        io::Error::other(format!("{} is not UTF-8", word.to_string_lossy()))
                    })
                })
                .collect::<io::Result<Vec<String>>>()?;
            argv.append(&mut job.argv);
            job.argv = argv;
            job.confinement = Some(Confinement::Namespace);
        }
        SandboxSupport::Landlock(_) => {
            let writable = access.writable.iter().cloned();
            job.confinement = Some(Confinement::Landlock(LandlockRules {
                writable: writable
                    .chain(landlock::DEVICES.map(PathBuf::from))
                    .collect(),
                network: false,
                capabilities: Capabilities::for_work_in(&job.directory),
            }));
        }
        SandboxSupport::Seatbelt(program) => {
            seatbelt::contain(program, &SeatbeltPolicy::of_engine(access), &mut job)?;
        }
        SandboxSupport::Nothing(_) => {}
    }
    Ok(job)
}

/// bubblewrap and its arguments before the command.
fn arguments(program: &Path, access: OwnAccess<'_>, directory: &Path) -> Vec<OsString> {
    let mut all = bubblewrap::base(Capabilities::for_work_in(directory), false);
    for path in access.writable {
        all.bind("--bind-try", path);
    }
    for path in access.read_only {
        all.bind("--ro-bind-try", path);
    }
    all.words(&["--chdir"]);
    all.0.extend([directory.into(), "--".into()]);
    let program = std::iter::once(program.as_os_str().to_owned());
    program.chain(all.0).collect()
}
