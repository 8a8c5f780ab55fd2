//! Who sends something over a socket, by the table of processes.
//!
//! What commands start stays below this process there, whatever it does to its session, its group or its environment:
//! orphans fall to this process (see `orphans`).

use std::os::unix::net::UnixStream;

use super::adopted::is_of_command;
use super::connections::OtherEnd;
use super::process_table;
use crate::process::{Connection, Sender};

impl Sender {
    /// Who has connected to a socket of this process.
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

    /// Who is at the other end of a TCP connection of this process, to the process `owner`, which may be another one. Of
    /// what this process has started, only commands count, not the browser that shows its page. A client that
    /// cannot be looked up, because it is on another machine or belongs to another user, is independent. Reads the
    /// table of processes.
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
}

/// A process that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gone;

/// The child of `ancestor` that a process is or descends from; none when it does not descend from there.
fn child_above(process: i32, ancestor: i32) -> Result<Option<i32>, Gone> {
    /// A parent that ends meanwhile gives its child to another one.
    const ATTEMPTS: usize = 5;
    (0..ATTEMPTS)
        .find_map(|_| walk(process, ancestor).ok())
        .ok_or(Gone)
}

fn walk(process: i32, ancestor: i32) -> Result<Option<i32>, Gone> {
    let mut at = process;
    while at > 0 {
        let parent = process_table::read(at).ok_or(Gone)?.parent;
        if parent == ancestor {
            return Ok(Some(at));
        }
        at = parent;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::net::UnixListener;
    use std::process::{Command, Stdio};

    use super::super::orphans::adopt_orphans;
    use super::*;

    fn me() -> i32 {
        i32::try_from(std::process::id()).unwrap()
    }

    #[test]
    fn what_a_process_has_started_descends_from_it() {
        adopt_orphans();
        let parent = process_table::read(me()).unwrap().parent;
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
