//! Subscripts of arrays and ranges of characters, which bash evaluates as arithmetic.

use super::super::frame::{Command, CommandKind, Frame};
use super::super::interpreters::{Code, DECLARE};
use super::Scanner;

impl Scanner<'_> {
    /// Whether `at` is in arithmetic or a subscript, also in quotes there.
    pub(super) fn is_evaluated(&self, at: usize) -> bool {
        for frame in self.stack.iter().rev() {
            match frame {
                Frame::Double(_) | Frame::Single(_) | Frame::DollarSingle(_) => {}
                Frame::Arithmetic(..) => return true,
                Frame::Parameter(open) => {
                    let inside = self.text.get(open + 2..at).unwrap_or_default();
                    if is_range(inside) || is_subscript(inside) && !self.has_names() {
                        return true;
                    }
                }
                Frame::Command(command) => return self.is_element(command, at),
                Frame::Comment | Frame::Here(_) => return false,
            }
        }
        false
    }

    /// Whether `at` is in the subscript of an element that a list sets, or a word: `a=([value]=1)`, `a[value]=1`.
    fn is_element(&self, command: &Command, at: usize) -> bool {
        let begin = if command.in_word {
            self.text.get(command.word_start..at).unwrap_or_default()
        } else {
            ""
        };
        let before = self.text.get(..command.open).unwrap_or_default();
        let is_list = command.kind == CommandKind::Subshell && before.ends_with('=');
        let declares = matches!(command.simple.code, Code::Words(rule, _) if *rule == DECLARE);
        let is_begun = if is_list {
            begin.starts_with('[') && !begin.contains(']')
        } else {
            (command.simple.is_first || declares) && is_subscript(begin)
        };
        let after = self.text.get(at..).unwrap_or_default();
        is_begun && closes_assigned(after) && !self.has_names()
    }

    /// Whether arrays of the command may have texts as subscripts.
    fn has_names(&self) -> bool {
        ["declare", "local", "typeset"].iter().any(|name| {
            let mut uses = self.text.match_indices(name);
            uses.any(|(at, _)| {
                let after = self.text.get(at + name.len()..).unwrap_or_default();
                let flags = after.split_ascii_whitespace().next().unwrap_or_default();
                flags.starts_with('-') && flags.contains('A')
            })
        })
    }
}

fn closes_assigned(after: &str) -> bool {
    let closed = after.split_once(']').map(|(_, after)| after);
    closed.is_some_and(|after| after.starts_with('=') || after.starts_with("+="))
}

/// Whether what `begin` begins is still in a subscript: `a[`.
fn is_subscript(begin: &str) -> bool {
    let begin = begin.trim_start_matches(['#', '!']);
    let subscript = begin.strip_prefix(name_of(begin)).unwrap_or_default();
    subscript.len() < begin.len() && subscript.starts_with('[') && !subscript.contains(']')
}

/// Whether what `begin` begins is an offset or a length of characters: `x:`, and not `x:-`.
fn is_range(begin: &str) -> bool {
    let after = begin.strip_prefix(name_of(begin)).unwrap_or_default();
    let range = after.strip_prefix(':');
    range.is_some_and(|range| !range.starts_with(['-', '=', '?', '+'])) && after.len() < begin.len()
}

fn name_of(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '*')));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}
