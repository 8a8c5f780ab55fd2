//! Who sees the memory of this process, its environment among it.

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// Hides it from other processes of this user.
pub(crate) fn hide() {
    // Without it `/proc` shows the environment to other processes of this user, as it did before.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
