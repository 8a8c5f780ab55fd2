//! Putting messages and titles together, for lints that may have thousands to say.

/// The parts one after the other: one allocation, and none of the work of `format!`.
pub(super) fn joined<const N: usize>(parts: [&str; N]) -> String {
    let mut text = String::with_capacity(parts.iter().map(|part| part.len()).sum());
    for part in parts {
        text.push_str(part);
    }
    text
}
