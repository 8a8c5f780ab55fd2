//! What closes a list of commands, and what is said when nothing does.

use super::super::frame::{COMPOUNDS, CommandKind, Frame};
use super::Scanner;
use crate::LangError;

impl Scanner<'_> {
    pub(super) fn close_bracket(&mut self, at: usize) {
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
                        "unmatched `)`; the shell will reject the command",
                    ));
                }
            }
        }
    }

    /// Reports compound commands still open when their list of commands ends.
    pub(super) fn close_command(&mut self, at: usize) {
        self.end_word(at);
        if let Some(Frame::Command(command)) = self.stack.last_mut() {
            for (word, open) in std::mem::take(&mut command.compounds) {
                let closer = COMPOUNDS
                    .iter()
                    .find(|pair| pair.0 == word)
                    .map_or("its end", |pair| pair.1);
                self.scan.problems.push(LangError::new(
                    open..open + word.len(),
                    format!("unclosed `{word}`; add `{closer}`"),
                ));
            }
        }
    }

    pub(super) fn report_top(&mut self) {
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
            format!("unclosed {what}; add the closing {closer}"),
        ));
    }
}
