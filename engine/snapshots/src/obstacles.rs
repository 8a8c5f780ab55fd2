//! Where a merge would need a file and a folder of the same name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::combine::MergeStep;

/// The files to be written that cannot be, by path.
pub(crate) fn obstacles(root: &Path, steps: &BTreeMap<&Path, MergeStep<'_>>) -> Vec<PathBuf> {
    let is_written = |path: &Path| matches!(steps.get(path), Some(MergeStep::Write(_)));
    let is_removed = |path: &Path| matches!(steps.get(path), Some(MergeStep::Remove));
    let is_kept_file = |path: &Path| {
        let metadata = fs::symlink_metadata(root.join(path));
        metadata.is_ok_and(|metadata| !metadata.is_dir()) && !is_removed(path)
    };
    let written = steps.keys().copied().filter(|path| is_written(path));
    let blocked = written.filter(|path| {
        let mut folders = path.ancestors().skip(1);
        folders.any(|folder| {
            !folder.as_os_str().is_empty() && (is_written(folder) || is_kept_file(folder))
        }) || keeps_files(root, path, &is_removed)
    });
    blocked.map(Path::to_owned).collect()
}

/// Whether a path is a folder that will still have files in it.
fn keeps_files(root: &Path, path: &Path, is_removed: &impl Fn(&Path) -> bool) -> bool {
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        let is_folder = fs::symlink_metadata(root.join(&folder)).is_ok_and(|one| one.is_dir());
        if !is_folder {
            continue;
        }
        for entry in fs::read_dir(root.join(&folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let below = folder.join(entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(below);
            } else if !is_removed(&below) {
                return true;
            }
        }
    }
    false
}
