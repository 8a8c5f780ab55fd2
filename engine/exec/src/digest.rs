//! Checksums.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The checksum of a text, hexadecimal.
pub fn sha256(text: &str) -> String {
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}
