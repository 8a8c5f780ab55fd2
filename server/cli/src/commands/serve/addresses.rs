//! Where a server is reached: the addresses to print, and the names that requests may have in `Host`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use if_addrs::{Interface, get_if_addrs};

/// The hosts under which a server that listens on `bound` is reached, the nearest first: its address, or for all
/// addresses of the machine (`0.0.0.0`, `::`) loopback and those of the interfaces; then the name of the machine, where
/// others reach it.
pub fn hosts(bound: SocketAddr) -> Vec<String> {
    let interfaces = get_if_addrs().unwrap_or_default();
    let addresses = interfaces.iter().map(Interface::ip).collect::<Vec<_>>();
    let name = hostname::get()
        .ok()
        .and_then(|name| name.into_string().ok());
    hosts_of(bound.ip(), &addresses, name.as_deref())
}

/// Whether other machines reach the server.
pub fn is_remote(bound: SocketAddr) -> bool {
    !bound.ip().is_loopback()
}

/// `http://HOST:PORT`.
pub fn address(host: &str, port: u16) -> String {
    format!("http://{host}:{port}")
}

fn hosts_of(bound: IpAddr, interfaces: &[IpAddr], name: Option<&str>) -> Vec<String> {
    if bound.is_loopback() {
        return vec![written(bound)];
    }
    let mut hosts = if bound.is_unspecified() {
        let loopback: IpAddr = match bound {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        let reached = interfaces.iter().copied().filter(|address| {
            !address.is_loopback()
                && !is_link_local(*address)
                && (bound.is_ipv6() || address.is_ipv4())
        });
        std::iter::once(loopback)
            .chain(reached)
            .map(written)
            .collect()
    } else {
        vec![written(bound)]
    };
    hosts.extend(
        name.filter(|name| !name.is_empty())
            .map(str::to_ascii_lowercase),
    );
    hosts
}

/// An address of one network cable only, which needs the name of an interface to be used.
fn is_link_local(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.is_unicast_link_local())
}

fn written(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::hosts_of;

    #[test]
    fn hosts_are_those_that_can_be_used() {
        let interfaces = ["127.0.0.1", "10.0.0.5", "::1", "fe80::1", "2001:db8::5"]
            .map(|address| address.parse().unwrap_or_else(|_| unreachable!()));
        for (bound, expected) in [
            ("127.0.0.1", "127.0.0.1"),
            ("::1", "[::1]"),
            ("10.0.0.5", "10.0.0.5 build-1"),
            ("0.0.0.0", "127.0.0.1 10.0.0.5 build-1"),
            ("::", "[::1] 10.0.0.5 [2001:db8::5] build-1"),
        ] {
            let bound = bound.parse().unwrap_or_else(|_| unreachable!());
            assert_eq!(
                hosts_of(bound, &interfaces, Some("Build-1")).join(" "),
                expected
            );
        }
    }
}
