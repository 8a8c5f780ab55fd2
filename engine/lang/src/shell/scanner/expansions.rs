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

    /// Whether the bracket at `at` begins `((…))`, which bash evaluates, and not a list in a list.
    pub(super) fn is_arithmetic(&self, at: usize) -> bool {
        /// Nobody computes more than that.
        const LONGEST: usize = 500;
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        if !rest.starts_with(b"((") {
            return false;
        }
        let mut open = 0_usize;
        let mut closes = rest
            .iter()
            .take(LONGEST)
            .enumerate()
            .filter_map(|(at, byte)| {
                match byte {
                    b'(' => open += 1,
                    b')' => open = open.saturating_sub(1),
                    _ => return None,
                }
                (open == 1 && *byte == b')').then_some(at)
            });
        // The bracket that closes the inner one is followed by the one that closes the outer one.
        let inner = closes.next();
        inner.is_some_and(|at| rest.get(at + 1) == Some(&b')'))
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
