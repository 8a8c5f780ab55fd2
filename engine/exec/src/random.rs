//! Random numbers of the system, for tokens and keys.

use std::fmt::Write as _;
use std::io;

/// 256 random bits, hexadecimal.
///
/// # Errors
/// The system has no random numbers.
pub fn random_hex() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let mut text = String::with_capacity(64);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
