//! One process owns a run.
//!
//! The lock is the operating system's, on `lock` in the run's directory: it is released the moment its
//! owner ends, also by `kill -9`. The file's text names the owner for a message to the next one. It decides
//! nothing but how long to wait: a child that the owner was just starting (forked, not yet executed) holds a copy
//! of the lock for a moment after the owner died, and a new owner needs a moment to write its name. So a lock
//! whose record names no living process is tried again until [`PATIENCE`] is over.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attractor_exec::{Identity, open_regular};
use serde::{Deserialize, Serialize};

use crate::error::RunError;

/// How long a lock without a living owner is tried again before it is refused all the same: its owner may be
/// invisible from here, in another container.
const PATIENCE: Duration = Duration::from_secs(5);

/// The same for a mere look at who owns a run.
const GLANCE: Duration = Duration::from_millis(200);

const PAUSE: Duration = Duration::from_millis(5);

/// Who owns a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LockOwner {
    #[serde(flatten)]
    pub(crate) process: Identity,
    pub(crate) program: String,
    /// RFC 3339.
    pub(crate) since: String,
    /// How many owners there have been, this one included.
    pub(crate) epoch: u64,
    /// Where it takes requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) socket: Option<PathBuf>,
}

/// Ownership of a run, until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    epoch: u64,
}

impl Drop for Lock {
    /// Closing the file is not enough: a command that is just being started may have a copy of it open.
    fn drop(&mut self) {
        let nobody = LockOwner {
            epoch: self.epoch,
            ..LockOwner::default()
        };
        // A name that stays is that of a process which no longer has the lock: others only wait longer.
        let _ = write(&mut self.file, &nobody);
        // A lock that cannot be released goes with the process.
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the run in `directory`, or says who has it.
    pub(crate) fn acquire(directory: &Path, run: &str, since: &str) -> Result<Self, RunError> {
        let path = directory.join("lock");
        let fail = || RunError::io("cannot lock", &path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(fail())?;
        let held = wait_for(&mut file, File::try_lock, PATIENCE).map_err(fail())?;
        if let Some(owner) = held {
            return Err(RunError::Locked {
                run: run.to_owned(),
                pid: u32::try_from(owner.process.pid).unwrap_or_default(),
                program: owner.program,
                since: owner.since,
            });
        }
        let epoch = read(&mut file).map_or(0, |owner| owner.epoch) + 1;
        let owner = LockOwner {
            process: Identity::current(),
            program: program(),
            since: since.to_owned(),
            epoch,
            socket: None,
        };
        write(&mut file, &owner).map_err(fail())?;
        Ok(Self { file, epoch })
    }

    /// Says where its owner takes requests.
    pub(crate) fn announce(&mut self, socket: &Path) -> io::Result<()> {
        let mut owner = read(&mut self.file).unwrap_or_default();
        owner.socket = Some(socket.to_owned());
        write(&mut self.file, &owner)
    }

    /// Who owns the run in `directory` now, if anyone does.
    pub(crate) fn owner(directory: &Path) -> Option<LockOwner> {
        let mut file = open_regular(&directory.join("lock")).ok()?;
        wait_for(&mut file, File::try_lock_shared, GLANCE).ok()?
    }
}

/// Tries to lock `file` until it succeeds (none), a living process has it, or `patience` is over (its owner, as
/// far as it is known).
fn wait_for(
    file: &mut File,
    attempt: fn(&File) -> Result<(), TryLockError>,
    patience: Duration,
) -> io::Result<Option<LockOwner>> {
    let begun = Instant::now();
    loop {
        match attempt(file) {
            Ok(()) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => {}
        }
        let owner = read(file);
        let is_alive = owner.as_ref().is_some_and(|one| one.process.is_alive());
        if is_alive || begun.elapsed() > patience {
            return Ok(Some(owner.unwrap_or_default()));
        }
        std::thread::sleep(PAUSE);
    }
}

fn read(file: &mut File) -> Option<LockOwner> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn write(file: &mut File, owner: &LockOwner) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// A lock whose record names `owner`, held by a child that inherited it.
    fn inherited(directory: &Path, owner: &LockOwner) -> Child {
        let mut file = File::create(directory.join("lock")).unwrap();
        file.lock().unwrap();
        write(&mut file, owner).unwrap();
        let mut sleep = Command::new("sleep");
        sleep.arg("60").stdin(Stdio::from(file)).spawn().unwrap()
    }

    fn ended() -> Identity {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let identity = Identity::of(i32::try_from(child.id()).unwrap());
        child.kill().unwrap();
        child.wait().unwrap();
        identity
    }

    fn owner(process: Identity) -> LockOwner {
        LockOwner {
            process,
            program: "attractor".to_owned(),
            since: "then".to_owned(),
            epoch: 3,
            socket: None,
        }
    }

    fn file_of(record: Option<&LockOwner>) -> File {
        let mut file = tempfile::tempfile().unwrap();
        if let Some(record) = record {
            write(&mut file, record).unwrap();
        }
        file
    }

    #[test]
    fn a_dead_owner_never_refuses() {
        static TRIES: AtomicU32 = AtomicU32::new(0);
        let mut file = file_of(Some(&owner(ended())));
        let third = |_: &File| match TRIES.fetch_add(1, Ordering::SeqCst) {
            0..3 => Err(TryLockError::WouldBlock),
            _ => Ok(()),
        };
        assert_eq!(wait_for(&mut file, third, PATIENCE).unwrap(), None);
    }

    #[test]
    fn the_second_waits_for_the_name_of_the_first() {
        static TRIES: AtomicU32 = AtomicU32::new(0);
        let mut file = file_of(None);
        let held = |file: &File| {
            if TRIES.fetch_add(1, Ordering::SeqCst) == 2 {
                write(&mut file.try_clone().unwrap(), &owner(Identity::current())).unwrap();
            }
            Err(TryLockError::WouldBlock)
        };
        let named = wait_for(&mut file, held, PATIENCE).unwrap();
        assert_eq!(named, Some(owner(Identity::current())));
    }

    #[test]
    fn a_lock_held_by_a_child_of_a_dead_owner_is_taken_when_the_child_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = inherited(folder.path(), &owner(ended()));
        let path = folder.path().to_owned();
        let acquired = std::thread::spawn(move || Lock::acquire(&path, "run", "now"));
        child.kill().unwrap();
        child.wait().unwrap();
        let lock = acquired.join().unwrap().unwrap();
        assert_eq!(lock.epoch, 4);
        let named = Lock::owner(folder.path()).unwrap();
        assert_eq!(named.process, Identity::current());
        drop(lock);
        assert_eq!(Lock::owner(folder.path()), None);
    }
}
