//! Who sends something over a socket: a process that the owner of a run has started, directly or not, or another one.
//!
//! What commands start stays below this process in the table of processes, whatever it does to its session, its group or
//! its environment: orphans fall to this process (see `orphans`). Only where the kernel has no such thing is a sender
//! known by its user alone.

#[cfg(unix)]
use std::os::unix::net::UnixStream;

use super::connection::Connection;
#[cfg(target_os = "linux")]
use super::{connection::OtherEnd, orphans::is_of_command, table};

/// Who is at the other end of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// This process, or one of the same user that it has not started.
    Independent,
    /// A process that this one has started, directly or not: a command, or something that it left running.
    Descendant,
    /// Another user.
    OtherUser,
    /// A process that is gone, or cannot be seen from here.
    Unknown,
}

impl Sender {
    /// Who has connected to a socket of this process.
    #[cfg(target_os = "linux")]
    pub fn of(stream: &UnixStream) -> Self {
        use rustix::process::getuid;
        let Ok(peer) = rustix::net::sockopt::socket_peercred(stream) else {
            return Self::Unknown;
        };
        if peer.uid != getuid() && !peer.uid.is_root() {
            return Self::OtherUser;
        }
        let me = rustix::process::getpid().as_raw_nonzero().get();
        let peer = peer.pid.as_raw_nonzero().get();
        if peer == me {
            return Self::Independent;
        }
        match child_above(peer, me) {
            Ok(Some(_)) => Self::Descendant,
            Ok(None) => Self::Independent,
            Err(Gone) => Self::Unknown,
        }
    }

    /// Who has connected to a socket of this process, which only its user can reach.
    #[cfg(all(unix, not(target_os = "linux")))]
    pub fn of(_stream: &UnixStream) -> Self {
        Self::Independent
    }

    /// Who is at the other end of a TCP connection of this process, to the process `owner`, which may be another one. Of
    /// what this process has started, only commands count, not the browser that shows its page. A client that
    /// cannot be looked up, because it is on another machine or belongs to another user, is independent. Reads the
    /// table of processes.
    #[cfg(target_os = "linux")]
    pub fn over(connection: Connection, owner: u32) -> Self {
        let holders = match connection.other_end() {
            OtherEnd::Processes(holders) => holders,
            OtherEnd::Nothing => return Self::Unknown,
            OtherEnd::OtherUser | OtherEnd::Elsewhere => return Self::Independent,
        };
        let owner = owner.cast_signed();
        let is_own = owner == rustix::process::getpid().as_raw_nonzero().get();
        let mut senders = holders
            .into_iter()
            .map(|holder| match child_above(holder, owner) {
                Ok(Some(child)) if !is_own || is_of_command(child) => Self::Descendant,
                Ok(_) => Self::Independent,
                Err(Gone) => Self::Unknown,
            });
        senders
            .find(|sender| *sender != Self::Independent)
            .unwrap_or(Self::Independent)
    }

    /// Who is at the other end of a TCP connection of this process: cannot be looked up here.
    #[cfg(not(target_os = "linux"))]
    pub fn over(_connection: Connection, _owner: u32) -> Self {
        Self::Independent
    }
}

/// Makes what commands leave behind descendants of this process. Call it before the first command starts.
pub fn adopt_descendants() {
    super::orphans::adopt_orphans();
}

/// A process that is gone.
#[cfg(target_os = "linux")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gone;

/// The child of `ancestor` that a process is or descends from; none when it does not descend from there.
#[cfg(target_os = "linux")]
fn child_above(process: i32, ancestor: i32) -> Result<Option<i32>, Gone> {
    /// A parent that ends meanwhile gives its child to another one.
    const ATTEMPTS: usize = 5;
    (0..ATTEMPTS)
        .find_map(|_| walk(process, ancestor).ok())
        .ok_or(Gone)
}

#[cfg(target_os = "linux")]
fn walk(process: i32, ancestor: i32) -> Result<Option<i32>, Gone> {
    let mut at = process;
    while at > 0 {
        let parent = table::read(at).ok_or(Gone)?.parent;
        if parent == ancestor {
            return Ok(Some(at));
        }
        at = parent;
    }
    Ok(None)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::net::UnixListener;
    use std::process::{Command, Stdio};

    use super::*;

    fn me() -> i32 {
        i32::try_from(std::process::id()).unwrap()
    }

    #[test]
    fn what_a_process_has_started_descends_from_it() {
        adopt_descendants();
        let parent = table::read(me()).unwrap().parent;
        assert_eq!(child_above(me(), parent), Ok(Some(me())));
        assert_eq!(child_above(parent, me()), Ok(None));
        // Forked twice, in a session of its own, without its environment.
        let mut child = Command::new("sh")
            .args(["-c", "env -i setsid sh -c '(sh -c \"echo \\$\\$; exec sleep 1000\") & exec sleep 0' & wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let orphan: i32 = line.trim().parse().unwrap();
        child.wait().unwrap();
        assert!(matches!(child_above(orphan, me()), Ok(Some(_))));
        Command::new("kill").arg(line.trim()).status().unwrap();
        assert_eq!(child_above(i32::MAX, me()), Err(Gone));
    }

    #[test]
    fn a_sender_is_known_by_its_socket() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let _own = UnixStream::connect(&path).unwrap();
        assert_eq!(
            Sender::of(&listener.accept().unwrap().0),
            Sender::Independent
        );
        let script = format!(
            "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect({:?}); sys.stdin.read()",
            path.to_str().unwrap()
        );
        let mut child = Command::new("python3")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        assert_eq!(
            Sender::of(&listener.accept().unwrap().0),
            Sender::Descendant
        );
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
