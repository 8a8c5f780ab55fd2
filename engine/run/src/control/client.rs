//! The side of the process that asks.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use attractor_machine::question::Answered;

use super::request::{Addressed, ControlRequest};
use crate::error::RunError;
use crate::store::Lock;

/// How often an owner is tried that has just taken the run.
const PAUSE: Duration = Duration::from_millis(10);

/// Sends a request to the process that owns the run in `directory` and waits for its reply, at most `patience`.
///
/// # Errors
/// No process owns the run, or it does not reply in time.
pub fn post(
    directory: &Path,
    request: &ControlRequest,
    patience: Duration,
) -> Result<Answered, RunError> {
    let fail = RunError::io("cannot reach the owner of", directory);
    let name = directory.file_name().unwrap_or_default();
    let addressed = Addressed {
        run: name.to_string_lossy().into_owned(),
        request: request.clone(),
    };
    let begun = Instant::now();
    loop {
        let Some(owner) = Lock::owner(directory) else {
            return Err(fail(io::Error::other(
                "no process owns it; resume it first",
            )));
        };
        let left = patience.saturating_sub(begun.elapsed());
        let sent = match &owner.socket {
            Some(socket) => exchange(socket, &addressed, left),
            None => Err(io::Error::new(
                io::ErrorKind::NotFound,
                "its process takes no requests; answer where the run is shown",
            )),
        };
        match sent {
            // It has just taken the run, or is about to give it up.
            Err(error) if is_early(&error) && begun.elapsed() < patience => {
                std::thread::sleep(PAUSE);
            }
            result => return result.map_err(fail),
        }
    }
}

fn is_early(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, NotFound};
    matches!(error.kind(), ConnectionRefused | NotFound)
}

fn exchange(socket: &Path, addressed: &Addressed, patience: Duration) -> io::Result<Answered> {
    use std::io::{Read, Write};
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;

    let mut stream = UnixStream::connect(socket)?;
    let patience = Some(patience.max(PAUSE));
    stream.set_write_timeout(patience)?;
    stream.set_read_timeout(patience)?;
    stream.write_all(&serde_json::to_vec(addressed)?)?;
    stream.shutdown(Shutdown::Write)?;
    let mut reply = Vec::new();
    stream
        .read_to_end(&mut reply)
        .map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => io::Error::from(io::ErrorKind::TimedOut),
            _ => error,
        })?;
    if reply.is_empty() {
        return Err(io::Error::other("it ended before it replied"));
    }
    Ok(serde_json::from_slice(&reply)?)
}
