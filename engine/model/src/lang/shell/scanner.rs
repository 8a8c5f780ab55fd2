//! One pass over a command with a stack of what is open. Never recurses, never fails.

use std::collections::VecDeque;
use std::iter::Peekable;
use std::str::CharIndices;

use super::{Place, Spot};
use crate::lang::LangError;

/// What a scan finds.
pub(super) struct Scan {
    pub(super) spots: Vec<Spot>,
    pub(super) problems: Vec<LangError>,
}

/// Something open, with the byte that opened it.
enum Frame {
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
struct Command {
    open: usize,
    kind: CommandKind,
    /// Compound commands open in it: the word that began each and where.
    compounds: Vec<(&'static str, usize)>,
    /// Whether the next word is a command, so that `if` is a keyword and not an argument.
    starts: bool,
    /// Whether the next word is a pattern of `case`.
    pattern: bool,
    /// Where the word being read began, while it is plain text.
    word: Option<usize>,
    /// Whether a word is being read at all.
    in_word: bool,
    /// Which words of the simple command are programs of another interpreter.
    code: Code,
}

/// Which words of a simple command are code to the program that gets them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum CommandKind {
    Top,
    Substitution,
    Subshell,
    Backquote,
}

struct HereDocument {
    delimiter: String,
    quoted: bool,
    strip_tabs: bool,
}

/// Keywords that open a compound command, and what closes each.
const COMPOUNDS: &[(&str, &str)] = &[
    ("if", "fi"),
    ("case", "esac"),
    ("while", "done"),
    ("until", "done"),
    ("for", "done"),
    ("select", "done"),
    ("{", "}"),
];

/// How many things may be open at once.
const DEEPEST: usize = 200;

impl Code {
    /// What the words after `word` are; `word` is empty when it held quotes or expansions.
    fn after(self, word: &str) -> Self {
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

impl Command {
    fn new(open: usize, kind: CommandKind) -> Self {
        Self {
            open,
            kind,
            compounds: Vec::new(),
            starts: true,
            pattern: false,
            word: None,
            in_word: false,
            code: Code::Nothing,
        }
    }
}

/// Scans `text`, noting the place at each of `offsets` (ascending).
pub(super) fn scan(text: &str, offsets: &[usize]) -> Scan {
    let mut scanner = Scanner {
        text,
        rest: text.char_indices().peekable(),
        stack: vec![Frame::Command(Command::new(0, CommandKind::Top))],
        waiting: VecDeque::new(),
        scan: Scan {
            spots: Vec::with_capacity(offsets.len()),
            problems: Vec::new(),
        },
    };
    let mut offsets = offsets.iter().peekable();
    while let Some(&(at, _)) = scanner.rest.peek() {
        while offsets.next_if(|offset| **offset <= at).is_some() {
            let spot = scanner.spot();
            scanner.scan.spots.push(spot);
        }
        scanner.step();
    }
    let spot = scanner.spot();
    scanner.scan.spots.extend(offsets.map(|_| spot));
    scanner.finish();
    scanner.scan
}

struct Scanner<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    stack: Vec<Frame>,
    /// Here-documents whose bodies begin at the next line.
    waiting: VecDeque<HereDocument>,
    scan: Scan,
}

impl Scanner<'_> {
    fn spot(&self) -> Spot {
        let place = self.place();
        let command = self.stack.iter().rev().find_map(|frame| match frame {
            Frame::Command(command) => Some(command),
            _ => None,
        });
        let code = match command.map_or(Code::Nothing, |command| command.code) {
            Code::Nothing | Code::AfterFlag(..) => None,
            Code::Quoted(_) if place == Place::Word => None,
            Code::Next(name) | Code::Quoted(name) | Code::Every(name) => Some(name),
        };
        Spot { place, code }
    }

    fn place(&self) -> Place {
        match self.stack.last() {
            Some(Frame::Double(_)) => Place::Double,
            Some(Frame::Single(_)) => Place::Single,
            Some(Frame::DollarSingle(_)) => Place::DollarSingle,
            Some(Frame::Arithmetic(..)) => Place::Arithmetic,
            Some(Frame::Comment) => Place::Comment,
            Some(Frame::Here(here)) if here.quoted => Place::Verbatim,
            Some(Frame::Here(_)) => Place::HereDocument,
            Some(Frame::Parameter(_)) => self.parameter_place(),
            Some(Frame::Command(_)) | None => Place::Word,
        }
    }

