//! One command of a shell text.

use super::word::Word;
use super::wrapper;

/// Programs of the shell itself that change nothing outside of it.
const HARMLESS: &[&str] = &[
    ":", "[", "[[", "cd", "echo", "exit", "export", "false", "printf", "pwd", "set", "test",
    "true", "wait",
];

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// `NAME=VALUE` before it.
    pub assignments: Vec<Word>,
    /// The program and its arguments.
    pub words: Vec<Word>,
}

impl Command {
    /// As one text: words without needless quotes, with one space between them.
    pub fn text(&self) -> String {
        joined(self.assignments.iter().chain(&self.words))
    }

    /// Other texts that are about the same program: without assignments, without the folder of the program, and what
    /// `sudo`, `env`, `xargs` and their like run.
    pub fn variants(&self) -> Vec<String> {
        let mut variants = Vec::new();
        let mut words = self.words.as_slice();
        loop {
            variants.push(joined(words));
            if let Some((program, arguments)) = words.split_first()
                && let Some((_, name)) = program.text().rsplit_once('/')
            {
                let name = Word::known(name);
                variants.push(joined(std::iter::once(&name).chain(arguments)));
            }
            match wrapper::wrapped(words) {
                Some(inner) if inner.len() < words.len() => words = inner,
                _ => return variants,
            }
        }
    }

    /// The program without its folder and its arguments, behind `sudo`, `env` and their like.
    pub(crate) fn program(&self) -> Option<(&str, &[Word])> {
        let mut words = self.words.as_slice();
        while let Some(inner) = wrapper::wrapped(words).filter(|inner| inner.len() < words.len()) {
            if words.first().is_some_and(|one| one.text() == "find") {
                break;
            }
            words = inner;
        }
        let (program, arguments) = words.split_first()?;
        let name = program.text();
        Some((name.rsplit('/').next().unwrap_or(name), arguments))
    }

    /// Whether it only changes the shell itself, as `cd` does.
    pub(crate) fn is_harmless(&self) -> bool {
        let program = self.words.first();
        self.assignments.is_empty()
            && program.is_some_and(|one| one.is_known() && HARMLESS.contains(&one.text()))
    }
}

fn joined<'w>(words: impl IntoIterator<Item = &'w Word>) -> String {
    let words: Vec<String> = words.into_iter().map(Word::quoted).collect();
    words.join(" ")
}
