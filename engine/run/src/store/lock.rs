//! One process owns a run.
//!
//! The lock is the operating system's, on `lock` in the run's directory: it is gone the moment its
//! owner is, also after `kill -9`. The file's text only says who it is, for a message to the second one.
//! `epoch` counts the owners, so that traces of an earlier one can be told apart.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::RunError;

/// Who owns a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub(crate) pid: u32,
    pub(crate) program: String,
    /// RFC 3339.
    pub(crate) since: String,
    /// How many owners there have been, this one included.
    pub(crate) epoch: u64,
}

/// Ownership of a run, until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Closing the file is not enough: a command that is just being started may have a copy of it open.
    fn drop(&mut self) {
        // A lock that cannot be given up goes with the process.
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the run in `directory`, or says who has it.
    pub(crate) fn acquire(directory: &Path, run: &str, since: &str) -> Result<Self, RunError> {
        let path = directory.join("lock");
        let fail = || RunError::io("cannot lock", &path);
        let mut file = open(&path).map_err(fail())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let owner = read(&mut file).unwrap_or_default();
                return Err(RunError::Locked {
                    run: run.to_owned(),
                    pid: owner.pid,
                    program: owner.program,
                    since: owner.since,
                });
            }
            Err(TryLockError::Error(error)) => return Err(fail()(error)),
        }
        let epoch = read(&mut file).map_or(0, |owner| owner.epoch) + 1;
        let owner = Owner {
            pid: std::process::id(),
            program: program(),
            since: since.to_owned(),
            epoch,
        };
        write(&mut file, &owner).map_err(fail())?;
        Ok(Self { file })
    }

    /// Who owns the run in `directory` now, if anyone does.
    pub(crate) fn owner(directory: &Path) -> Option<Owner> {
        let mut file = OpenOptions::new()
            .read(true)
            .open(directory.join("lock"))
            .ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(read(&mut file).unwrap_or_default()),
            _ => None,
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn read(file: &mut File) -> Option<Owner> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn write(file: &mut File, owner: &Owner) -> io::Result<()> {
    let text = serde_json::to_string(owner)?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}

fn program() -> String {
    std::env::current_exe()
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_else(|| "attractor".to_owned())
}