    /// Opens a frame; nesting that no person wrote is read as plain text, so that time stays linear.
    fn push(&mut self, frame: Frame) {
        if self.stack.len() < DEEPEST {
            self.stack.push(frame);
        }
    }

    /// In `${x:-…}` the quotes around the whole decide.
    fn parameter_place(&self) -> Place {
        self.stack
            .iter()
            .rev()
            .find_map(|frame| match frame {
                Frame::Double(_) => Some(Place::Double),
                Frame::Here(_) => Some(Place::HereDocument),
                Frame::Command(_) => Some(Place::Word),
                _ => None,
            })
            .unwrap_or(Place::Word)
    }

    fn step(&mut self) {
        if let Some(Frame::Here(_)) = self.stack.last()
            && self.at_line_start()
            && self.end_here_document()
        {
            return;
        }
        let Some((at, c)) = self.rest.next() else {
            return;
        };
        match self.stack.last_mut() {
            Some(Frame::Single(_)) => {
                if c == '\'' {
                    self.stack.pop();
                }
            }
            Some(Frame::DollarSingle(_)) => match c {
                '\'' => drop(self.stack.pop()),
                '\\' => drop(self.rest.next()),
                _ => {}
            },
            Some(Frame::Comment) => {
                if c == '\n' {
                    self.stack.pop();
                    self.newline();
                }
            }
            Some(Frame::Double(_)) => match c {
                '"' => drop(self.stack.pop()),
                _ => self.expansion(at, c),
            },
            Some(Frame::Here(here)) => {
                if !here.quoted {
                    self.expansion(at, c);
                }
            }
            Some(Frame::Parameter(_)) => match c {
                '}' => drop(self.stack.pop()),
                '"' => self.push(Frame::Double(at)),
                '\'' if self.parameter_place() == Place::Word => self.push(Frame::Single(at)),
                _ => self.expansion(at, c),
            },
            Some(Frame::Arithmetic(_, open)) => match c {
                '(' => *open += 1,
                ')' if *open == 1 => drop(self.stack.pop()),
                ')' => *open -= 1,
                '"' => self.push(Frame::Double(at)),
                '\'' => self.push(Frame::Single(at)),
                _ => self.expansion(at, c),
            },
            Some(Frame::Command(_)) | None => self.command(at, c),
        }
    }

    fn at_line_start(&mut self) -> bool {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        at == 0 || self.text.as_bytes().get(at - 1) == Some(&b'\n')
    }

    /// Ends the here-document when the line that begins here is its delimiter.
    fn end_here_document(&mut self) -> bool {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        let line = self
            .text
            .get(at..)
            .and_then(|rest| rest.split('\n').next())
            .unwrap_or_default();
        let Some(Frame::Here(here)) = self.stack.last() else {
            return false;
        };
        let candidate = if here.strip_tabs {
            line.trim_start_matches('\t')
        } else {
            line
        };
        if candidate != here.delimiter {
            return false;
        }
        let end = at + line.len() + 1;
        while self.rest.next_if(|(at, _)| *at < end).is_some() {}
        self.stack.pop();
        self.begin_here_document();
        true
    }

    fn begin_here_document(&mut self) {
        if let Some(here) = self.waiting.pop_front() {
            self.push(Frame::Here(here));
        }
    }

    /// What is special in double quotes too: `\`, `$…`, backquotes.
    fn expansion(&mut self, at: usize, c: char) {
        match c {
            '\\' => drop(self.rest.next()),
            '`' => self.backquote(at),
            '$' => self.dollar(at),
            _ => {}
        }
    }

    fn backquote(&mut self, at: usize) {
        let inside = self.stack.iter().rposition(
            |frame| matches!(frame, Frame::Command(command) if command.kind == CommandKind::Backquote),
        );
        match inside {
            Some(depth) => {
                while self.stack.len() > depth + 1 {
                    self.report_top();
                    self.stack.pop();
                }
                self.close_command(at);
                self.stack.pop();
            }
            None => self.push(Frame::Command(Command::new(at, CommandKind::Backquote))),
        }
    }

