//! Expansions: `$…` and backquotes.

use super::super::frame::{Command, CommandKind, Frame};
use super::Scanner;

impl Scanner<'_> {
    /// What is special in double quotes too: `\`, `$…`, backquotes.
    pub(super) fn expansion(&mut self, at: usize, c: char) {
        match c {
            '\\' => drop(self.rest.next()),
            '`' => self.backquote(at),
            '$' => self.dollar(at),
            _ => {}
        }
    }

    pub(super) fn backquote(&mut self, at: usize) {
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

    pub(super) fn dollar(&mut self, at: usize) {
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
                // `${#x}`: the `#` is not a comment, and `${'…` does not begin a string.
                self.rest.next_if(|(_, c)| *c == '#');
                self.push(Frame::Parameter(at));
            }
            Some('#' | '?' | '!' | '$' | '*' | '@' | '-') => drop(self.rest.next()),
            _ => {}
        }
    }
}
