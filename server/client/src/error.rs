//! Why a server could not be asked, or refused.

use serde_json::Value;

/// The variable with the token of a server.
pub const TOKEN_VARIABLE: &str = "ATTRACTOR_TOKEN";

/// Why a server could not be asked, or refused.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClientError {
    /// The address cannot be used.
    #[error("invalid address `{address}`: {reason}")]
    InvalidAddress {
        /// The address.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Others could read the token.
    #[error(
        "{address} would send the token in the clear; use https://, or a tunnel to this machine"
    )]
    Insecure {
        /// The address.
        address: String,
    },
    /// No token is known for the server.
    #[error(
        "the token of {server} is not known; set {TOKEN_VARIABLE} to what `attractor serve` prints there"
    )]
    NoToken {
        /// The server's address.
        server: String,
    },
    /// The server does not accept the token.
    #[error(
        "{server} does not accept the token; set {TOKEN_VARIABLE} to what `attractor serve` prints there"
    )]
    WrongToken {
        /// The server's address.
        server: String,
    },
    /// The server cannot be reached, or the connection broke off. Another attempt may succeed.
    #[error("cannot reach {server}: {reason}")]
    Disconnected {
        /// The server's address.
        server: String,
        /// Why.
        reason: String,
    },
    /// The server refuses the request.
    #[error("{message}")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// Its words.
        message: String,
        /// The answer, whose further fields say more.
        body: Value,
    },
    /// The answer is not what this version reads.
    #[error("unexpected answer from {server}: {reason}; is it of the same version?")]
    InvalidAnswer {
        /// The server's address.
        server: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl ClientError {
    /// Whether another attempt may succeed without anything being changed here.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Disconnected { .. } => true,
            Self::Refused { status, .. } => matches!(status, 408 | 429 | 500..=599),
            _ => false,
        }
    }

    /// The status with which the server refused.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }
}

/// The first cause of an error, which is what a person can act on.
pub(crate) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
