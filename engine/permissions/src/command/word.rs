//! A word of a shell text.

/// In a word: a part that is only known when the shell runs.
pub(crate) const UNKNOWN: char = '\u{fffc}';

/// A word after quotes are removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    text: String,
    /// Whether the shell replaces it by the names of files that it matches.
    is_pattern: bool,
}

impl Word {
    /// A word that is known as a whole.
    pub fn known(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_pattern: false,
        }
    }

    /// Its text, with [`UNKNOWN`] for what is not known.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether all of it is known.
    pub fn is_known(&self) -> bool {
        !self.text.contains(UNKNOWN)
    }

    /// Whether the shell replaces it by the names of files.
    pub(crate) fn is_pattern(&self) -> bool {
        self.is_pattern
    }

    /// As one would spell it: in quotes where it has characters of the shell's syntax.
    pub fn quoted(&self) -> String {
        let is_plain = |one: char| {
            one.is_alphanumeric() || one == UNKNOWN || "-_./=:,@%+~*?[]{}^#!".contains(one)
        };
        if !self.text.is_empty() && self.text.chars().all(is_plain) {
            self.text.clone()
        } else {
            format!("'{}'", self.text.replace('\'', r"'\''"))
        }
    }

    pub(super) fn push(&mut self, one: char) {
        self.text.push(one);
    }

    /// A character that is not quoted.
    pub(super) fn push_plain(&mut self, one: char) {
        self.is_pattern |= matches!(one, '*' | '?' | '[' | '{');
        self.text.push(one);
    }

    pub(super) fn push_unknown(&mut self) {
        if !self.text.ends_with(UNKNOWN) {
            self.text.push(UNKNOWN);
        }
    }
}
