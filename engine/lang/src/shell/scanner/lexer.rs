//! Words of a list of commands: where they end, and which of them are keywords.

use super::super::frame::{COMPOUNDS, Command, CommandKind, Compound, Frame, LEADS};
use super::super::interpreters::{Code, precedes_command};
use super::Scanner;

impl Scanner<'_> {
    /// One character of a list of commands.
    pub(super) fn command(&mut self, at: usize, c: char) {
        match c {
            ' ' | '\t' | '\r' => self.end_word(at),
            '>' => {
                self.end_word(at);
                // `>>`, `>|`, and `>&` as in `2>&1`.
                self.rest
                    .next_if(|(_, next)| matches!(next, '>' | '|' | '&'));
                if let Some(command) = self.top() {
                    command.simple.redirects = true;
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

    /// The end of a simple command at `at`; a pipe hands its output to the next one.
    pub(super) fn end_simple_command(&mut self, at: usize, piped: bool) {
        let Some(Frame::Command(command)) = self.stack.last_mut() else {
            return;
        };
        let fed = command.simple.input.zip(command.simple.reads_program());
        command.simple.input = piped.then_some((command.simple.pipeline, at));
        if !piped {
            command.simple.pipeline = at;
        }
        command.simple.code = Code::Nothing;
        command.simple.has_operand = false;
        command.simple.redirects = false;
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
        if std::mem::take(&mut command.simple.redirects) {
            command.simple.here_string = None;
            return;
        }
        let is_descriptor = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if matches!(command.simple.code, Code::AfterFlag(..)) && !is_descriptor {
            command.simple.has_operand |= !word.starts_with('-') && word != "/dev/stdin";
        }
        let written = text.get(command.word_start..at).unwrap_or_default();
        let is_first = command.simple.is_first;
        command.simple.is_first =
            is_first && (precedes_command(written) || LEADS.contains(&word) || is_descriptor);
        command.simple.code = command.simple.code.after(written, is_first);
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
