//! The few things a run asks of a disk, behind a trait so that a test can make each of them fail.
//!
//! [`RealDisk`] is the operating system. Nothing here knows what is written; everything durable of a
//! run goes through here and nowhere else.
//!
//! `sync_all` and `sync_data` of the standard library reach stable storage on every system: on macOS, where `fsync` only
//! gives data to the drive, both ask the drive itself to write it (`F_FULLFSYNC`).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Opens a file to read it, at once: what is not a regular file, such as a pipe that nobody writes, is an error.
///
/// # Errors
/// It cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    options.custom_flags(flags.cast_signed());
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidData,
        "it is not a regular file",
    ))
}

/// Reads a file whole, as [`open_regular`] opens it.
///
/// # Errors
/// It cannot be opened or read, or is not a regular file.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_regular(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A disk.
pub trait Disk: Send + Sync {
    /// Opens a file to append to, made if need be, cut to `length` bytes.
    fn open_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn AppendFile>>;

    /// Puts a whole file in place: all of it or, after any failure, what was there before.
    fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()>;

    /// Gives a directory next to `to` the name `to`, durably.
    fn rename_directory(&self, from: &Path, to: &Path) -> io::Result<()>;
}

/// A file that only grows.
pub trait AppendFile: Send {
    /// Writes at the end; after an error any prefix may have been written.
    fn append(&mut self, content: &[u8]) -> io::Result<()>;

    /// Waits until everything written is on stable storage.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file back, to drop what a failed append left.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn open_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn AppendFile>> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        if file.metadata()?.len() != length {
            file.set_len(length)?;
        }
        file.sync_all()?;
        sync_directory(path)?;
        Ok(Box::new(file))
    }

    fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let temporary = path.with_extension("tmp");
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, path)?;
        sync_directory(path)
    }

    fn rename_directory(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)?;
        sync_directory(to)
    }
}

impl AppendFile for File {
    fn append(&mut self, content: &[u8]) -> io::Result<()> {
        self.write_all(content)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()?;
        if has_name(self)? {
            Ok(())
        } else {
            let reason = "it was deleted while the run was writing it";
            Err(io::Error::new(io::ErrorKind::NotFound, reason))
        }
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Whether a path still leads to an open file. What is written to one without a name is lost when it is closed.
fn has_name(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.nlink() > 0)
}

/// Writes a file unless there is one. A link in its place is not followed.
///
/// # Errors
/// It cannot be written.
pub fn write_if_missing(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    match options.write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(content),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// A new or renamed name is durable only when its directory is.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(here) if here.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}
