//! Values that become code although they are quoted where they are put: what a shell prints, reads or stores can
//! be the program of another interpreter.
//!
//! Only the forms that people write are recognised: a here-document or a pipe into an interpreter, and a
//! variable that is evaluated later. Programs that run commands from their arguments (`git -c alias`, `tar
//! --checkpoint-action`, `flock -c`, an interpreter named by a variable) cannot be known from the text.

use super::position::{QuoteContext, Reader};
use super::positional::positional;
use super::scanner::{Scan, scan};

/// How a value reaches an interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Indirect {
    /// It is in the here-document or here-string that this program reads as its program.
    HereDocument(&'static str),
    /// It is in the output that is piped to this program.
    Pipe(&'static str),
    /// It is stored in a variable that this program evaluates.
    Variable(String, &'static str),
    /// It is stored in a variable that the shell evaluates in arithmetic.
    Arithmetic(String),
    /// It is written to a file that this program runs.
    Script {
        /// The file.
        file: String,
        /// What runs it.
        program: &'static str,
        /// Whether it is written as it is, and not by a program that may quote it.
        is_verbatim: bool,
    },
    /// It is in a variable that this program puts into the commands it runs.
    Recipes(&'static str),
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
        found.push(match (position.here, piped, position.reader) {
            (Some(program), ..) => Some(Indirect::HereDocument(program)),
            (None, Some((_, program)), _) => Some(Indirect::Pipe(program)),
            (None, None, Some(Reader::Recipes(program))) => Some(Indirect::Recipes(program)),
            (None, None, _) => script(&scanned, text, offset).or_else(|| evaluated(text, offset)),
        });
    }
    found
}

/// The file that the value at `offset` is written to, if it is run later.
fn script(scanned: &Scan, text: &str, offset: usize) -> Option<Indirect> {
    let plain = |path: &str| {
        let path = path.trim_matches(['"', '\'']);
        path.strip_prefix("./").unwrap_or(path).to_owned()
    };
    let mut parts = scanned.written.iter();
    let (part, file) = parts.find(|(part, _)| part.contains(&offset))?;
    let file = plain(file);
    let mut scripts = scanned.scripts.iter();
    let (_, program, _) =
        scripts.find(|(at, _, script)| *at > part.end && plain(script) == file)?;
    let writer = text.get(part.clone())?;
    let before = text.get(..part.start)?;
    let mut words = writer.split_ascii_whitespace();
    let is_printed = matches!(words.next(), Some("echo" | "printf"));
    let is_document = before.ends_with('\n') && before.contains("<<");
    Some(Indirect::Script {
        file,
        program,
        is_verbatim: is_document || is_printed && !writer.contains("%q") && !writer.contains('|'),
    })
}

/// The variable that the word at `offset` sets, if an interpreter or the shell's arithmetic evaluates it later.
fn evaluated(text: &str, offset: usize) -> Option<Indirect> {
    let before = text.get(..offset)?;
    let (name, later) = if let Some(name) = assigned(before) {
        if is_declared_integer(before, name) {
            return Some(Indirect::Arithmetic(name.to_owned()));
        }
        (name.to_owned(), uses(text, offset, name))
    } else {
        let found = positional(before)?;
        let mut later = uses(text, found.from, &found.number.to_string());
        later.retain(|(_, is_expanded)| *is_expanded);
        (format!("${}", found.number), later)
    };
    let offsets: Vec<usize> = later.iter().map(|(at, _)| *at).collect();
    let positions = scan(text, &offsets).positions;
    let mut uses = positions.iter().zip(&later);
    uses.find_map(|(position, (_, is_expanded))| match position.reader {
        Some(Reader::Program(program)) if *is_expanded => {
            Some(Indirect::Variable(name.clone(), program))
        }
        _ if position.context == QuoteContext::Arithmetic => {
            Some(Indirect::Arithmetic(name.clone()))
        }
        _ => None,
    })
}

/// Whether a variable was declared as an integer, so that each assignment is arithmetic: `declare -i n`.
fn is_declared_integer(before: &str, name: &str) -> bool {
    let mut commands = before.split([';', '\n', '&', '|', '{']);
    commands.any(|command| {
        let mut words = command.split_ascii_whitespace();
        matches!(words.next(), Some("declare" | "local" | "typeset"))
            && words
                .next()
                .is_some_and(|flags| flags.starts_with('-') && flags.contains('i'))
            && words.any(|word| word.split('=').next() == Some(name))
    })
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

/// Where `name` is used after `from`, and whether it is expanded: `$name`, `${name`. The offset is that of the `$`.
fn uses(text: &str, from: usize, name: &str) -> Vec<(usize, bool)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = text.get(from..).unwrap_or_default();
    let words = rest.match_indices(name).filter_map(|(at, _)| {
        let (before, after) = (rest.get(..at)?, rest.get(at + name.len()..)?);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        let sign = ["$", "${"].iter().find(|sign| before.ends_with(*sign));
        let start = from + at - sign.map_or(0, |sign| sign.len());
        is_word.then_some((start, sign.is_some()))
    });
    words.collect()
}
