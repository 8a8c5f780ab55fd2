//! Standard output of a run: a reader that has left, or a full disk, ends the printing and not the run.

use std::io;

use crate::console;
use crate::error::Error;

/// Whether anything is still printed.
#[derive(Debug, Default)]
pub struct Output {
    closed: bool,
}

impl Output {
    /// Writes, unless an earlier write failed. A failure other than a reader that has left is reported once.
    pub fn write(&mut self, write: impl FnOnce() -> Result<(), Error>) {
        if self.closed {
            return;
        }
        if let Err(error) = write() {
            self.closed = true;
            let is_left = matches!(&error, Error::Unwritable { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe);
            if !is_left {
                console::remark(&format!(
                    "attractor: {error} The run continues without output."
                ));
            }
        }
    }
}
