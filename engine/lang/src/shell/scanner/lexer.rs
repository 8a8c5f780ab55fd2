//! Words of a list of commands: where they end, and which of them are keywords.

use super::super::frame::{COMPOUNDS, Command, CommandKind, Compound, Frame, LEADS, Redirection};
use super::super::interpreters::{Code, precedes_command};
use super::super::xargs;
use super::Scanner;

impl Scanner<'_> {
    /// One character of a list of commands.
    pub(super) fn command(&mut self, at: usize, c: char) {
        match c {
            ' ' | '\t' | '\r' => self.end_word(at),
            '>' => {
                self.end_word(at);
                let before = self.text.get(..at).unwrap_or_default();
                let is_numbered = before.ends_with(|c: char| c.is_ascii_digit() && c != '1');
                // `>>`, `>|`, and `>&` as in `2>&1`.
                let sign = self
                    .rest
                    .next_if(|(_, next)| matches!(next, '>' | '|' | '&'));
                let is_other = is_numbered || sign.is_some_and(|(_, sign)| sign == '&');
                if let Some(command) = self.top() {
                    command.simple.redirects = if is_other {
                        Redirection::Other
                    } else {
                        Redirection::Output
                    };
                }
            }
            '\n' => {
                self.end_word(at);
                self.newline();
            }
            ';' | '&' | '|' => {
                self.end_word(at);
                let double = self.rest.next_if(|(_, next)| *next == c).is_some();
                self.end_simple_command(at, c == '|' && !double);
                if let Some(command) = self.top() {
                    command.starts = true;
                    if command.simple.input.is_none() {
                        command.simple.pipeline = at + 1;
                    }
                    let in_case = command.is_in("case");
                    command.pattern |= c == ';' && double && in_case;
                }
            }
            '(' if self.is_arithmetic(at) => {
                self.end_word(at);
                self.rest.next();
                self.push(Frame::Arithmetic(at, 2));
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
                self.redirection(at);
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
                    command.word_start = at;
                }
            }
        }
    }

    pub(super) fn top(&mut self) -> Option<&mut Command> {
        match self.stack.last_mut() {
            Some(Frame::Command(command)) => Some(command),
            _ => None,
        }
    }

    /// The word being read holds a quote or an expansion, so it is no keyword.
    pub(super) fn odd_word(&mut self) {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        if let Some(command) = self.top() {
            if !command.in_word {
                command.word_start = at.saturating_sub(1);
            }
            command.in_word = true;
            command.word = None;
        }
    }

    /// The interpreter that the simple command that has been read up to `at` starts with its input as the program.
    pub(super) fn reads_program(&mut self, at: usize) -> Option<&'static str> {
        let text = self.text;
        let simple = &self.top()?.simple;
        let words = || text.get(simple.start..at).unwrap_or_default();
        simple
            .reads_program()
            .or_else(|| xargs::runs_input(words()))
    }

    /// The end of a simple command at `at`; a pipe hands its output to the next one.
    pub(super) fn end_simple_command(&mut self, at: usize, piped: bool) {
        let program = self.reads_program(at);
        let Some(Frame::Command(command)) = self.stack.last_mut() else {
            return;
        };
        let fed = command.simple.input.zip(program);
        if let Some(target) = command.simple.target.take() {
            let mut here = self.waiting.iter_mut();
            for here in here
                .by_ref()
                .filter(|here| here.command == command.simple.start)
            {
                here.target = Some(target.clone());
            }
            self.scan
                .written
                .push((command.simple.pipeline..at, target));
        }
        command.simple.input = piped.then_some((command.simple.pipeline, at));
        if !piped {
            command.simple.pipeline = at;
        }
        command.simple.code = Code::Nothing;
        command.simple.has_operand = false;
        command.simple.redirects = Redirection::None;
        command.simple.start = at;
        command.simple.here_string = None;
        command.simple.is_first = true;
        if let Some(((start, end), program)) = fed {
            self.scan.piped.push((start..end, program));
            for here in &mut self.waiting {
                here.interpreter.get_or_insert(program);
            }
        }
    }

    pub(super) fn newline(&mut self) {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        self.end_simple_command(at, false);
        if let Some(command) = self.top() {
            command.starts = true;
        }
        self.begin_here_document();
    }

    /// The end of a word: is it a keyword?
    pub(super) fn end_word(&mut self, at: usize) {
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
        let written = text.get(command.word_start..at).unwrap_or_default();
        match std::mem::take(&mut command.simple.redirects) {
            Redirection::None => {}
            redirection => {
                command.simple.here_string = None;
                if redirection == Redirection::Output {
                    command.simple.target = Some(written.to_owned());
                }
                return;
            }
        }
        let is_descriptor = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_first = command.simple.is_first;
        let mut script = is_first.then_some("sh").filter(|_| written.contains('/'));
        if let Code::AfterFlag(program, _) = command.simple.code
            && !is_descriptor
        {
            let is_operand = !word.starts_with('-') && word != "/dev/stdin";
            script = (is_operand && !command.simple.has_operand).then_some(program);
            command.simple.has_operand |= is_operand;
        }
        if let Some(program) = script {
            let place = command.word_start;
            self.scan.scripts.push((place, program, written.to_owned()));
        }
        command.simple.is_first =
            is_first && (precedes_command(written) || LEADS.contains(&word) || is_descriptor);
        command.simple.code = command.simple.code.after(written, is_first);
        // Its program follows the flag.
        command.simple.has_operand |= matches!(command.simple.code, Code::Next(_));
        if command.pattern && word != "esac" {
            return;
        }
        if let Some(compound) = command.compounds.last_mut() {
            compound.has_body |= compound.kind.body == Some(word);
        }
        if !command.starts {
            command.pattern |= word == "in" && command.is_in("case");
            return;
        }
        command.starts = LEADS.contains(&word);
        let open = start.unwrap_or(at);
        if let Some(kind) = COMPOUNDS.iter().find(|kind| kind.opener == word) {
            command.compounds.push(Compound {
                kind,
                open,
                has_body: false,
            });
        } else if COMPOUNDS.iter().any(|kind| kind.closer == word) {
            command.pattern = false;
            self.close_compound(word, open..at);
        }
    }
}
