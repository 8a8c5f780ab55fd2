//! Files of a workspace: compared with what a snapshot says, written in one step, removed.

use std::ffi::OsStr;
use std::fs::{self, FileTimes};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use attractor_exec::{is_beneath, sha256};

use crate::capture::content;
use crate::entry::{Entry, FileKind};
use crate::tree::name_of;

/// Whether a file is as an entry says; without one, whether it is not there.
pub(crate) fn is_as(root: &Path, path: &Path, entry: Option<&Entry>) -> bool {
    let metadata = fs::symlink_metadata(root.join(path)).ok();
    let now = metadata.and_then(|metadata| Some((FileKind::of(&metadata)?, metadata)));
    match (now, entry) {
        (None, None) => true,
        (Some((kind, metadata)), Some(entry)) if kind == entry.kind => match &entry.checksum {
            Some(checksum) if kind == FileKind::Link || metadata.len() == entry.size => {
                content(root, path, kind, entry.size)
                    .is_ok_and(|content| sha256(content) == *checksum)
            }
            Some(_) => false,
            None => {
                metadata.len() == entry.size && crate::entry::modified(&metadata) == entry.modified
            }
        },
        _ => false,
    }
}

/// Removes a file, and the folders that are empty without it.
pub(crate) fn remove(root: &Path, path: &Path) -> io::Result<()> {
    let full = recordable(root, path)?;
    fs::remove_file(&full)?;
    let folders = path.ancestors().skip(1);
    for folder in folders.filter(|folder| !folder.as_os_str().is_empty()) {
        if fs::remove_dir(root.join(folder)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Writes a file in one step; its other permissions stay.
pub(crate) fn write(root: &Path, path: &Path, kind: FileKind, content: &[u8]) -> io::Result<()> {
    let full = recordable(root, path)?;
    if let Some(folder) = full.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = temporary(&full);
    let written = if kind == FileKind::Link {
        link(&name_of(content), &temporary)
    } else {
        write_file(&temporary, &full, kind, content)
    };
    let done = written.and_then(|()| fs::rename(&temporary, &full));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Where a file of a snapshot is. What no snapshot records, none restores: records may come from somebody else.
fn recordable(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let is_recorded = |name: &OsStr| {
        let name = name.to_string_lossy().to_lowercase();
        !matches!(&*name, ".git" | ".attractor")
    };
    if path.iter().all(is_recorded) {
        return beneath(root, path);
    }
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        "snapshots never have files of `.git` and `.attractor`; these records were not written by attractor",
    ))
}

/// Copies a file into the workspace in one step.
pub(crate) fn place(root: &Path, path: &Path, from: &Path) -> io::Result<()> {
    let full = beneath(root, path)?;
    if let Some(folder) = full.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = temporary(&full);
    let done = copy(from, &temporary).and_then(|()| fs::rename(&temporary, &full));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// What is there; none where it is neither a file nor a symbolic link.
pub(crate) fn kind_of(path: &Path) -> Option<FileKind> {
    FileKind::of(&fs::symlink_metadata(path).ok()?)
}

/// A name next to a file. It is the same every time: what a process that was killed has left there is overwritten.
fn temporary(full: &Path) -> PathBuf {
    let mut name = full.file_name().unwrap_or_default().to_owned();
    name.push(".attractor-new");
    full.with_file_name(name)
}

fn write_file(temporary: &Path, full: &Path, kind: FileKind, content: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(temporary)?;
    file.write_all(content)?;
    let known = fs::symlink_metadata(full)
        .ok()
        .filter(fs::Metadata::is_file);
    let mode = known.map_or(0o644, |metadata| metadata.permissions().mode() & 0o777);
    let mode = if kind == FileKind::Executable {
        mode | ((mode & 0o444) >> 2)
    } else {
        mode & !0o111
    };
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    file.sync_all()
}

/// Copies a file or a symbolic link; nothing when it is not there.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let Ok(metadata) = fs::symlink_metadata(from) else {
        return Ok(());
    };
    match FileKind::of(&metadata) {
        Some(FileKind::Link) => link(fs::read_link(from)?.as_os_str(), to),
        Some(FileKind::File | FileKind::Executable) => {
            fs::copy(from, to)?;
            let times = FileTimes::new().set_modified(metadata.modified()?);
            // A file that nobody may write keeps the time of the copy.
            let _ = fs::File::options()
                .write(true)
                .open(to)
                .and_then(|file| file.set_times(times));
            Ok(())
        }
        None => Ok(()),
    }
}

pub(crate) fn link(target: &std::ffi::OsStr, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// The full path of a file. The folders of it that exist are beneath the root, also after links are followed.
fn beneath(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let full = root.join(path);
    let mut folders = full.ancestors().skip(1);
    let existing = folders.find(|folder| fs::symlink_metadata(folder).is_ok());
    if existing.is_some_and(|folder| is_beneath(root, folder)) {
        Ok(full)
    } else {
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "its folder is a link out of the workspace",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_snapshot_records_none_restores() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            ".git/config",
            "lib/.GIT/hooks/pre-commit",
            ".attractor/config.toml",
        ] {
            let written = write(folder.path(), Path::new(path), FileKind::File, b"x");
            assert_eq!(
                written.unwrap_err().kind(),
                io::ErrorKind::PermissionDenied,
                "{path}"
            );
        }
        write(folder.path(), Path::new("git/config"), FileKind::File, b"x").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
