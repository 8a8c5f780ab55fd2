//! The simple commands of a text that is nothing but simple commands joined by `&&`: it succeeds only where each of
//! them does.
//!
//! Strict on purpose. Whatever could hide an exit status or define a name again (`;`, a pipe, `||`, `&`, a group, a
//! second line, a substitution, a variable) makes the text unreadable here.

use std::iter::Peekable;
use std::str::Chars;

/// Characters with a meaning of their own in a shell text that are not read.
const SPECIAL: &str = ";|()`$<#\n~!";

/// Characters of patterns. A word that begins with one could become an option.
const PATTERN: &str = "*?[{";

/// The words of one simple command.
pub(super) type Words = Vec<String>;

/// The commands of a text; `None` if there is anything else in it.
pub(super) fn commands(text: &str) -> Option<Vec<Words>> {
    let mut reader = SequenceReader {
        rest: text.trim().chars().peekable(),
        commands: Vec::new(),
        words: Vec::new(),
        word: None,
    };
    reader.read()?;
    Some(reader.commands)
}

struct SequenceReader<'t> {
    rest: Peekable<Chars<'t>>,
    commands: Vec<Words>,
    words: Words,
    /// The word that has begun, which may be empty: `''`.
    word: Option<String>,
}

impl SequenceReader<'_> {
    fn read(&mut self) -> Option<()> {
        while let Some(next) = self.rest.next() {
            match next {
                ' ' | '\t' => self.end_word(),
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    escaped => self.push(escaped),
                },
                '\'' => self.quoted('\'')?,
                '"' => self.quoted('"')?,
                '&' if self.rest.next_if_eq(&'&').is_some() => self.end_command()?,
                '&' if self.rest.next_if_eq(&'>').is_some() => self.redirection()?,
                '>' => self.redirection()?,
                '&' => return None,
                special if SPECIAL.contains(special) => return None,
                pattern if PATTERN.contains(pattern) && self.word.is_none() => return None,
                other => self.push(other),
            }
        }
        self.end_command()
    }

    fn push(&mut self, one: char) {
        self.word.get_or_insert_default().push(one);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_command(&mut self) -> Option<()> {
        self.end_word();
        let words = std::mem::take(&mut self.words);
        (!words.is_empty()).then(|| self.commands.push(words))
    }

    fn quoted(&mut self, quote: char) -> Option<()> {
        let word = self.word.get_or_insert_default();
        loop {
            match self.rest.next()? {
                end if end == quote => return Some(()),
                '\\' | '$' | '`' if quote == '"' => return None,
                other => word.push(other),
            }
        }
    }

    /// What a command prints may go elsewhere, but not into a file that it could read.
    fn redirection(&mut self) -> Option<()> {
        let number = self.word.take();
        if !number.is_none_or(|word| matches!(word.as_str(), "1" | "2")) {
            return None;
        }
        self.rest.next_if_eq(&'>');
        if self.rest.next_if_eq(&'&').is_some() {
            return self.rest.next_if(|one| matches!(one, '1' | '2')).map(drop);
        }
        while self.rest.next_if_eq(&' ').is_some() {}
        let mut file = String::new();
        let is_part = |one: &char| one.is_alphanumeric() || "/._-".contains(*one);
        while let Some(one) = self.rest.next_if(is_part) {
            file.push(one);
        }
        let is_log = file.rsplit_once('.').is_some_and(|(_, end)| end == "log");
        let is_harmless = file == "/dev/null" || file.starts_with("/tmp/") || is_log;
        (is_harmless && !file.contains("..")).then_some(())
    }
}
