//! What can be open while a command is scanned.

use super::interpreters::Code;

/// Something open, with the byte that opened it.
pub(super) enum Frame {
    Command(Command),
    Double(usize),
    Single(usize),
    DollarSingle(usize),
    /// `${…}`
    Parameter(usize),
    /// `$((…))`, with the brackets open in it.
    Arithmetic(usize, usize),
    Comment,
    Here(HereDocument),
}

/// A list of commands: the whole text, `$(…)`, `(…)` or backquotes.
pub(super) struct Command {
    pub(super) open: usize,
    pub(super) kind: CommandKind,
    /// Compound commands open in it: the word that began each and where.
    pub(super) compounds: Vec<(&'static str, usize)>,
    /// Whether the next word is a command, so that `if` is a keyword and not an argument.
    pub(super) starts: bool,
    /// Whether the next word is a pattern of `case`.
    pub(super) pattern: bool,
    /// Where the word being read began, while it is plain text.
    pub(super) word: Option<usize>,
    /// Whether a word is being read at all.
    pub(super) in_word: bool,
    /// Where the word being read began.
    pub(super) word_start: usize,
    /// The simple command being read.
    pub(super) simple: Simple,
}

/// A simple command and the pipeline it is in.
pub(super) struct Simple {
    /// Which words of the simple command are programs of another interpreter.
    pub(super) code: Code,
    /// Whether the interpreter was given a program or a script, so that its input is not a program.
    pub(super) has_operand: bool,
    /// Whether the next word is the target of a redirection.
    pub(super) redirects: bool,
    /// Where the pipeline began whose output is the input of this simple command, and where that output ends.
    pub(super) input: Option<(usize, usize)>,
    /// Where the pipeline began.
    pub(super) pipeline: usize,
}

/// What encloses a list of commands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandKind {
    Top,
    Substitution,
    Subshell,
    Backquote,
}

/// A here-document whose body is being read, or is still to come.
pub(super) struct HereDocument {
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
    /// The interpreter that reads the body as its program.
    pub(super) interpreter: Option<&'static str>,
}

/// Keywords that open a compound command, and what closes each.
pub(super) const COMPOUNDS: &[(&str, &str)] = &[
    ("if", "fi"),
    ("case", "esac"),
    ("while", "done"),
    ("until", "done"),
    ("for", "done"),
    ("select", "done"),
    ("{", "}"),
];

/// Keywords behind which another command begins.
pub(super) const LEADS: &[&str] = &[
    "then", "else", "elif", "do", "!", "{", "if", "while", "until", "time",
];

/// Whether a word at the beginning of a command is not a command.
pub(super) fn is_keyword(word: &str) -> bool {
    let mut compounds = COMPOUNDS.iter();
    LEADS.contains(&word) || compounds.any(|(opener, closer)| word == *opener || word == *closer)
}

impl Simple {
    /// The interpreter that this simple command starts with its input as the program.
    pub(super) fn reads_program(&self) -> Option<&'static str> {
        match self.code {
            Code::AfterFlag(name, _) if !self.has_operand => Some(name),
            _ => None,
        }
    }
}

impl Command {
    pub(super) fn new(open: usize, kind: CommandKind) -> Self {
        Self {
            open,
            kind,
            compounds: Vec::new(),
            starts: true,
            pattern: false,
            word: None,
            in_word: false,
            word_start: open,
            simple: Simple {
                code: Code::Nothing,
                has_operand: false,
                redirects: false,
                input: None,
                pipeline: open,
            },
        }
    }
}
