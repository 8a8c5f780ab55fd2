//! Files of variables, `.env`, as they are shown: they hold passwords.

use attractor_exec::sha256;

/// The names of the variables in a file of those, and the hash of all of it, by which a change is noticed; nothing for
/// other files.
pub(super) fn hidden_values(path: &str, content: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name != ".env" && !name.starts_with(".env.") {
        return None;
    }
    let names = content.lines().filter_map(|line| line.split_once('='));
    let names = names.map(|(name, _)| format!("{}=(hidden)\n", name.trim()));
    let hash = format!("SHA-256: {}\n", sha256(content));
    Some(names.chain([hash]).collect())
}
