//! Where a symbolic link leads, step by step.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// As many links as the kernel follows.
const MAX_LINKS: usize = 40;

/// The links of the workspace that a path leads through after itself, and what it leads to in the end, if that is in the
/// workspace. Empty for what is not a link.
pub(super) fn link_chain(path: &Path, root: &Path) -> Vec<PathBuf> {
    let mut chain = Vec::new();
    if !path.is_symlink() {
        return chain;
    }
    let mut at = PathBuf::new();
    let mut rest: VecDeque<OsString> = parts(path);
    let mut links = 0;
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        at.push(part);
        let Ok(target) = fs::read_link(&at) else {
            continue;
        };
        links += 1;
        if links > MAX_LINKS {
            return Vec::new();
        }
        chain.push(at.clone());
        at.pop();
        if target.is_absolute() {
            at = PathBuf::new();
        }
        for part in parts(&target).into_iter().rev() {
            rest.push_front(part);
        }
    }
    if fs::symlink_metadata(&at).is_ok() {
        chain.push(at);
    }
    chain.retain(|one| one != path && one != root && one.starts_with(root));
    chain
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let parts = path.components();
    parts
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_link_on_the_way_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("cfg/one")).unwrap();
        fs::write(root.join("cfg/one/env"), "").unwrap();
        symlink("one", root.join("cfg/current")).unwrap();
        symlink("cfg/../cfg/current/env", root.join(".envrc")).unwrap();
        symlink("/etc/hosts", root.join("outside")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let chain = |name: &str| {
            let chain = link_chain(&root.join(name), &root).into_iter();
            let below = chain.map(|one| one.strip_prefix(&root).unwrap().to_owned());
            below.collect::<Vec<_>>()
        };
        let expected = ["cfg/current", "cfg/one/env"].map(PathBuf::from);
        assert_eq!(chain(".envrc"), expected);
        assert!(chain("cfg/one/env").is_empty());
        assert!(chain("outside").is_empty());
        assert!(chain("loop").is_empty());
    }
}
