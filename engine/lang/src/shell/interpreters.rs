//! Programs that are given code of their own as an argument: a value put there would be run.
//!
//! Builtins of shells are among them: what bash evaluates as arithmetic or as the name of a variable may hold
//! `a[$(command)]`, and runs the command.

use std::borrow::Cow;

use super::position::Reader;

/// Which words of a simple command are code to the program that gets them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// None, and the next word may be a program.
    Nothing,
    /// The word after this flag.
    AfterFlag(&'static str, char),
    /// The word that comes next, or is being read.
    Next(&'static str),
    /// Every word.
    Every(&'static str),
    /// Those that its rule says; what the next word is.
    Words(&'static Rule, NextWord),
}

/// Which words of a program are evaluated.
#[derive(PartialEq, Eq)]
pub(super) struct Rule {
    /// What becomes of them.
    pub(super) reader: Reader,
    operands: Operands,
    /// Flags whose next word is evaluated. Of programs that evaluate their first operand none is when there is one.
    evaluated: &'static [&'static str],
    /// Flags whose next word is not.
    skipped: &'static [&'static str],
    /// Flags that name the file of the program, so that no operand is evaluated.
    file: &'static [&'static str],
}

/// Which operands are evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    None,
    First,
    All,
    /// `NAME=VALUE`
    Assignments,
    /// All after an evaluated flag.
    AfterFlag,
}

/// What the next word is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NextWord {
    /// A flag or an operand.
    Any,
    /// A flag or an operand that is not evaluated: the program was given by a flag.
    Flag,
    /// Evaluated, after its flag.
    Evaluated,
    /// The value of another flag.
    Skipped,
    /// None that is evaluated follows.
    Data,
}

const fn rule(reader: Reader, operands: Operands) -> Rule {
    Rule {
        reader,
        operands,
        evaluated: &[],
        skipped: &[],
        file: &[],
    }
}

const AWK: Rule = Rule {
    evaluated: &["-e", "--source"],
    skipped: &["-F", "-v", "--assign", "--field-separator"],
    file: &["-f", "--file"],
    ..rule(Reader::Program("awk"), Operands::First)
};

const SED: Rule = Rule {
    evaluated: &["-e", "--expression"],
    skipped: &["-l", "--line-length"],
    file: &["-f", "--file"],
    ..rule(Reader::Program("sed"), Operands::First)
};

const TRAP: Rule = rule(Reader::Program("trap"), Operands::First);

const WATCH: Rule = Rule {
    skipped: &["-n", "--interval"],
    ..rule(Reader::Program("watch"), Operands::All)
};

const MAKE: Rule = rule(Reader::Recipes("make"), Operands::Assignments);

const LET: Rule = rule(Reader::Arithmetic("let"), Operands::All);

/// With `-i` what is assigned is arithmetic.
pub(super) const DECLARE: Rule = Rule {
    evaluated: &["-i", "-ai", "-ia", "-gi", "-ig", "-ir", "-ri", "-ix", "-xi"],
    ..rule(Reader::Arithmetic("declare"), Operands::AfterFlag)
};

const READ: Rule = Rule {
    skipped: &["-d", "-i", "-n", "-N", "-p", "-t", "-u"],
    ..rule(Reader::Variable("read"), Operands::All)
};

const UNSET: Rule = rule(Reader::Variable("unset"), Operands::All);

const MAPFILE: Rule = Rule {
    evaluated: &["-C"],
    ..rule(Reader::Program("mapfile"), Operands::None)
};

const PRINTF: Rule = Rule {
    evaluated: &["-v"],
    ..rule(Reader::Variable("printf"), Operands::None)
};

const TEST: Rule = Rule {
    evaluated: &["-v"],
    ..rule(Reader::Variable("test"), Operands::None)
};

/// In it `-eq` and its like evaluate arithmetic.
pub(super) const CONDITIONAL: Rule = Rule {
    evaluated: &["-v"],
    ..rule(Reader::Variable("[["), Operands::None)
};

/// Programs that are given code as an argument, wherever their name is: `sudo -u x sh -c …`. Versions (`python3.12`)
/// count as their program.
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
    ("awk", Code::Words(&AWK, NextWord::Any)),
    ("gawk", Code::Words(&AWK, NextWord::Any)),
    ("mawk", Code::Words(&AWK, NextWord::Any)),
    ("sed", Code::Words(&SED, NextWord::Any)),
    ("eval", Code::Every("eval")),
    ("ssh", Code::Every("ssh")),
];

