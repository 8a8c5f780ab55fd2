//! Landlock: a process confines itself, and what it starts is confined too.
//!
//! The confined thread starts the command and ends. So nothing else of this program is confined.

use std::io;

use tokio::process::{Child, Command};
use tokio::runtime::Handle;

use super::settings::Confinement;

/// Starts a command that is confined.
///
/// # Errors
/// The kernel refuses the confinement, or the command cannot be started.
pub(crate) fn spawn_confined(
    command: &mut Command,
    confinement: &Confinement,
) -> io::Result<Child> {
    let runtime = Handle::current();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            confine(confinement)?;
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
    use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
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
fn confine(confinement: &Confinement) -> io::Result<()> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
        path_beneath_rules,
    };
    let abi = ABI::V5;
    let confined = || {
        let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(abi))?;
        if !confinement.network {
            ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
        }
        ruleset
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::from_read(abi)))?
            .add_rules(path_beneath_rules(
                &confinement.writable,
                AccessFs::from_all(abi),
            ))?
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
fn confine(_: &Confinement) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
