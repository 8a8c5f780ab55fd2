//! Checksums of files by their size and times, so that an unchanged file is not read again.
//!
//! A file that was modified just before it was read is not kept: it may be modified again within the same tick of the
//! clock of the file system. A cache that cannot be read is an empty one.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::entry::modified;
use crate::tree::{name_bytes, name_of};

/// What is compared: size, time of modification, time of the last change of the inode, inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) size: u64,
    pub(crate) modified: u64,
    changed: i64,
    inode: u64,
}

impl Stat {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            size: metadata.len(),
            modified: modified(metadata),
            changed: metadata
                .ctime()
                .wrapping_mul(1_000_000_000)
                .wrapping_add(metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }
}

/// The cache of one store.
#[derive(Debug, Default)]
pub(crate) struct StatCache {
    known: HashMap<PathBuf, (Stat, String)>,
}

impl StatCache {
    pub(crate) fn load(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == 0);
        Self {
            known: lines.filter_map(parse).collect(),
        }
    }

    /// The checksum of a file that did not change since.
    pub(crate) fn get(&self, path: &Path, stat: Stat) -> Option<&String> {
        let (known, checksum) = self.known.get(path)?;
        (*known == stat).then_some(checksum)
    }

    pub(crate) fn insert(&mut self, path: PathBuf, stat: Stat, checksum: String) {
        self.known.insert(path, (stat, checksum));
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// What cannot be saved is read again by the next snapshot.
    pub(crate) fn save(&self, path: &Path) {
        let temporary = path.with_extension(format!("new-{}", std::process::id()));
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(fs::File::create(&temporary)?);
            for (path, (stat, checksum)) in &self.known {
                let Stat {
                    size,
                    modified,
                    changed,
                    inode,
                } = stat;
                write!(file, "{size} {modified} {changed} {inode} {checksum} ")?;
                file.write_all(&name_bytes(path.as_os_str()))?;
                file.write_all(&[0])?;
            }
            file.into_inner()?;
            fs::rename(&temporary, path)
        };
        if write().is_err() {
            let _ = fs::remove_file(&temporary);
        }
    }
}

fn parse(line: &[u8]) -> Option<(PathBuf, (Stat, String))> {
    let mut parts = line.splitn(6, |byte| *byte == b' ');
    let mut part = || std::str::from_utf8(parts.next()?).ok();
    let stat = Stat {
        size: part()?.parse().ok()?,
        modified: part()?.parse().ok()?,
        changed: part()?.parse().ok()?,
        inode: part()?.parse().ok()?,
    };
    let checksum = part()?.to_owned();
    Some((name_of(parts.next()?).into(), (stat, checksum)))
}
