//! Programs that are given code of their own as an argument: a value put there would be run.

/// Which words of a simple command are code to the program that gets them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// None.
    Nothing,
    /// The word after this flag.
    AfterFlag(&'static str, char),
    /// The word that comes next, or is being read.
    Next(&'static str),
    /// Every quoted word.
    Quoted(&'static str),
    /// Every word.
    Every(&'static str),
}

/// Programs that are given code as an argument. Versions (`python3.12`) count as their program.
const INTERPRETERS: &[(&str, Code)] = &[
    ("sh", Code::AfterFlag("sh", 'c')),
    ("bash", Code::AfterFlag("bash", 'c')),
    ("dash", Code::AfterFlag("dash", 'c')),
    ("zsh", Code::AfterFlag("zsh", 'c')),
    ("ksh", Code::AfterFlag("ksh", 'c')),
    ("su", Code::AfterFlag("su", 'c')),
    ("python", Code::AfterFlag("python", 'c')),
    ("node", Code::AfterFlag("node", 'e')),
    ("perl", Code::AfterFlag("perl", 'e')),
    ("ruby", Code::AfterFlag("ruby", 'e')),
    ("lua", Code::AfterFlag("lua", 'e')),
    ("php", Code::AfterFlag("php", 'r')),
    ("awk", Code::Quoted("awk")),
    ("gawk", Code::Quoted("gawk")),
    ("mawk", Code::Quoted("mawk")),
    ("sed", Code::Quoted("sed")),
    ("eval", Code::Every("eval")),
    ("ssh", Code::Every("ssh")),
];

impl Code {
    /// What the words after `word` are; `word` is empty when it held quotes or expansions.
    pub(super) fn after(self, word: &str) -> Self {
        let program = word.rsplit('/').next().unwrap_or_default();
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        match self {
            Self::AfterFlag(name, flag) => {
                let short = word
                    .strip_prefix('-')
                    .is_some_and(|flags| !flags.starts_with('-') && flags.ends_with(flag));
                if short || word == "--eval" {
                    Self::Next(name)
                } else {
                    self
                }
            }
            Self::Nothing | Self::Next(_) => INTERPRETERS
                .iter()
                .find(|(name, _)| *name == program)
                .map_or(Self::Nothing, |(_, code)| *code),
            Self::Quoted(_) | Self::Every(_) => self,
        }
    }
}
