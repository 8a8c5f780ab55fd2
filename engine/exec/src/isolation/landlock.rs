//! Landlock: a process confines itself, and what it starts is confined too.
//!
//! It limits writing, TCP and, in newer kernels, signals and abstract Unix sockets. The rest of the network and Unix
//! sockets with a path are refused by a filter of system calls (`syscall_filter`). The confined thread starts the command and ends. So nothing else of this program is confined.

use std::io;

use tokio::process::{Child, Command};
use tokio::runtime::Handle;

use super::settings::LandlockRules;
use super::syscall_filter;

/// Devices that commands may write; not the memory that programs share, where files stay.
pub(super) const DEVICES: [&str; 8] = [
    "/dev/full",
    "/dev/null",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/random",
    "/dev/tty",
    "/dev/urandom",
    "/dev/zero",
];

/// The version that keeps signals and abstract Unix sockets in.
pub(super) const WITH_SCOPES: i32 = 6;

/// Starts a command that is confined.
///
/// # Errors
/// The kernel refuses the confinement, or the command cannot be started.
pub(crate) fn spawn_confined(command: &mut Command, rules: &LandlockRules) -> io::Result<Child> {
    let runtime = Handle::current();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            confine(rules)?;
            rules.capabilities.apply()?;
            syscall_filter::apply(rules.network)?;
            let _entered = runtime.enter();
            command.spawn()
        });
        thread
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the thread of the sandbox broke down")))
    })
}

#[cfg(target_os = "linux")]
pub(super) fn version() -> Option<i32> {
    use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};
    let has_scopes = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::from_all(ABI::V6))
        .and_then(Ruleset::create)
        .is_ok();
    if has_scopes {
        return Some(WITH_SCOPES);
    }
    // Each version adds rights; the highest whose rights the kernel knows is its version.
    let versions = [(ABI::V1, 1), (ABI::V2, 2), (ABI::V3, 3), (ABI::V5, 5)];
    let known = versions.into_iter().rev().find(|(abi, _)| {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(*abi))
            .and_then(Ruleset::create)
            .is_ok()
    });
    known.map(|(_, version)| version)
}

#[cfg(target_os = "linux")]
fn confine(rules: &LandlockRules) -> io::Result<()> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
        Scope, path_beneath_rules,
    };
    let abi = ABI::V6;
    let confined = || {
        // What an older kernel does not know is left out.
        let mut ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .scope(Scope::from_all(abi))?;
        if !rules.network {
            ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
        }
        ruleset
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::from_read(abi)))?
            .add_rules(path_beneath_rules(&rules.writable, AccessFs::from_all(abi)))?
            .restrict_self()
    };
    match confined() {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => Ok(()),
        Ok(_) => Err(io::Error::other("the kernel does not enforce Landlock")),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn version() -> Option<i32> {
    None
}

#[cfg(not(target_os = "linux"))]
fn confine(_: &LandlockRules) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
