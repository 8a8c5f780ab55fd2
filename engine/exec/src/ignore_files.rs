//! Whether the files that say what to ignore can be read: a repository may have a link to a device there, which never ends.

use std::fs;
use std::path::Path;

/// More than any such file has.
const LONGEST: u64 = 1024 * 1024;

/// Whether the ignore files in a folder are regular files of a usual size, or missing.
pub fn has_readable_ignore_files(folder: &Path) -> bool {
    [".gitignore", ".ignore"].iter().all(|name| {
        let about = fs::metadata(folder.join(name));
        about.map_or(true, |about| about.is_file() && about.len() <= LONGEST)
    })
}

/// The same for a folder and all that it is in.
pub fn has_readable_ignore_files_above(folder: &Path) -> bool {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    folder.ancestors().all(has_readable_ignore_files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_huge_files_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        assert!(has_readable_ignore_files_above(&inner));
        let ignore = folder.path().join(".gitignore");
        fs::write(&ignore, "target\n").unwrap();
        assert!(has_readable_ignore_files(folder.path()));
        fs::remove_file(&ignore).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &ignore).unwrap();
        assert!(!has_readable_ignore_files(folder.path()));
        assert!(!has_readable_ignore_files_above(&inner));
    }
}
