//! Landlock: what the kernel lets a thread, and all that it starts, do from now on.

use std::io;

use super::syscall_filter;
use crate::isolation::LandlockRules;
use crate::isolation::capabilities::Capabilities;
use crate::isolation::settings::WITH_SCOPES;

/// Confines this thread and what it starts from now on.
///
/// # Errors
/// The kernel refuses it.
pub(crate) fn confine(rules: &LandlockRules) -> io::Result<()> {
    restrict(rules)?;
    drop_capabilities(rules.capabilities)?;
    syscall_filter::apply(rules.network)
}

/// The version of Landlock that the kernel has.
pub(crate) fn version() -> Option<i32> {
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

fn restrict(rules: &LandlockRules) -> io::Result<()> {
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

/// Drops all capabilities but those that are kept.
fn drop_capabilities(kept: Capabilities) -> io::Result<()> {
    use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};
    let kept = match kept {
        Capabilities::None => CapabilitySet::empty(),
        Capabilities::Files => CapabilitySet::DAC_OVERRIDE | CapabilitySet::FOWNER,
    };
    let kept = kept & capabilities(None)?.permitted;
    set_capabilities(
        None,
        CapabilitySets {
            effective: kept,
            permitted: kept,
            inheritable: CapabilitySet::empty(),
        },
    )?;
    Ok(())
}
