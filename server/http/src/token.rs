//! The token that every request needs.

use std::fmt;
use std::io;

use attractor_exec::{random_hex, sha256};

/// A random token of 256 bits. Only its digest is kept to compare with; the text is for the person who starts the server.
#[derive(Clone)]
pub struct Token {
    text: String,
    digest: String,
}

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn generate() -> io::Result<Self> {
        random_hex().map(Self::of)
    }

    /// A given one.
    pub fn of(text: impl Into<String>) -> Self {
        let text = text.into();
        let digest = sha256(&text);
        Self { text, digest }
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether that is the token. Digests are compared, so that the time it takes says nothing about the token.
    pub fn is(&self, other: &str) -> bool {
        sha256(other) == self.digest
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token")
    }
}
