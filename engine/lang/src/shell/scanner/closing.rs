//! What closes a list of commands, and what is said when nothing does.

use std::ops::Range;

use super::super::frame::{CommandKind, Frame, HereDocument};
use super::super::interpreters::Code;
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
                    // After `f()` or `(…)` a keyword or a command may follow: `f() {`.
                    command.starts = true;
                    command.simple.is_first = true;
                    command.simple.code = Code::Nothing;
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
            for compound in std::mem::take(&mut command.compounds) {
                let (opener, closer) = (compound.kind.opener, compound.kind.closer);
                self.scan.problems.push(LangError::new(
                    compound.open..compound.open + opener.len(),
                    format!("unclosed `{opener}`; add `{closer}`"),
                ));
            }
        }
    }

    /// Closes the innermost compound command of the list with the keyword `word`.
    pub(super) fn close_compound(&mut self, word: &str, range: Range<usize>) {
        let Some(Frame::Command(command)) = self.stack.last_mut() else {
            return;
        };
        let problem = match command.compounds.pop() {
            Some(compound) if compound.kind.closer != word => {
                let message = format!(
                    "`{word}` does not close the open `{}`",
                    compound.kind.opener
                );
                command.compounds.push(compound);
                LangError::new(range, message)
            }
            Some(compound) => {
                let opener = compound.kind.opener;
                let Some(body) = compound.kind.body.filter(|_| !compound.has_body) else {
                    return;
                };
                LangError::new(
                    compound.open..compound.open + opener.len(),
                    format!("`{opener}` without `{body}`; add `{body}` before its commands"),
                )
            }
            None => {
                let message = format!("unmatched `{word}`; the shell will reject the command");
                LangError::new(range, message)
            }
        };
        self.scan.problems.push(problem);
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
            Some(Frame::Here(here)) => {
                let problem = self.unclosed_here_document(here);
                self.scan.problems.extend(problem);
                return;
            }
            Some(Frame::Comment) | None => return,
        };
        self.scan.problems.push(LangError::new(
            open..open + what.len(),
            format!("unclosed {what}; add the closing {closer}"),
        ));
    }
    /// A here-document that the end of the text ends. A delimiter with a placeholder is known only to a run.
    pub(super) fn unclosed_here_document(&self, here: &HereDocument) -> Option<LangError> {
        let delimiter = here.delimiter.as_str();
        let after = self.text.get(here.operator.end..).unwrap_or_default();
        let is_surrounded = after.lines().any(|line| line.trim() == delimiter);
        let message = if is_surrounded {
            format!("unclosed here-document; remove the spaces around `{delimiter}`")
        } else {
            format!("unclosed here-document; add a line with only `{delimiter}`")
        };
        let is_known = !delimiter.contains(['{', '$', '`']);
        is_known.then(|| LangError::new(here.operator.clone(), message))
    }
}
