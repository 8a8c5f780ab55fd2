//! Which variables of this process a command must not see: those whose names say that they are secret.

use crate::redact::is_secret_name;

/// The variables of this process that are secret.
pub(super) fn secret_names() -> impl Iterator<Item = std::ffi::OsString> {
    std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| is_secret_name(&name.to_string_lossy()))
}
