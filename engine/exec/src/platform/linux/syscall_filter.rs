//! A filter of system calls for commands in a sandbox: what the sandbox does not know.
//!
//! Refused are everywhere the kernel's keyrings, which hold keys of the user's session, sockets to the host of a virtual
//! machine, and input into the terminal on behalf of the user. Where Landlock confines commands, Unix sockets are refused
//! too, by which a service of the user would do for a command what it cannot do itself, and, without network, all sockets
//! but those that list network interfaces. Pairs of connected sockets are allowed: they lead nowhere. `io_uring` is
//! refused, since it opens sockets without a system call. So are limits and priorities of other processes, which Landlock
//! does not know: with no time left on the processor, the engine would be ended. By its number a process cannot be distinguished
//! from a child, so a command sets them only for itself, before it starts the rest. A call by the rules of another
//! architecture ends the process.

use std::io;

/// The descriptor that bubblewrap reads the filter from.
pub(crate) const DESCRIPTOR: i32 = 3;

/// What a filter is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Commands in namespaces, which limit the network and sockets themselves.
    Namespace,
    Landlock {
        network: bool,
    },
}

/// Filters the calls of this thread and of everything it starts from now on.
///
/// # Errors
/// The kernel refuses the filter. Where there is none for this processor, nothing is filtered.
pub(super) fn apply(network: bool) -> io::Result<()> {
    let Some(program) = program(Purpose::Landlock { network })? else {
        return Ok(());
    };
    seccompiler::apply_filter(&program).map_err(io::Error::other)
}

/// Passes the filter for a command in namespaces to the command that is bubblewrap.
///
/// # Errors
/// There is no pipe.
pub(crate) fn pass(command: &mut impl command_fds::CommandFdExt) -> io::Result<()> {
    let Some(filter) = for_namespace()? else {
        return Ok(());
    };
    let mapping = command_fds::FdMapping {
        parent_fd: filter,
        child_fd: DESCRIPTOR,
    };
    let mapped = command.fd_mappings(vec![mapping]);
    mapped.map(|_| ()).map_err(io::Error::other)
}

/// The filter for a command in namespaces, as bubblewrap reads it. None where there is none for this processor.
///
/// # Errors
/// There is no pipe.
fn for_namespace() -> io::Result<Option<std::os::fd::OwnedFd>> {
    use std::io::Write;
    let Some(program) = program(Purpose::Namespace)? else {
        return Ok(None);
    };
    let instructions = program.iter().flat_map(|one| {
        let [low, high] = one.code.to_ne_bytes();
        [low, high, one.jt, one.jf]
            .into_iter()
            .chain(one.k.to_ne_bytes())
    });
    let bytes: Vec<u8> = instructions.collect();
    // Less than what a pipe holds without a reader.
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(&bytes)?;
    Ok(Some(reader.into()))
}

/// Whether there is a filter for this processor.
pub(crate) fn is_supported() -> bool {
    matches!(std::env::consts::ARCH, "x86_64" | "aarch64" | "riscv64")
}

fn program(purpose: Purpose) -> io::Result<Option<seccompiler::BpfProgram>> {
    let Ok(architecture) = std::env::consts::ARCH.try_into() else {
        return Ok(None);
    };
    filter(purpose, architecture)
        .map(Some)
        .map_err(io::Error::other)
}

fn filter(
    purpose: Purpose,
    architecture: seccompiler::TargetArch,
) -> Result<seccompiler::BpfProgram, seccompiler::BackendError> {
    use std::collections::BTreeMap;

    use seccompiler::SeccompCmpOp::{Eq, Ne};
    use seccompiler::{
        SeccompAction, SeccompCmpArgLen, SeccompCondition, SeccompFilter, SeccompRule,
    };

    /// Added to the numbers of calls with 32-bit pointers on x86-64.
    const X32: i64 = 0x4000_0000;
    /// From `linux/ioprio.h`.
    const IOPRIO_WHO_USER: i64 = 3;

    let argument = |index: u8, operation, value: i64| {
        let value = u64::try_from(value).unwrap_or_default();
        let condition = SeccompCondition::new(index, SeccompCmpArgLen::Dword, operation, value)?;
        SeccompRule::new(vec![condition])
    };
    let sockets = match purpose {
        Purpose::Namespace => vec![argument(0, Eq, libc::AF_VSOCK.into())?],
        Purpose::Landlock { network: true } => vec![
            argument(0, Eq, libc::AF_UNIX.into())?,
            argument(0, Eq, libc::AF_VSOCK.into())?,
        ],
        Purpose::Landlock { network: false } => vec![argument(0, Ne, libc::AF_NETLINK.into())?],
    };
    let refused = [
        (libc::SYS_socket, sockets),
        (libc::SYS_io_uring_setup, Vec::new()),
        (libc::SYS_add_key, Vec::new()),
        (libc::SYS_keyctl, Vec::new()),
        (libc::SYS_request_key, Vec::new()),
        (
            libc::SYS_ioctl,
            vec![
                argument(1, Eq, i64::try_from(libc::TIOCSTI).unwrap_or_default())?,
                argument(1, Eq, i64::try_from(libc::TIOCLINUX).unwrap_or_default())?,
            ],
        ),
    ];
    // Priorities take a kind, and 0 is oneself; but all processes of the user for the last kind.
    let others = match purpose {
        // Which has process numbers of its own.
        Purpose::Namespace => Vec::new(),
        Purpose::Landlock { .. } => vec![
            (libc::SYS_prlimit64, vec![argument(0, Ne, 0)?]),
            (
                libc::SYS_setpriority,
                vec![
                    argument(0, Eq, libc::PRIO_USER.into())?,
                    argument(1, Ne, 0)?,
                ],
            ),
            (
                libc::SYS_ioprio_set,
                vec![argument(0, Eq, IOPRIO_WHO_USER)?, argument(1, Ne, 0)?],
            ),
            (libc::SYS_sched_setscheduler, vec![argument(0, Ne, 0)?]),
            (libc::SYS_sched_setparam, vec![argument(0, Ne, 0)?]),
            (libc::SYS_sched_setattr, vec![argument(0, Ne, 0)?]),
        ],
    };
    let rules: BTreeMap<i64, Vec<SeccompRule>> = refused
        .into_iter()
        .chain(others)
        .flat_map(|(call, rules)| [(call, rules.clone()), (call | X32, rules)])
        .collect();
    let errno = u32::try_from(libc::EACCES).unwrap_or_default();
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(errno),
        architecture,
    )?;
    filter.try_into()
}
