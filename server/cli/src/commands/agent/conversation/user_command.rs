//! A command of the person's own.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;

use crate::console;

/// How much of its output is kept, in bytes: the end.
const KEPT: usize = 1 << 20;
/// How long its output is read after its end: what it left running may hold it open.
const LATE: Duration = Duration::from_millis(300);

/// How a command ended.
pub struct Ended {
    /// What it wrote, as far as it was read.
    pub output: String,
    /// Its exit status, or why it did not start.
    pub status: Result<std::process::ExitStatus, std::io::Error>,
}

/// Runs a command in a folder. With `shares_output`, what it writes is read and shown; else it has the terminal.
pub async fn run(command: &str, here: &std::path::Path, shares_output: bool) -> Ended {
    let mut program = Command::new("sh");
    program.args(["-c", command]).current_dir(here);
    if !shares_output {
        return Ended {
            output: String::new(),
            status: program.status().await,
        };
    }
    // Both streams in the order in which they are written.
    let script = r#"exec 2>&1; eval "$1""#;
    let mut program = Command::new("sh");
    program.args(["-c", script, "sh", command]);
    program.current_dir(here).stdout(Stdio::piped());
    let mut child = match program.spawn() {
        Ok(child) => child,
        Err(error) => {
            return Ended {
                output: String::new(),
                status: Err(error),
            };
        }
    };
    let mut written = Vec::new();
    let stdout = child.stdout.take();
    let status = {
        let reading = read(stdout, &mut written);
        tokio::pin!(reading);
        tokio::select! {
            () = &mut reading => child.wait().await,
            status = child.wait() => {
                // It may still be open.
                let _ = tokio::time::timeout(LATE, reading).await;
                status
            }
        }
    };
    Ended {
        output: String::from_utf8_lossy(&written).into_owned(),
        status,
    }
}

/// Shows what is written, and keeps the end of it.
async fn read(stream: Option<impl AsyncRead + Unpin>, written: &mut Vec<u8>) {
    let Some(mut stream) = stream else {
        return;
    };
    let mut buffer = vec![0; 16 << 10];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        let piece = buffer.get(..count).unwrap_or_default();
        console::pass_on(piece);
        written.extend_from_slice(piece);
        if written.len() > 2 * KEPT {
            let start = written.len() - KEPT;
            written.drain(..start);
        }
    }
}