/// The same for names that are common words, so that they count only where a command begins.
const COMMANDS: &[(&str, &Rule)] = &[
    ("[", &TEST),
    ("[[", &CONDITIONAL),
    ("declare", &DECLARE),
    ("gmake", &MAKE),
    ("let", &LET),
    ("local", &DECLARE),
    ("make", &MAKE),
    ("mapfile", &MAPFILE),
    ("printf", &PRINTF),
    ("read", &READ),
    ("readarray", &MAPFILE),
    ("test", &TEST),
    ("trap", &TRAP),
    ("typeset", &DECLARE),
    ("unset", &UNSET),
    ("watch", &WATCH),
];

/// Words after which a command begins all the same.
const BEFORE_COMMANDS: &[&str] = &[
    "builtin", "command", "env", "exec", "nice", "nohup", "sudo", "time",
];

/// Whether a command still begins after a word at its beginning: an assignment or a program that runs another.
pub(super) fn precedes_command(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    let is_assignment = name.is_some_and(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    is_assignment || BEFORE_COMMANDS.contains(&word)
}

impl Code {
    /// What the words after `word` are; it is as in the text, with its quotes. `is_first` where a command begins.
    pub(super) fn after(self, word: &str, is_first: bool) -> Self {
        match self {
            Self::AfterFlag(name, flag) => {
                let word = unquoted(word);
                let short = word
                    .strip_prefix('-')
                    .is_some_and(|flags| !flags.starts_with('-') && flags.ends_with(flag));
                if short || word == "--eval" {
                    Self::Next(name)
                } else {
                    self
                }
            }
            Self::Nothing | Self::Next(_) => Self::of_program(word, is_first),
            Self::Every(_) => self,
            Self::Words(rule, next) => Self::Words(rule, rule.after(next, word)),
        }
    }

    fn of_program(word: &str, is_first: bool) -> Self {
        let plain = if is_first {
            unquoted(word)
        } else {
            Cow::Borrowed(word)
        };
        let program = plain.rsplit('/').next().unwrap_or_default();
        if is_first && let Some((_, rule)) = COMMANDS.iter().find(|(name, _)| *name == program) {
            return Self::Words(rule, NextWord::Any);
        }
        // They read their input where their operand is `/dev/stdin`.
        if is_first && matches!(program, "." | "source") {
            return Self::AfterFlag("source", 'c');
        }
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        INTERPRETERS
            .iter()
            .find(|(name, _)| *name == program)
            .map_or(Self::Nothing, |(_, code)| *code)
    }

    /// What reads a value in a word that begins with `begin`.
    pub(super) fn reader(self, begin: &str) -> Option<Reader> {
        match self {
            Self::Nothing | Self::AfterFlag(..) => None,
            Self::Next(name) | Self::Every(name) => Some(Reader::Program(name)),
            Self::Words(rule, next) => rule.reads(next, begin).then_some(rule.reader),
        }
    }
}

/// A word as the shell reads it: `\sh` and `s"h"` are `sh`.
fn unquoted(word: &str) -> Cow<'_, str> {
    if word.contains(['\'', '"', '\\']) {
        Cow::Owned(word.replace(['\'', '"', '\\'], ""))
    } else {
        Cow::Borrowed(word)
    }
}

impl Rule {
    fn after(&self, next: NextWord, word: &str) -> NextWord {
        let is_first_only = self.operands == Operands::First;
        match next {
            NextWord::Data => NextWord::Data,
            NextWord::Any | NextWord::Flag if self.evaluated.contains(&word) => NextWord::Evaluated,
            NextWord::Flag => NextWord::Flag,
            NextWord::Evaluated if is_first_only => NextWord::Flag,
            NextWord::Evaluated if self.operands == Operands::AfterFlag => NextWord::Evaluated,
            NextWord::Any if self.skipped.contains(&word) => NextWord::Skipped,
            NextWord::Any if self.file.contains(&word) => NextWord::Data,
            NextWord::Any if is_first_only && !word.starts_with('-') => NextWord::Data,
            NextWord::Evaluated | NextWord::Skipped | NextWord::Any => NextWord::Any,
        }
    }

    fn reads(&self, next: NextWord, begin: &str) -> bool {
        match next {
            NextWord::Evaluated => true,
            NextWord::Any | NextWord::Flag if begin.starts_with('-') => {
                self.evaluated.iter().any(|flag| begin.starts_with(flag))
            }
            NextWord::Data | NextWord::Skipped | NextWord::Flag => false,
            NextWord::Any => match self.operands {
                Operands::None | Operands::AfterFlag => false,
                Operands::First | Operands::All => true,
                Operands::Assignments => begin.contains('='),
            },
        }
    }
}
