//! Words of a list of commands: where they end, and which of them are keywords.

use super::super::frame::{COMPOUNDS, Command, CommandKind, Frame, LEADS};
use super::super::interpreters::Code;
use super::Scanner;
use crate::lang::LangError;

impl Scanner<'_> {
    /// One character of a list of commands.
    pub(super) fn command(&mut self, at: usize, c: char) {
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

    pub(super) fn top(&mut self) -> Option<&mut Command> {
        match self.stack.last_mut() {
            Some(Frame::Command(command)) => Some(command),
            _ => None,
        }
    }

    /// The word being read holds a quote or an expansion, so it is no keyword.
    pub(super) fn odd_word(&mut self) {
        if let Some(command) = self.top() {
            command.in_word = true;
            command.word = None;
        }
    }

    pub(super) fn newline(&mut self) {
        if let Some(command) = self.top() {
            command.starts = true;
            command.code = Code::Nothing;
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
        command.starts = LEADS.contains(&word);
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
}
