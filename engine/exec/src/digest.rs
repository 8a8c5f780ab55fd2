//! Checksums.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The checksum of a text or of bytes, hexadecimal.
pub fn sha256(content: impl AsRef<[u8]>) -> String {
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(content.as_ref()) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}
