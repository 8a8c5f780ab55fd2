//! How a stage ended: the words of `outcome`, with their aliases.
//!
//! A word that is none of the five is a *custom* status (`needs_dod`); it routes like any other and
//! counts as success. Never decides routing.
//!
//! ```
//! use attractor_lang::Status;
//! assert_eq!(Status::parse("succeeded"), Status::Success);
//! assert!(!Status::parse("needs_dod").is_failure());
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

/// The status of an outcome. Its serialised form is its word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
// Exhaustive: these are the outcomes of the specification.
pub enum Status {
    /// Done as asked.
    #[default]
    Success,
    /// Done in part, accepted.
    PartialSuccess,
    /// Not done.
    Fail,
    /// Asks to be run again.
    Retry,
    /// Not run.
    Skipped,
    /// A word of the pipeline's own; counts as success.
    Custom(String),
}

/// Every word that names a status, canonical names first among their aliases.
pub const STATUS_WORDS: &[(&str, Status)] = &[
    ("success", Status::Success),
    ("succeeded", Status::Success),
    ("partial_success", Status::PartialSuccess),
    ("partially_succeeded", Status::PartialSuccess),
    ("fail", Status::Fail),
    ("failed", Status::Fail),
    ("retry", Status::Retry),
    ("skipped", Status::Skipped),
];

impl Status {
    /// The five statuses that are not custom.
    pub const KNOWN: [Self; 5] = [
        Self::Success,
        Self::PartialSuccess,
        Self::Fail,
        Self::Retry,
        Self::Skipped,
    ];

    /// The status a word names, in any case and with spaces around it; any other word is custom.
    pub fn parse(word: &str) -> Self {
        Self::known(word).unwrap_or_else(|| Self::Custom(word.trim().to_owned()))
    }

    /// Like [`Status::parse`], but `None` for a word that is not in [`STATUS_WORDS`].
    pub fn known(word: &str) -> Option<Self> {
        let word = word.trim();
        STATUS_WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|(_, status)| status.clone())
    }

    /// The canonical word.
    pub fn name(&self) -> &str {
        match self {
            Self::Success => "success",
            Self::PartialSuccess => "partial_success",
            Self::Fail => "fail",
            Self::Retry => "retry",
            Self::Skipped => "skipped",
            Self::Custom(word) => word,
        }
    }

    /// Whether the stage did not do what it was asked: `fail` and `retry`.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Fail | Self::Retry)
    }

    /// Whether the stage counts as a success: everything but `fail`, `retry` and `skipped`.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Success | Self::PartialSuccess | Self::Custom(_))
    }
}

impl From<String> for Status {
    fn from(word: String) -> Self {
        Self::parse(&word)
    }
}

impl From<Status> for String {
    fn from(status: Status) -> Self {
        match status {
            Status::Custom(word) => word,
            known => known.name().to_owned(),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_read_and_canonical_words_written() {
        for (word, status) in STATUS_WORDS {
            assert_eq!(
                &Status::parse(&format!(" {} ", word.to_uppercase())),
                status
            );
        }
        assert_eq!(Status::parse("failed").to_string(), "fail");
        assert_eq!(
            Status::parse("partially_succeeded").to_string(),
            "partial_success"
        );
    }

    #[test]
    fn a_word_of_its_own_counts_as_success() {
        let status = Status::parse("needs_dod");
        assert_eq!(status, Status::Custom("needs_dod".to_owned()));
        assert!(status.is_success() && !status.is_failure());
        assert!(!Status::Skipped.is_success() && !Status::Skipped.is_failure());
    }

    #[test]
    fn every_known_status_is_parsed_from_its_name() {
        for status in Status::KNOWN {
            assert_eq!(Status::known(status.name()), Some(status));
        }
    }
}
