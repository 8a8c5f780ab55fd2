//! The processes at the other end of a TCP connection, as the kernel reports it in `/proc`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::{fs, io};

use crate::process::Connection;

/// What is at the other end of a connection.
pub(super) enum OtherEnd {
    /// Processes of this machine that hold it.
    Processes(Vec<i32>),
    /// Nothing any more, or nothing yet that can be seen.
    Nothing,
    /// Another user, whose files cannot be seen.
    OtherUser,
    /// Another machine, or another network of this one.
    Elsewhere,
}

/// A row of the kernel's table.
struct Row {
    local: SocketAddr,
    remote: SocketAddr,
    user: u32,
    /// 0 once no process holds it.
    inode: u64,
}

impl Connection {
    /// What is at the other end of it.
    pub(super) fn other_end(self) -> OtherEnd {
        let Ok(rows) = rows() else {
            // Only where the system hides its connections from everyone.
            return OtherEnd::Elsewhere;
        };
        let (own, peer) = (canonical(self.own), canonical(self.peer));
        let find = |local, remote| {
            let mut rows = rows.iter();
            rows.find(move |row| row.local == local && row.remote == remote)
        };
        // A connection that was reset is in the table no more, and neither is who reset it.
        if find(own, peer).is_none() {
            return OtherEnd::Nothing;
        }
        let Some(row) = find(peer, own) else {
            return OtherEnd::Elsewhere;
        };
        if row.inode == 0 {
            return OtherEnd::Nothing;
        }
        let holders = holders(row.inode);
        let me = rustix::process::getuid();
        if !holders.is_empty() {
            OtherEnd::Processes(holders)
        } else if me.is_root() || row.user == me.as_raw() {
            OtherEnd::Nothing
        } else {
            OtherEnd::OtherUser
        }
    }
}

/// The processes that have a socket open.
fn holders(inode: u64) -> Vec<i32> {
    let wanted = format!("socket:[{inode}]");
    let has = |process: &i32| {
        let files = fs::read_dir(format!("/proc/{process}/fd"));
        let mut files = files.into_iter().flatten().flatten();
        files.any(|file| fs::read_link(file.path()).is_ok_and(|to| to.as_os_str() == &*wanted))
    };
    let processes = fs::read_dir("/proc").into_iter().flatten();
    let processes = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    processes.filter(has).collect()
}

/// The table of the TCP connections of this network namespace.
fn rows() -> io::Result<Vec<Row>> {
    let mut text = fs::read_to_string("/proc/self/net/tcp")?;
    // A kernel without IPv6 has no such file.
    text += &fs::read_to_string("/proc/self/net/tcp6").unwrap_or_default();
    Ok(text.lines().filter_map(row).collect())
}

/// Reads `NUMBER: LOCAL REMOTE STATE QUEUES TIMER RETRANSMISSIONS USER TIMEOUT INODE …`.
fn row(line: &str) -> Option<Row> {
    let mut fields = line.split_whitespace().skip(1);
    let local = address(fields.next()?)?;
    let remote = address(fields.next()?)?;
    let user = fields.nth(4)?.parse().ok()?;
    let inode = fields.nth(1)?.parse().ok()?;
    Some(Row {
        local,
        remote,
        user,
        inode,
    })
}

/// Reads `ADDRESS:PORT`, both hexadecimal; the address in words of 32 bits, each in the byte order of the machine.
fn address(text: &str) -> Option<SocketAddr> {
    const DIGITS: usize = 8;
    let (address, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let words = (0..address.len()).step_by(DIGITS).map(|start| {
        let word = address.get(start..start + DIGITS)?;
        Some(u32::from_str_radix(word, 16).ok()?.to_ne_bytes())
    });
    let words: Option<Vec<[u8; 4]>> = words.collect();
    let address = match words?.as_slice() {
        [word] => IpAddr::V4(Ipv4Addr::from(*word)),
        words => {
            let bytes: [u8; 16] = words.concat().try_into().ok()?;
            IpAddr::V6(Ipv6Addr::from(bytes))
        }
    };
    Some(canonical(SocketAddr::new(address, port)))
}

/// An IPv4 address in the form of an IPv6 address is the same one.
fn canonical(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::process::{Child, Command, Stdio};

    use super::super::orphans::adopt_orphans;
    use super::*;
    use crate::process::Sender;

    fn accept(listener: &TcpListener) -> (TcpStream, Connection) {
        let (stream, peer) = listener.accept().unwrap();
        let own = stream.local_addr().unwrap();
        (stream, Connection { own, peer })
    }

    /// A client in Python, in which `s` is connected.
    fn client(address: SocketAddr, script: &str) -> Child {
        let family = if address.is_ipv4() {
            "AF_INET"
        } else {
            "AF_INET6"
        };
        let script = format!(
            "import os, socket, struct, sys; s = socket.socket(socket.{family}); s.connect(('{}', {})); {script}",
            address.ip(),
            address.port(),
        );
        let mut command = Command::new("python3");
        command.args(["-c", &script]).stdin(Stdio::piped());
        command.spawn().unwrap()
    }

    fn me() -> u32 {
        std::process::id()
    }

    /// What a client of this process is to its parent, which owns what is asked.
    fn sender(connection: Connection) -> Sender {
        let parent = super::super::process_table::read(me().cast_signed())
            .unwrap()
            .parent;
        Sender::over(connection, parent.cast_unsigned())
    }

    #[test]
    fn clients_of_this_machine_are_known_by_their_connection() {
        adopt_orphans();
        for host in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(host) else {
                // A machine without IPv6.
                continue;
            };
            let address = listener.local_addr().unwrap();
            let mut child = client(address, "sys.stdin.read()");
            let (_stream, connection) = accept(&listener);
            assert_eq!(sender(connection), Sender::Descendant, "{host}");
            // No command of this process: a browser that it has opened is one, too.
            assert_eq!(Sender::over(connection, me()), Sender::Independent);
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn any_of_several_holders_counts() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).unwrap();
        let (_stream, connection) = accept(&listener);
        let pid = me().cast_signed();
        assert!(
            matches!(connection.other_end(), OtherEnd::Processes(holders) if holders.contains(&pid))
        );
        // The child of another test may hold it between its fork and its exec.
        let child = Command::new("sleep")
            .arg("1000")
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(client)))
            .spawn();
        let mut child = child.unwrap();
        let holders = connection.other_end();
        assert!(
            matches!(holders, OtherEnd::Processes(holders) if holders.contains(&child.id().cast_signed()))
        );
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_client_that_is_gone_is_unknown() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        for gone in [
            "s.sendall(b'x')",
            "s.sendall(b'x'); s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0)); s.close()",
        ] {
            let mut child = client(address, gone);
            let (mut stream, connection) = accept(&listener);
            child.wait().unwrap();
            assert_eq!(sender(connection), Sender::Unknown, "{gone}");
            // Whatever can still be read of it.
            let _ = stream.read(&mut [0]);
            let _ = stream.write(b"x");
        }
    }
}
