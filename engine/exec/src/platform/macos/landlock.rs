//! The kernel has no Landlock.

use std::io;

use crate::isolation::LandlockRules;

/// Confines this thread: cannot be done.
///
/// # Errors
/// Always.
pub(crate) fn confine(_rules: &LandlockRules) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The version of Landlock that the kernel has.
pub(crate) fn version() -> Option<i32> {
    None
}
