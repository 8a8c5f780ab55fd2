//! One pass over a command with a stack of what is open. Never recurses, never fails.

use std::collections::VecDeque;
use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

use super::frame::{Command, CommandKind, Frame, HereDocument, Redirection};
use super::interpreters::{CONDITIONAL, Code};
use super::position::{QuoteContext, Reader, ShellPosition};
use crate::LangError;

mod closing;
mod conditional;
mod expansions;
mod here_document;
mod lexer;
mod subscripts;

/// What a scan finds.
pub(super) struct Scan {
    pub(super) positions: Vec<ShellPosition>,
    pub(super) problems: Vec<LangError>,
    /// Parts of the text whose output an interpreter reads as its program.
    pub(super) piped: Vec<(Range<usize>, &'static str)>,
    /// Parts of the text whose output is written to a file.
    pub(super) written: Vec<(Range<usize>, String)>,
    /// The files that are run, each with its place and the program that runs it.
    pub(super) scripts: Vec<(usize, &'static str, String)>,
}

/// How many things may be open at once.
const DEEPEST: usize = 200;

/// Scans `text`, noting the context at each of `offsets` (ascending).
pub(super) fn scan(text: &str, offsets: &[usize]) -> Scan {
    let mut scanner = Scanner {
        text,
        rest: text.char_indices().peekable(),
        stack: vec![Frame::Command(Command::new(0, CommandKind::Top))],
        waiting: VecDeque::new(),
        scan: Scan {
            positions: Vec::with_capacity(offsets.len()),
            problems: Vec::new(),
            piped: Vec::new(),
            written: Vec::new(),
            scripts: Vec::new(),
        },
    };
    let mut offsets = offsets.iter().peekable();
    while let Some(&(at, _)) = scanner.rest.peek() {
        while offsets.next_if(|offset| **offset <= at).is_some() {
            let position = scanner.position(at);
            scanner.scan.positions.push(position);
        }
        scanner.step();
    }
    let position = scanner.position(text.len());
    scanner.scan.positions.extend(offsets.map(|_| position));
    scanner.end_word(text.len());
    scanner.end_simple_command(text.len(), false);
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
    /// Where the offset `at` is, up to which all has been read.
    fn position(&self, at: usize) -> ShellPosition {
        let context = self.context(at);
        let command = self.stack.iter().rev().find_map(|frame| match frame {
            Frame::Command(command) => Some(command),
            _ => None,
        });
        let reader = command.and_then(|command| self.reader(command, at));
        let here = self.stack.iter().rev().find_map(|frame| match frame {
            Frame::Here(here) => here.interpreter,
            _ => None,
        });
        let here_string = || command.and_then(|command| command.simple.here_string);
        ShellPosition {
            context: match reader {
                Some(Reader::Arithmetic(_)) => QuoteContext::Arithmetic,
                _ => context,
            },
            reader,
            here: here.or_else(here_string),
        }
    }

    /// What evaluates a value at `at` in a command.
    fn reader(&self, command: &Command, at: usize) -> Option<Reader> {
        if command.simple.redirects != Redirection::None {
            return None;
        }
        let start = if command.in_word {
            command.word_start
        } else {
            at
        };
        let begin = self.text.get(start..at).unwrap_or_default();
        let code = command.simple.code;
        let is_compared = matches!(code, Code::Words(rule, _) if *rule == CONDITIONAL)
            && conditional::is_compared(self.text, start, at);
        if is_compared {
            return Some(Reader::Arithmetic("[["));
        }
        code.reader(begin)
    }

    fn context(&self, at: usize) -> QuoteContext {
        if self.is_evaluated(at) {
            return QuoteContext::Arithmetic;
        }
        match self.stack.last() {
            Some(Frame::Double(_)) => QuoteContext::Double,
            Some(Frame::Single(_)) => QuoteContext::Single,
            Some(Frame::DollarSingle(_)) => QuoteContext::DollarSingle,
            Some(Frame::Arithmetic(..)) => QuoteContext::Arithmetic,
            Some(Frame::Comment) => QuoteContext::Comment,
            Some(Frame::Here(here)) if here.quoted => QuoteContext::Verbatim,
            Some(Frame::Here(_)) => QuoteContext::HereDocument,
            Some(Frame::Parameter(_)) => self.parameter_context(),
            Some(Frame::Command(_)) | None => QuoteContext::Word,
        }
    }

    /// Opens a frame; nesting that no person wrote is read as plain text, so that time stays linear.
    fn push(&mut self, frame: Frame) {
        if self.stack.len() < DEEPEST {
            self.stack.push(frame);
        }
    }

    /// In `${x:-…}` the quotes around the whole decide.
    fn parameter_context(&self) -> QuoteContext {
        self.stack
            .iter()
            .rev()
            .find_map(|frame| match frame {
                Frame::Double(_) => Some(QuoteContext::Double),
                Frame::Here(_) => Some(QuoteContext::HereDocument),
                Frame::Command(_) => Some(QuoteContext::Word),
                _ => None,
            })
            .unwrap_or(QuoteContext::Word)
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
                '\'' if self.parameter_context() == QuoteContext::Word => {
                    self.push(Frame::Single(at));
                }
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

    fn finish(&mut self) {
        // The innermost thing left open is to blame; what is around it is open because of it.
        self.report_top();
        if self.scan.problems.is_empty() {
            while self.stack.pop().is_some() {
                self.report_top();
            }
        }
        if self.scan.problems.is_empty() {
            let unclosed = self.waiting.front();
            let problem = unclosed.and_then(|here| self.unclosed_here_document(here));
            self.scan.problems.extend(problem);
        }
        self.scan
            .problems
            .sort_by_key(|problem| problem.range.start);
    }
}
