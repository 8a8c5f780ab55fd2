//! Names of nodes, branches and checkpoints as names of files.

use std::fmt::Write as _;

/// A name as a file name: letters, digits, `_`, `-` and inner dots stay, everything else is `%XX`. Long names
/// are cut and distinguished by a checksum.
pub fn safe(name: &str) -> String {
    const LONGEST: usize = 120;
    let mut out = String::new();
    for (index, byte) in name.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-')
            || (byte == b'.' && index > 0);
        if plain {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    if out.len() > LONGEST {
        let crc = crc32fast::hash(name.as_bytes());
        out.truncate(LONGEST);
        let _ = write!(out, "~{crc:08x}");
    }
    if out.is_empty() { "%".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_directory() {
        for (name, expected) in [
            ("build", "build"),
            ("..", "%2E."),
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
            ("a/b", "a%2Fb"),
            ("nul\0", "nul%00"),
            ("", "%"),
            ("é", "%C3%A9"),
        ] {
            assert_eq!(safe(name), expected, "{name:?}");
        }
    }

    #[test]
    fn long_names_stay_apart() {
        let (one, two) = ("x".repeat(400), format!("{}y", "x".repeat(399)));
        assert!(safe(&one).len() < 140);
        assert_ne!(safe(&one), safe(&two));
    }
}
