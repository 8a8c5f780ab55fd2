//! Files beneath a folder: the kernel does not resolve them in one step.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::Mode;

/// Opens `below` for reading, without leaving `root` on the way: not in one step.
pub(crate) fn open_beneath(_root: &Path, _below: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// The mode with these bits, of which the system has 16.
pub(crate) fn mode(bits: u32) -> Mode {
    Mode::from_raw_mode(u16::try_from(bits & 0o7777).unwrap_or_default())
}
