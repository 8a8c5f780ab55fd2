//! The profile of Seatbelt, the sandbox of macOS: a text in its policy language, which is a Scheme.
//!
//! Everything is refused but what the profile allows, and of two rules that fit, the later one counts. So what is read-only
//! in a writable folder follows that folder, and what is unreadable follows everything.
//!
//! A rule names a file by its path, so a protected file would lose its protection with the folder that it is in: the
//! folders above it can be neither moved nor removed.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::process::Job;

/// What a command may do. The paths have no links in them, since the system compares them with the real ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SeatbeltPolicy {
    /// What may be written, with all below it.
    pub(super) writable: Vec<PathBuf>,
    /// What of it may not.
    pub(super) read_only: Vec<PathBuf>,
    /// What may be neither read nor written.
    pub(super) unreadable: Vec<PathBuf>,
    /// Folders in which commands create sockets and connect to them, and sockets of the engine.
    pub(super) sockets: Vec<PathBuf>,
    /// Whether the network can be reached.
    pub(super) network: bool,
}

/// Programs and the processes they start, which see and signal each other only; files to read; terminals they create
/// themselves. Of the system's services only those that look up users, folders and notifications: others, such as the
/// keychain or those that start programs, would act for a command outside of its sandbox.
const BASE: &str = r#"(version 1)
(deny default)
(allow process-exec*)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow file-read*)
(allow file-map-executable)
(allow file-write-data
  (literal "/dev/null")
  (literal "/dev/zero")
  (subpath "/dev/fd"))
(allow file-ioctl file-write-data
  (literal "/dev/dtracehelper"))
(allow pseudo-tty)
(allow file-ioctl file-write*
  (literal "/dev/ptmx")
  (require-all
    (regex #"^/dev/ttys[0-9]+$")
    (extension "com.apple.sandbox.pty")))
(allow sysctl-read)
(deny sysctl-read
  (sysctl-name-prefix "kern.procargs"))
(allow ipc-posix-sem)
(allow mach-lookup
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
"#;

/// Connections by IP, and the services that look up names and check certificates; no other sockets.
const NETWORK: &str = r#"(allow system-socket)
(allow network-bind network-inbound (local ip "*:*"))
(allow network-outbound (remote ip "*:*"))
(allow network-outbound (literal "/private/var/run/mDNSResponder"))
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.trustd")
  (global-name "com.apple.trustd.agent"))
"#;

/// The text of a profile.
///
/// # Errors
/// A path is not UTF-8: no rule could name it.
pub(super) fn profile(policy: &SeatbeltPolicy) -> io::Result<String> {
    let mut text = BASE.to_owned();
    if policy.network {
        text += NETWORK;
    }
    let mut rule = |words: &str, filter: &str, paths: &[PathBuf]| -> io::Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        text.extend(["(", words]);
        for path in paths {
            text.extend(["\n  (", filter, " ", &literal(path)?, ")"]);
        }
        text += ")\n";
        Ok(())
    };
    let sockets = "allow network-bind network-inbound network-outbound";
    rule(sockets, "subpath", &policy.sockets)?;
    rule("allow file-write*", "subpath", &policy.writable)?;
    rule("deny file-write*", "subpath", &policy.read_only)?;
    rule("deny file-write-unlink", "literal", &policy.fixed())?;
    let unreadable = "deny file-read* file-write*";
    rule(unreadable, "subpath", &policy.unreadable)?;
    Ok(text)
}

/// The command of a job in Seatbelt: `sandbox-exec` applies the profile to itself and becomes the command.
///
/// # Errors
/// A path is not UTF-8.
pub(super) fn contain(program: &Path, policy: &SeatbeltPolicy, job: &mut Job) -> io::Result<()> {
    let program = program.to_string_lossy().into_owned();
    let before = [program, "-p".to_owned(), profile(policy)?, "--".to_owned()];
    job.argv.splice(0..0, before);
    Ok(())
}

impl SeatbeltPolicy {
    /// The folders between what may be written and what is protected in it.
    fn fixed(&self) -> Vec<PathBuf> {
        let protected = self.read_only.iter().chain(&self.unreadable);
        let folders = protected.flat_map(|path| path.ancestors().skip(1));
        let is_writable = |path: &&Path| self.writable.iter().any(|one| path.starts_with(one));
        let fixed: BTreeSet<&Path> = folders.filter(is_writable).collect();
        fixed.into_iter().map(Path::to_owned).collect()
    }
}

/// A path as a string of Scheme.
fn literal(path: &Path) -> io::Result<String> {
    let text = path
        .to_str()
        .ok_or_else(|| io::Error::other(format!("{} is not UTF-8", path.display())))?;
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => literal.extend(['\\', letter]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            letter => literal.push(letter),
        }
    }
    literal.push('"');
    Ok(literal)
}

#[cfg(test)]
mod tests;

#[cfg(all(test, target_os = "macos"))]
mod effect_tests;
