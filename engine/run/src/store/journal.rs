//! The journal of a run: the truth, one line per event, on stable storage before the run continues.
//!
//! [`Journal::append`] returns after `fdatasync`, or fails for good: after a failed write or sync
//! nothing more is written (what a disk holds after a failed sync is not known) and the file is cut back
//! to its last durable line. [`load`] reads a journal after anything that may have happened to it: a
//! torn last line is dropped, damage before the end is reported with what could be saved.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use attractor_exec::{AppendFile, Disk, open_regular, read_regular};
use serde::{Deserialize, Serialize};

use super::record::{self, Record};
use crate::error::RunError;

/// A journal open for writing.
pub(crate) struct Journal {
    file: Box<dyn AppendFile>,
    path: PathBuf,
    /// Bytes known to be on stable storage.
    durable: u64,
    /// Reused between steps.
    buffer: String,
    broken: bool,
    /// The end of the last line.
    seal: String,
}

/// A place between two lines of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Bytes before it.
    length: u64,
    /// The last of them: the checksum of the line before.
    seal: String,
}

impl Position {
    /// The end of the journal at `path`, whose last line is whole.
    pub(crate) fn at_end(path: &Path) -> Result<Self, RunError> {
        Self::at(path, SeekFrom::End(0))
    }

    /// A place in the journal at `path`, after a whole line.
    pub(crate) fn at(path: &Path, place: SeekFrom) -> Result<Self, RunError> {
        let read = || {
            let mut file = open_regular(path)?;
            let length = file.seek(place)?;
            file.seek(SeekFrom::Start(length.saturating_sub(SEAL as u64)))?;
            let mut seal = String::new();
            file.take(SEAL as u64).read_to_string(&mut seal)?;
            Ok(Self { length, seal })
        };
        read().map_err(RunError::io("cannot read", path))
    }
}

/// Bytes of a seal: `"0a1b2c3d"}` and the line end.
const SEAL: usize = 12;

/// A journal as it was found.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// Its lines.
    pub(crate) records: Vec<Record>,
    /// Bytes of intact lines; what follows is torn.
    pub(crate) length: u64,
}

impl Journal {
    /// Opens the journal at `path` after its first `length` intact bytes.
    pub(crate) fn open(disk: &dyn Disk, path: &Path, length: u64) -> Result<Self, RunError> {
        let file = disk
            .open_append(path, length)
            .map_err(RunError::io("cannot open", path))?;
        Ok(Self {
            file,
            path: path.to_owned(),
            durable: length,
            buffer: String::new(),
            broken: false,
            seal: String::new(),
        })
    }

    /// Writes the records of one step and waits until they are durable.
    pub(crate) fn append(&mut self, records: &[Record]) -> Result<(), RunError> {
        self.write(records, Durability::Synced)
    }

    /// Writes records that may be lost in a crash: output of a running step.
    pub(crate) fn append_lazily(&mut self, records: &[Record]) -> Result<(), RunError> {
        self.write(records, Durability::Lazy)
    }

    fn write(&mut self, records: &[Record], durability: Durability) -> Result<(), RunError> {
        let fail = RunError::io("cannot write", &self.path);
        if self.broken {
            return Err(fail(io::Error::other("an earlier write failed")));
        }
        self.buffer.clear();
        let written = records
            .iter()
            .try_for_each(|record| record::write(record, &mut self.buffer))
            .map_err(io::Error::other)
            .and_then(|()| self.file.append(self.buffer.as_bytes()))
            .and_then(|()| match durability {
                Durability::Synced => self.file.sync(),
                Durability::Lazy => Ok(()),
            });
        match written {
            Ok(()) => {
                self.durable += self.buffer.len() as u64;
                let end = self.buffer.len().saturating_sub(SEAL);
                if let Some(seal) = self.buffer.get(end..).filter(|seal| !seal.is_empty()) {
                    seal.clone_into(&mut self.seal);
                }
                Ok(())
            }
            Err(error) => {
                self.broken = true;
                // Best effort: a reader drops a torn line anyway.
                let _ = self.file.cut(self.durable);
                Err(fail(error))
            }
        }
    }
}

impl Journal {
    /// Its directory was renamed.
    pub(crate) fn moved(&mut self, path: PathBuf) {
        self.path = path;
    }

    /// Where it ends now; nothing before the first line this process wrote.
    pub(crate) fn position(&self) -> Position {
        Position {
            length: self.durable,
            seal: self.seal.clone(),
        }
    }
}

#[derive(Clone, Copy)]
enum Durability {
    Synced,
    Lazy,
}

/// Reads the journal at `path`.
pub(crate) fn load(path: &Path) -> Result<Loaded, RunError> {
    let bytes = read_regular(path).map_err(RunError::io("cannot read", path))?;
    match parse(&bytes, 0) {
        Ok(loaded) => Ok(loaded),
        Err(damage) => Err(report(path, &bytes, damage)),
    }
}

/// Reads what the journal at `path` has after `position`, where `seq` events lie before it. None when the
/// journal has no such place, or is damaged after it.
pub(crate) fn load_after(path: &Path, seq: u64, position: &Position) -> Option<Loaded> {
    let before = position.length.checked_sub(SEAL as u64)?;
    let mut file = open_regular(path).ok()?;
    file.seek(SeekFrom::Start(before)).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let (seal, rest) = bytes.split_at_checked(SEAL)?;
    if seal != position.seal.as_bytes() {
        return None;
    }
    let mut loaded = parse(rest, seq).ok()?;
    loaded.length += position.length;
    Some(loaded)
}

struct Damage {
    line: usize,
    reason: String,
    saved: Loaded,
}

/// `before` events lie before these bytes.
fn parse(bytes: &[u8], before: u64) -> Result<Loaded, Damage> {
    let mut loaded = Loaded::default();
    let mut rest = bytes;
    let mut line = 0;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (text, tail) = rest.split_at(end);
        let tail = tail.get(1..).unwrap_or_default();
        line += 1;
        let expected = before + loaded.records.len() as u64 + 1;
        let read = record::read(text).and_then(|record| match record.event.seq {
            seq if seq == expected => Ok(record),
            seq => Err(format!("it is event {seq}, but {expected} comes next")),
        });
        match read {
            Ok(record) => loaded.records.push(record),
            // A last line that is whole but wrong is torn too: blocks may reach the disk out of order.
            Err(_) if tail.is_empty() => break,
            Err(reason) => {
                return Err(Damage {
                    line,
                    reason,
                    saved: loaded,
                });
            }
        }
        loaded.length += end as u64 + 1;
        rest = tail;
    }
    Ok(loaded)
}

/// Writes a file in one step. A link that has its name is replaced, not followed: records can come from somebody else.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension(format!("new-{}", std::process::id()));
    // It may not be there.
    let _ = fs::remove_file(&temporary);
    let mut file = fs::File::create_new(&temporary)?;
    let written = file.write_all(content);
    written.and_then(|()| fs::rename(&temporary, path))
}

/// Keeps a copy of the good part next to the journal and says where.
fn report(path: &Path, bytes: &[u8], damage: Damage) -> RunError {
    let kept = path.with_extension("saved.jsonl");
    let length = usize::try_from(damage.saved.length).unwrap_or(usize::MAX);
    let good = bytes.get(..length).unwrap_or(bytes);
    if let Err(error) = replace(&kept, good) {
        return RunError::io("cannot save what is intact to", &kept)(error);
    }
    RunError::Damaged {
        path: path.to_owned(),
        line: damage.line,
        reason: damage.reason,
        saved: damage.saved.records.len() as u64,
        kept,
    }
}
