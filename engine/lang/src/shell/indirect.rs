//! Values that become code although they are quoted where they are put: what a shell prints, reads or stores can
//! be the program of another interpreter.
//!
//! Only the forms that people write are recognised: a here-document or a pipe into an interpreter, and a
//! variable that is evaluated later. Programs that run commands from their arguments (`git -c alias`, `tar
//! --checkpoint-action`, `flock -c`, an interpreter named by a variable) cannot be known from the text.

use std::ops::Range;

use super::scanner::scan;

/// How a value reaches an interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Indirect {
    /// It is in the here-document that this program reads as its program.
    HereDocument(&'static str),
    /// It is in the output that is piped to this program.
    Pipe(&'static str),
    /// It is stored in a variable that this program evaluates.
    Variable(String, &'static str),
}

/// How a value at each of `offsets` (bytes of `text`, ascending) reaches an interpreter as code; `None` where it
/// does not, as far as the text shows.
pub fn indirect(text: &str, offsets: &[usize]) -> Vec<Option<Indirect>> {
    let scanned = scan(text, offsets);
    let mut found = Vec::with_capacity(offsets.len());
    for (position, &offset) in scanned.positions.iter().zip(offsets) {
        let piped = scanned
            .piped
            .iter()
            .find(|(part, _)| part.contains(&offset));
        found.push(match (position.here, piped) {
            (Some(program), _) => Some(Indirect::HereDocument(program)),
            (None, Some((_, program))) => Some(Indirect::Pipe(program)),
            (None, None) => evaluated(text, offset),
        });
    }
    found
}

/// The variable that the word at `offset` sets, if an interpreter evaluates it later.
fn evaluated(text: &str, offset: usize) -> Option<Indirect> {
    let name = assigned(text.get(..offset)?)?;
    let later = uses(text, offset, name);
    let offsets: Vec<usize> = later.iter().map(|range| range.start).collect();
    let program = scan(text, &offsets)
        .positions
        .iter()
        .find_map(|position| position.code)?;
    Some(Indirect::Variable(name.to_owned(), program))
}

/// The variable that is set by the word at the end of `before`: `y` for `y="`.
fn assigned(before: &str) -> Option<&str> {
    let (head, _) = before.rsplit_once('=')?;
    let start = head
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .map_or(0, |at| at + 1);
    let name = head.get(start..)?;
    let value = before.get(head.len() + 1..)?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let starts_word = head
        .get(..start)?
        .chars()
        .next_back()
        .is_none_or(|c| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '('));
    // A blank outside of quotes ends the word.
    let same_word = value.starts_with(['"', '\'']) || !value.contains(char::is_whitespace);
    let closed = value.starts_with('"') && value.get(1..).is_some_and(|rest| rest.contains('"'));
    (is_name && starts_word && same_word && !closed).then_some(name)
}

/// Where `$name` or `${name` is used after `from`.
fn uses(text: &str, from: usize, name: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = from;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('$')) {
        let start = at + next;
        at = start + 1;
        let rest = text.get(at..).unwrap_or_default();
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        let follows = rest.strip_prefix(name).map(|after| after.chars().next());
        if follows.is_some_and(|c| c.is_none_or(|c| !(c.is_ascii_alphanumeric() || c == '_'))) {
            found.push(start..at);
        }
    }
    found
}
