//! A disk that fails when it is asked to: for tests of everything a run must survive.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use attractor_exec::{AppendFile, Disk, RealDisk};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No space: nothing is written.
    Full,
    /// No space in the middle: half is written.
    Short,
    /// The data cannot be made durable.
    Sync,
}

/// A disk whose `after`-th append fails, and every one after it.
#[derive(Clone)]
pub(crate) struct FaultyDisk {
    fault: Fault,
    appends_left: Arc<Mutex<u32>>,
}

impl FaultyDisk {
    pub(crate) fn new(fault: Fault, after: u32) -> Self {
        Self {
            fault,
            appends_left: Arc::new(Mutex::new(after)),
        }
    }
}

struct FaultyFile {
    disk: FaultyDisk,
    file: Box<dyn AppendFile>,
    broken: bool,
}

impl Disk for FaultyDisk {
    fn open_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(FaultyFile {
            disk: self.clone(),
            file: RealDisk.open_append(path, length)?,
            broken: false,
        }))
    }

    fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        if *self.appends_left.lock().unwrap() == 0 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        RealDisk.replace(path, content)
    }

    fn rename_directory(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename_directory(from, to)
    }
}

impl AppendFile for FaultyFile {
    fn append(&mut self, content: &[u8]) -> io::Result<()> {
        let mut left = self.disk.appends_left.lock().unwrap();
        if *left > 0 {
            *left -= 1;
            return self.file.append(content);
        }
        self.broken = true;
        match self.disk.fault {
            Fault::Full => Err(io::Error::from(io::ErrorKind::StorageFull)),
            Fault::Short => {
                self.file.append(&content[..content.len() / 2])?;
                Err(io::Error::from(io::ErrorKind::StorageFull))
            }
            Fault::Sync => self.file.append(content),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("Input/output error"));
        }
        self.file.sync()
    }

    fn cut(&mut self, _length: u64) -> io::Result<()> {
        Err(io::Error::other("Input/output error"))
    }
}
