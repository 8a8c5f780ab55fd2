//! Standard output of a run: a closed pipe or a full disk ends the output, not the run.

use std::io;

use crate::console;
use crate::error::Error;

/// Standard output, until writing fails.
#[derive(Debug, Default)]
pub struct Output {
    closed: bool,
}

impl Output {
    /// Writes, unless an earlier write failed. A failure other than a closed pipe is reported once.
    pub fn write(&mut self, write: impl FnOnce() -> Result<(), Error>) {
        if self.closed {
            return;
        }
        if let Err(error) = write() {
            self.closed = true;
            let is_closed_pipe = matches!(&error, Error::Unwritable { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe);
            if !is_closed_pipe {
                console::remark(&format!(
                    "warning: {error}; the run continues without output"
                ));
            }
        }
    }
}
