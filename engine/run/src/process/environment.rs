//! Which variables of this process a command must not see: those whose names say that they are secret.

/// Whether a variable of that name holds a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "_API_KEY",
        "_SECRET",
        "_TOKEN",
        "_PASSWORD",
        "_KEY_ID",
        "_ACCESS_KEY",
    ];
    const WHOLE: &[&str] = &["API_KEY", "SECRET", "TOKEN", "PASSWORD"];
    let name = name.to_ascii_uppercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
        || WHOLE.contains(&name.as_str())
        || name.contains("_CREDENTIAL")
}

/// The variables of this process that are secret.
pub(super) fn secret_names() -> impl Iterator<Item = std::ffi::OsString> {
    std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| is_secret_name(&name.to_string_lossy()))
}