    fn dollar(&mut self, at: usize) {
        match self.rest.peek().map(|(_, c)| *c) {
            Some('(') => {
                self.rest.next();
                if self.rest.next_if(|(_, c)| *c == '(').is_some() {
                    self.push(Frame::Arithmetic(at, 2));
                } else {
                    self.push(Frame::Command(Command::new(at, CommandKind::Substitution)));
                }
            }
            Some('{') => {
                self.rest.next();
                // `${#x}`: the `#` is no comment, and `${'…` does not begin a string.
                self.rest.next_if(|(_, c)| *c == '#');
                self.push(Frame::Parameter(at));
            }
            Some('#' | '?' | '!' | '$' | '*' | '@' | '-') => drop(self.rest.next()),
            _ => {}
        }
    }

    /// One character of a list of commands.
    fn command(&mut self, at: usize, c: char) {
        match c {
            ' ' | '\t' | '\r' | '>' => self.end_word(at),
            '\n' => {
                self.end_word(at);
                self.newline();
            }
            ';' | '&' | '|' => {
                self.end_word(at);
                let double = self.rest.next_if(|(_, next)| *next == c).is_some();
                if let Some(command) = self.top() {
                    command.starts = true;
                    command.code = Code::Nothing;
                    let in_case = command
                        .compounds
                        .last()
                        .is_some_and(|(word, _)| *word == "case");
                    command.pattern |= c == ';' && double && in_case;
                }
            }
            '(' => {
                self.end_word(at);
                if self.top().is_none_or(|command| !command.pattern) {
                    self.push(Frame::Command(Command::new(at, CommandKind::Subshell)));
                }
            }
            ')' => self.close_bracket(at),
            '<' => {
                self.end_word(at);
                self.redirection();
            }
            '#' if self.top().is_none_or(|command| !command.in_word) => self.push(Frame::Comment),
            '`' => {
                self.odd_word();
                self.backquote(at);
            }
            '"' => {
                self.odd_word();
                self.push(Frame::Double(at));
            }
            '\'' => {
                self.odd_word();
                self.push(Frame::Single(at));
            }
            '\\' => {
                self.odd_word();
                self.rest.next();
            }
            '$' => {
                self.odd_word();
                if self.rest.next_if(|(_, c)| *c == '\'').is_some() {
                    self.push(Frame::DollarSingle(at));
                } else if self.rest.peek().is_some_and(|(_, c)| *c != '"') {
                    self.dollar(at);
                }
            }
            _ => {
                if let Some(command) = self.top()
                    && !command.in_word
                {
                    command.in_word = true;
                    command.word = Some(at);
                }
            }
        }
    }

    fn top(&mut self) -> Option<&mut Command> {
        match self.stack.last_mut() {
            Some(Frame::Command(command)) => Some(command),
            _ => None,
        }
    }

    /// The word being read holds a quote or an expansion, so it is no keyword.
    fn odd_word(&mut self) {
        if let Some(command) = self.top() {
            command.in_word = true;
            command.word = None;
        }
    }

    fn newline(&mut self) {
        if let Some(command) = self.top() {
            command.starts = true;
            command.code = Code::Nothing;
        }
        self.begin_here_document();
    }

    /// `<`, `<<`, `<<-`, `<<<`.
    fn redirection(&mut self) {
        if self.rest.next_if(|(_, c)| *c == '<').is_none() {
            return;
        }
        if self.rest.next_if(|(_, c)| *c == '<').is_some() {
            return;
        }
        let strip_tabs = self.rest.next_if(|(_, c)| *c == '-').is_some();
        while self
            .rest
            .next_if(|(_, c)| matches!(c, ' ' | '\t'))
            .is_some()
        {}
        let (mut delimiter, mut quoted, mut open) = (String::new(), false, None);
        while let Some((_, c)) = self.rest.next_if(|(_, c)| {
            open.is_some()
                || !matches!(
                    c,
                    ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')'
                )
        }) {
            match c {
                '\'' | '"' if open == Some(c) => open = None,
                '\'' | '"' if open.is_none() => (open, quoted) = (Some(c), true),
                '\\' if open.is_none() => quoted = true,
                _ => delimiter.push(c),
            }
        }
        // `1 << 2` in `(( … ))` or `let` is no here-document; without a word there is nothing to wait for.
        if !delimiter.is_empty() {
            self.waiting.push_back(HereDocument {
                delimiter,
                quoted,
                strip_tabs,
            });
        }
    }

