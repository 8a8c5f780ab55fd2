//! Signatures: HMAC-SHA256 (RFC 2104), hexadecimal.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The signature of a text.
pub fn signature(key: &str, text: &str) -> String {
    let mut out = String::with_capacity(64);
    for byte in mac(key, text).finalize().into_bytes() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Whether that is the signature of a text. The time it takes says nothing about the signature.
pub fn is_signature(key: &str, text: &str, signed: &str) -> bool {
    let byte = |at: usize| {
        signed
            .get(at..at + 2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok())
    };
    let bytes: Option<Vec<u8>> = (0..signed.len()).step_by(2).map(byte).collect();
    bytes.is_some_and(|bytes| mac(key, text).verify_slice(&bytes).is_ok())
}

#[expect(clippy::expect_used, reason = "keys of HMAC have any length")]
fn mac(key: &str, text: &str) -> Hmac<Sha256> {
    Hmac::new_from_slice(key.as_bytes())
        .expect("keys have any length")
        .chain_update(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_rfc_4231() {
        let text = "what do ya want for nothing?";
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signature("Jefe", text), expected);
        assert!(is_signature("Jefe", text, expected));
        for wrong in [
            "",
            "5b",
            "zz",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3844",
        ] {
            assert!(!is_signature("Jefe", text, wrong), "{wrong}");
        }
    }
}
