//! Files beneath a folder, resolved by the kernel in one step (`openat2`), and their modes.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};
use rustix::io::Errno;

/// Opens `below` for reading, without leaving `root` on the way. None where the kernel, or a sandbox around this process,
/// has no `openat2`.
pub(crate) fn open_beneath(root: &Path, below: &Path) -> io::Result<Option<File>> {
    // A FIFO without a writer must not hold the reader up.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let directory = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root_handle = open(root, directory, Mode::empty())?;
    let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match openat2(&root_handle, below, flags, Mode::empty(), beneath) {
        Ok(handle) => Ok(Some(File::from(handle))),
        Err(Errno::NOSYS | Errno::PERM) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The mode with these bits.
pub(crate) fn mode(bits: u32) -> Mode {
    Mode::from_raw_mode(bits)
}
