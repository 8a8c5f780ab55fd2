//! The secrets in this process's environment: known to the engine, kept from everything it starts.
//!
//! Filtering the environment of a command is not enough: the command may read `/proc/PPID/environ`, and that
//! block keeps what the process was started with. So a program that runs pipelines calls [`protect`] first:
//! it starts itself again in the same process without those variables, hands them over through a pipe, and
//! is no longer readable through `/proc` by other processes of the same user.
//!
//! The files that the caller of the program left open are kept from commands as well: a sandbox confines the opening
//! of files, not the use of open ones.
//!
//! The engine as a library cannot do this; there the filter of the commands' environment still holds.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::platform::memory;
use crate::redact::is_secret_variable;

/// Names the file descriptor secrets are handed over by.
const HANDOVER: &str = "ATTRACTOR_SECRETS_FD";

/// What a pipe holds without a reader: secrets beyond that are filtered, but not moved.
const PIPE_CAPACITY: usize = 60 * 1024;

const FIRST_AFTER_STANDARD_STREAMS: i32 = 3;

/// The secrets passed to [`protect`]; empty if it was not called.
static HANDED_OVER: OnceLock<BTreeMap<String, String>> = OnceLock::new();

/// Moves secrets out of this process's environment, and keeps open files from what it starts. Call it first, before
/// threads and runtimes exist.
///
/// It does not return on the first call in a process whose environment holds secrets: the program starts
/// again with the same arguments, and its call returns. Where that is not possible it returns at once.
pub fn protect() {
    memory::hide();
    close_fds::set_fds_cloexec(FIRST_AFTER_STANDARD_STREAMS, &[]);
    match std::env::var(HANDOVER) {
        Ok(descriptor) => {
            let _ = HANDED_OVER.set(receive(&descriptor));
        }
        Err(_) => restart_without_secrets(),
    }
}

/// A variable of the environment this program was started with.
pub fn variable(name: &str) -> Option<String> {
    let handed_over = HANDED_OVER.get().and_then(|secrets| secrets.get(name));
    handed_over
        .cloned()
        .or_else(|| std::env::var(name).ok())
        .filter(|value| !value.is_empty())
}

/// The secrets of the environment: their names and values.
pub fn secrets() -> BTreeMap<String, String> {
    let mut secrets = HANDED_OVER.get().cloned().unwrap_or_default();
    secrets.extend(in_environment());
    secrets
}

/// The variables that what this process starts must not see.
pub fn hidden_names() -> impl Iterator<Item = String> {
    in_environment()
        .map(|(name, _)| name)
        .chain([HANDOVER.to_owned()])
}

fn in_environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        is_secret_variable(&name, &value).then_some((name, value))
    })
}

/// Reads what the process was before it started again. The pipe has no writer any more, so this ends.
fn receive(descriptor: &str) -> BTreeMap<String, String> {
    let Ok(descriptor) = descriptor.parse::<u32>() else {
        return BTreeMap::new();
    };
    std::fs::read(format!("/dev/fd/{descriptor}"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}

/// Starts this program again in this process, without secrets in its environment. Returns if it cannot.
fn restart_without_secrets() {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    let secrets: BTreeMap<String, String> = in_environment().collect();
    let Ok(bytes) = serde_json::to_vec(&secrets) else {
        return;
    };
    if secrets.is_empty() || bytes.len() > PIPE_CAPACITY {
        return;
    }
    let (Ok(program), Ok((reader, mut writer))) = (std::env::current_exe(), std::io::pipe()) else {
        return;
    };
    // The next program has to inherit the reading end.
    if writer.write_all(&bytes).is_err()
        || rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::empty()).is_err()
    {
        return;
    }
    drop(writer);
    let mut arguments = std::env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    command.args(arguments);
    for name in secrets.keys() {
        command.env_remove(name);
    }
    // Returns only if it fails; then everything is as it was.
    let _ = command.env(HANDOVER, reader.as_raw_fd().to_string()).exec();
}
