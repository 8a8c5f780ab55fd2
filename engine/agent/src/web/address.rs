//! Which addresses are public: those of this machine, of its network and of the services of a cloud are not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Ranges of IPv4 that are no part of the public internet: first address, and bits that count (IANA's registry of
/// special-purpose addresses).
const SPECIAL_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // A service of Azure for its machines, in a public range.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Ranges of IPv6 within `2000::/3` that are not public.
const SPECIAL_V6: [(Ipv6Addr, u32); 4] = [
    // Teredo, benchmarks, ORCHID.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // Addresses that have one of IPv4 in them.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// The addresses of IPv6 that are given to networks.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Translates IPv4 at the edge of a network: the last 32 bits are the address.
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether an address is one of the public internet.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_public_v4(mapped),
            None if is_in_v6(address, NAT64) => {
                let [.., a, b, c, d] = address.octets();
                is_public_v4(Ipv4Addr::new(a, b, c, d))
            }
            None => {
                is_in_v6(address, GLOBAL_V6)
                    && !SPECIAL_V6.iter().any(|range| is_in_v6(address, *range))
            }
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let number = u32::from(address);
    let is_in =
        |(first, bits): &(Ipv4Addr, u32)| (number ^ u32::from(*first)).leading_zeros() >= *bits;
    !SPECIAL_V4.iter().any(is_in)
}

fn is_in_v6(address: Ipv6Addr, (first, bits): (Ipv6Addr, u32)) -> bool {
    (u128::from(address) ^ u128::from(first)).leading_zeros() >= bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for (address, expected) in [
            ("93.184.216.34", true),
            ("8.8.8.8", true),
            ("172.15.255.255", true),
            ("2606:2800:220:1::1", true),
            ("64:ff9b::8.8.8.8", true),
            ("::ffff:8.8.8.8", true),
            ("127.0.0.1", false),
            ("127.8.9.10", false),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.100.100.200", false),
            ("168.63.129.16", false),
            ("198.18.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::127.0.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("64:ff9b::10.0.0.1", false),
            ("64:ff9b:1::1", false),
            ("fe80::1", false),
            ("fd00:ec2::254", false),
            ("fec0::1", false),
            ("ff02::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::", false),
        ] {
            let parsed: IpAddr = address.parse().unwrap();
            assert_eq!(is_public(parsed), expected, "{address}");
        }
    }
}
