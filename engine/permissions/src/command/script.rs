//! What a shell text runs and writes.

use super::simple::Command;
use super::word::Word;

/// A shell text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// Every command that may run.
    pub commands: Vec<Command>,
    /// The files that redirections write.
    pub writes: Vec<Word>,
    /// The files that redirections read.
    pub reads: Vec<Word>,
    /// What of it could not be understood.
    pub unclear: Option<String>,
}

impl Script {
    /// Notes that something could not be understood; the first reason is kept.
    pub(super) fn doubt(&mut self, reason: &str) {
        self.unclear.get_or_insert_with(|| reason.to_owned());
    }
}
