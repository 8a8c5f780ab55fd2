//! Reads a workspace into entries: what changed since the last time is read and stored, the rest is known.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use attractor_exec::{open_beneath, sha256};

use crate::entry::{Entry, FileKind};
use crate::error::SnapshotError;
use crate::objects::Objects;
use crate::stat_cache::{Stat, StatCache};
use crate::tree::name_bytes;
use crate::walk::{Scope, files};

/// How much one snapshot reads and stores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Files that are recorded at all.
    pub(crate) files: usize,
    /// The content of a larger file is not stored.
    pub(crate) stored_size: u64,
    /// A larger file is not read.
    pub(crate) read_size: u64,
    /// Files that are read; the latest modified ones first.
    pub(crate) reads: usize,
    /// Bytes that are read.
    pub(crate) read_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            files: 1_000_000,
            stored_size: 4 * 1024 * 1024,
            read_size: 256 * 1024 * 1024,
            reads: 20_000,
            read_bytes: 512 * 1024 * 1024,
        }
    }
}

/// The files of a workspace.
#[derive(Debug, Default)]
pub(crate) struct Captured {
    pub(crate) files: BTreeMap<PathBuf, Entry>,
    /// Whether these are all of them.
    pub(crate) complete: bool,
}

/// A modification that is closer to the reading is not cached.
const CLOCK_TICK: Duration = Duration::from_millis(50);

pub(crate) fn capture(
    scope: Scope<'_>,
    objects: &Objects,
    cache_file: &Path,
    limits: Limits,
) -> Result<Captured, SnapshotError> {
    let known = StatCache::load(cache_file);
    let mut cache = StatCache::default();
    let mut captured = Captured::default();
    let mut unread: Vec<(PathBuf, Stat, FileKind)> = Vec::new();
    let is_complete = Arc::new(AtomicBool::new(true));
    let mut walk = files(scope, Arc::clone(&is_complete));
    for (path, entry) in walk.by_ref().take(limits.files) {
        let Ok(metadata) = entry.metadata() else {
            // It has just been removed.
            continue;
        };
        let (stat, Some(kind)) = (Stat::of(&metadata), FileKind::of(&metadata)) else {
            continue;
        };
        let checksum = known.get(&path, stat).cloned();
        match &checksum {
            Some(checksum) => cache.insert(path.clone(), stat, checksum.clone()),
            None => unread.push((path.clone(), stat, kind)),
        }
        let entry = Entry {
            kind,
            size: stat.size,
            modified: stat.modified,
            checksum,
        };
        captured.files.insert(path, entry);
    }
    captured.complete = walk.next().is_none() && is_complete.load(Ordering::Relaxed);
    let is_current = unread.is_empty() && cache.len() == known.len();
    // What is worked on was modified lately.
    unread.sort_by_key(|(_, stat, _)| std::cmp::Reverse(stat.modified));
    let mut bytes_left = limits.read_bytes;
    for (path, stat, kind) in unread.into_iter().take(limits.reads) {
        let Some(rest) = bytes_left.checked_sub(stat.size) else {
            continue;
        };
        if stat.size > limits.read_size {
            continue;
        }
        bytes_left = rest;
        let now = now();
        let Ok(content) = content(scope.root, &path, kind, limits.read_size) else {
            // It cannot be read, or is not there any more.
            continue;
        };
        let is_large = content.len() as u64 > limits.stored_size;
        let checksum = if is_large || (scope.is_private)(&content) {
            sha256(&content)
        } else {
            objects.put(&content)?
        };
        let tick = u64::try_from(CLOCK_TICK.as_nanos()).unwrap_or(u64::MAX);
        if stat.modified.saturating_add(tick) < now {
            cache.insert(path.clone(), stat, checksum.clone());
        }
        if let Some(entry) = captured.files.get_mut(&path) {
            entry.checksum = Some(checksum);
        }
    }
    if !is_current {
        cache.save(cache_file);
    }
    Ok(captured)
}

/// The content of a file, or where a link leads.
pub(crate) fn content(root: &Path, path: &Path, kind: FileKind, most: u64) -> io::Result<Vec<u8>> {
    if kind == FileKind::Link {
        return Ok(name_bytes(fs::read_link(root.join(path))?.as_os_str()));
    }
    let mut content = Vec::new();
    let file = open_beneath(root, path)?;
    file.take(most.saturating_add(1))
        .read_to_end(&mut content)?;
    if content.len() as u64 > most {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge));
    }
    Ok(content)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    })
}
