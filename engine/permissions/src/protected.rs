//! Files that nothing an agent does changes: what Git runs or obeys, and the state and the configuration of runs.

use std::path::Path;

/// Folders, and files of the same name, that are not changed. `.git` has hooks and a configuration that name
/// commands; `.attractor` has the state and the configuration of runs.
const PROTECTED: &[&str] = &[".git", ".attractor"];

/// Whether a path, resolved and relative to the workspace, is write-protected, at any depth. Upper case does not help: some file systems ignore it.
pub fn is_protected(below: &Path) -> bool {
    below.components().any(|part| {
        let name = part.as_os_str();
        PROTECTED
            .iter()
            .any(|protected| name.eq_ignore_ascii_case(protected))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_and_run_state_are_protected_at_any_depth() {
        for path in [
            ".git/hooks/pre-commit",
            ".git/config",
            ".GIT/config",
            ".git",
            "vendor/lib/.git/hooks/post-checkout",
            ".attractor/config.toml",
            ".attractor/runs/x/journal.jsonl",
        ] {
            assert!(is_protected(Path::new(path)), "{path}");
        }
        for path in [".gitignore", ".github/workflows/ci.yml", "git/hooks/x"] {
            assert!(!is_protected(Path::new(path)), "{path}");
        }
    }
}