    /// The end of a word: is it a keyword?
    fn end_word(&mut self, at: usize) {
        let text = self.text;
        let Some(Frame::Command(command)) = self.stack.last_mut() else {
            return;
        };
        let start = command.word.take();
        if !std::mem::take(&mut command.in_word) {
            return;
        }
        let word = start
            .and_then(|start| text.get(start..at))
            .unwrap_or_default();
        command.code = command.code.after(word);
        if command.pattern && word != "esac" {
            return;
        }
        if !command.starts {
            if word == "in"
                && command
                    .compounds
                    .last()
                    .is_some_and(|(word, _)| *word == "case")
            {
                command.pattern = true;
            }
            return;
        }
        command.starts = matches!(
            word,
            "then" | "else" | "elif" | "do" | "!" | "{" | "if" | "while" | "until" | "time"
        );
        if let Some((opener, _)) = COMPOUNDS.iter().find(|(opener, _)| *opener == word) {
            command.compounds.push((opener, start.unwrap_or(at)));
        } else if COMPOUNDS.iter().any(|(_, closer)| *closer == word) {
            command.pattern = false;
            let matches = command
                .compounds
                .last()
                .is_some_and(|last| COMPOUNDS.contains(&(last.0, word)));
            if matches {
                command.compounds.pop();
            } else {
                let expected = command.compounds.last().copied();
                let range = start.unwrap_or(at)..at;
                let message = match expected {
                    Some((opener, _)) => {
                        format!("`{word}` does not close the `{opener}` that is open here")
                    }
                    None => format!("`{word}` closes nothing; the shell will refuse the command"),
                };
                self.scan.problems.push(LangError::new(range, message));
            }
        }
    }

    fn close_bracket(&mut self, at: usize) {
        self.end_word(at);
        let text = self.text;
        let Some(Frame::Command(command)) = self.stack.last_mut() else {
            return;
        };
        if command.pattern {
            command.pattern = false;
            command.starts = true;
            return;
        }
        match command.kind {
            CommandKind::Substitution | CommandKind::Subshell => {
                let substitution = command.kind == CommandKind::Substitution;
                self.close_command(at);
                self.stack.pop();
                if substitution {
                    self.odd_word();
                } else if let Some(command) = self.top() {
                    // After `f()` or `(…)` a keyword may follow: `f() {`.
                    command.starts = true;
                }
            }
            CommandKind::Top | CommandKind::Backquote => {
                // `[[ x =~ a) ]]` and case patterns of odd shapes are left to the shell.
                if !text.contains("case") && !text.contains("[[") {
                    self.scan.problems.push(LangError::new(
                        at..at + 1,
                        "this `)` closes nothing; the shell will refuse the command",
                    ));
                }
            }
        }
    }

    /// Reports compound commands still open when their list of commands ends.
    fn close_command(&mut self, at: usize) {
        self.end_word(at);
        if let Some(Frame::Command(command)) = self.stack.last_mut() {
            for (word, open) in std::mem::take(&mut command.compounds) {
                let closer = COMPOUNDS
                    .iter()
                    .find(|pair| pair.0 == word)
                    .map_or("its end", |pair| pair.1);
                self.scan.problems.push(LangError::new(
                    open..open + word.len(),
                    format!("this `{word}` is never closed; add `{closer}`"),
                ));
            }
        }
    }

    fn report_top(&mut self) {
        let end = self.text.len();
        self.close_command(end);
        let (open, what, closer) = match self.stack.last() {
            Some(Frame::Double(open)) => (*open, "\"", "\""),
            Some(Frame::Single(open)) => (*open, "'", "'"),
            Some(Frame::DollarSingle(open)) => (*open, "$'", "'"),
            Some(Frame::Parameter(open)) => (*open, "${", "}"),
            Some(Frame::Arithmetic(open, _)) => (*open, "$((", "))"),
            Some(Frame::Command(command)) => match command.kind {
                CommandKind::Top => return,
                CommandKind::Substitution => (command.open, "$(", ")"),
                CommandKind::Subshell => (command.open, "(", ")"),
                CommandKind::Backquote => (command.open, "`", "`"),
            },
            Some(Frame::Comment | Frame::Here(_)) | None => return,
        };
        self.scan.problems.push(LangError::new(
            open..open + what.len(),
            format!("this {what} is never closed; add {closer} where it ends"),
        ));
    }

    fn finish(&mut self) {
        // The innermost thing left open is to blame; what is around it is open because of it.
        self.report_top();
        if self.scan.problems.is_empty() {
            while self.stack.pop().is_some() {
                self.report_top();
            }
        }
        self.scan
            .problems
            .sort_by_key(|problem| problem.range.start);
    }
}
