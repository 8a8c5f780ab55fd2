//! What can be open while a command is scanned.

use std::ops::Range;

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
    /// Compound commands open in it.
    pub(super) compounds: Vec<Compound>,
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

/// A compound command that is open.
pub(super) struct Compound {
    pub(super) kind: &'static CompoundKind,
    /// Where its opener is.
    pub(super) open: usize,
    /// Whether the keyword before its body has been read.
    pub(super) has_body: bool,
}

/// The keywords of a kind of compound command.
#[derive(PartialEq, Eq)]
pub(super) struct CompoundKind {
    pub(super) opener: &'static str,
    /// The keyword before its body, in the kinds that require one.
    pub(super) body: Option<&'static str>,
    pub(super) closer: &'static str,
}

impl CompoundKind {
    const fn new(opener: &'static str, body: Option<&'static str>, closer: &'static str) -> Self {
        Self {
            opener,
            body,
            closer,
        }
    }
}

/// A simple command and the pipeline it is in.
pub(super) struct Simple {
    /// Which words of the simple command are programs of another interpreter.
    pub(super) code: Code,
    /// Whether the interpreter was given a program or a script, so that its input is not a program.
    pub(super) has_operand: bool,
    /// What the next word is the target of.
    pub(super) redirects: Redirection,
    /// The file that its output is written to.
    pub(super) target: Option<String>,
    /// Where it begins.
    pub(super) start: usize,
    /// The interpreter whose program the next word is, after `<<<`.
    pub(super) here_string: Option<&'static str>,
    /// Whether its program has not been read yet.
    pub(super) is_first: bool,
    /// Where the pipeline began whose output is the input of this simple command, and where that output ends.
    pub(super) input: Option<(usize, usize)>,
    /// Where the pipeline began.
    pub(super) pipeline: usize,
}

/// A redirection whose target is still to come.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Redirection {
    #[default]
    None,
    /// Of input, of errors, or of a descriptor to another.
    Other,
    /// Of the output.
    Output,
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
    /// The operator with its delimiter.
    pub(super) operator: Range<usize>,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
    /// The interpreter that reads the body as its program.
    pub(super) interpreter: Option<&'static str>,
    /// Where the simple command begins that reads it, and the file that this one writes.
    pub(super) command: usize,
    pub(super) target: Option<String>,
    /// Where its body begins.
    pub(super) body: usize,
}

/// The kinds of compound commands.
pub(super) const COMPOUNDS: &[CompoundKind] = &[
    CompoundKind::new("if", Some("then"), "fi"),
    CompoundKind::new("case", None, "esac"),
    CompoundKind::new("while", Some("do"), "done"),
    CompoundKind::new("until", Some("do"), "done"),
    CompoundKind::new("for", Some("do"), "done"),
    CompoundKind::new("select", Some("do"), "done"),
    CompoundKind::new("{", None, "}"),
];

/// Keywords behind which another command begins.
pub(super) const LEADS: &[&str] = &[
    "then", "else", "elif", "do", "!", "{", "if", "while", "until", "time",
];

/// Whether a word at the beginning of a command is not a command.
pub(super) fn is_keyword(word: &str) -> bool {
    let mut compounds = COMPOUNDS.iter();
    LEADS.contains(&word) || compounds.any(|kind| word == kind.opener || word == kind.closer)
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
    /// Whether the innermost open compound command begins with this word.
    pub(super) fn is_in(&self, opener: &str) -> bool {
        let innermost = self.compounds.last();
        innermost.is_some_and(|compound| compound.kind.opener == opener)
    }

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
                redirects: Redirection::None,
                target: None,
                start: open,
                here_string: None,
                is_first: true,
                input: None,
                pipeline: open,
            },
        }
    }
}
