//! The files that a shell text reads and writes, judged by the rules about reading and writing.
//!
//! A redirection says what it does. Of a command only the words are known: a path that a rule denies is denied to
//! programs that are known to read or write what they name, and asks for all others; so do patterns and whole folders in
//! which such a file may be. What remains unclear asks.

use crate::call::{Action, Call};
use crate::command::{Command, Script, Word};
use crate::level::Level;
use crate::paths::{is_outside, may_meet, resolved};
use crate::rule::{Rule, Subject};
use crate::rules::{Decision, Rules};

/// Programs that read the files they name, and write none.
const READERS: &[&str] = &[
    "base64", "bat", "cat", "cmp", "comm", "cut", "diff", "egrep", "fgrep", "file", "fold", "grep",
    "head", "hexdump", "jq", "less", "ls", "more", "nl", "od", "paste", "rg", "sort", "stat",
    "strings", "tac", "tail", "tr", "uniq", "wc", "xxd",
];

/// Programs that write the files they name.
const WRITERS: &[&str] = &["tee", "touch", "truncate"];

/// Programs that read all files of a folder without being asked to.
const TREE_READERS: &[&str] = &["ack", "ag", "fd", "find", "rg", "rsync", "tar", "zip"];

/// Programs that read all files of a folder with `-r`.
const RECURSIVE: &[&str] = &["cp", "diff", "egrep", "fgrep", "grep", "scp"];

/// Devices that keep nothing and go nowhere.
const HARMLESS_DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/dev/zero",
];

const UNKNOWN_FILE: &str = "it names a file that is only known when it runs";

/// What is known of a shell text besides its words.
pub(crate) struct ScriptFiles<'r> {
    rules: &'r Rules,
    /// The absolute path of the folder it starts in.
    folder: &'r str,
    /// The folder it works in, relative to that; none where it is not known.
    base: Option<String>,
    /// What holds for writing where no rule matches, inside of the folder and outside.
    inside: Level,
    outside: Level,
}

impl<'r> ScriptFiles<'r> {
    pub(crate) fn new(
        rules: &'r Rules,
        folder: &'r str,
        script: &Script,
        (inside, outside): (Level, Level),
    ) -> Self {
        Self {
            rules,
            folder,
            base: base(script, folder),
            inside,
            outside,
        }
    }

    /// What rules say of every file that the text names.
    pub(crate) fn decisions(&self, script: &Script) -> Vec<Decision> {
        let writes = script.writes.iter().map(|word| self.write(word));
        let reads = script.reads.iter().map(|word| self.read(word));
        let commands = script.commands.iter().filter(|one| !one.is_harmless());
        let named = commands.flat_map(|command| self.command(command));
        writes.chain(reads).chain(named).collect()
    }

    fn resolved(&self, word: &Word) -> Option<String> {
        let is_known = word.is_known() && !word.is_pattern();
        is_known
            .then(|| resolved(word.text(), self.folder, self.base.as_deref()))
            .flatten()
    }

    fn write(&self, word: &Word) -> Decision {
        if HARMLESS_DEVICES.contains(&word.text()) || word.text().starts_with("/dev/fd/") {
            return Decision::fallback(Level::Allow);
        }
        let Some(path) = self.resolved(word) else {
            let level = self.strictest(&Subject::Write).max(self.outside);
            return Decision::unclear(level.min(Level::Ask), UNKNOWN_FILE);
        };
        let fallback = if is_outside(&path) {
            self.outside
        } else {
            self.inside
        };
        self.path(Action::Write(&[]), &path, fallback)
    }

    fn read(&self, word: &Word) -> Decision {
        match self.resolved(word) {
            Some(path) => self.path(Action::Read(&[]), &path, Level::Allow),
            None => Decision::unclear(self.strictest(&Subject::Read).min(Level::Ask), UNKNOWN_FILE),
        }
    }

    fn path(&self, action: Action<'_>, path: &str, fallback: Level) -> Decision {
        self.rules.path(&Call::new("", action), path, fallback)
    }

    /// The strictest level of the rules about some files.
    fn strictest(&self, subject: &Subject) -> Level {
        let rules = self.limiting(subject).map(|rule| rule.level);
        rules.max().unwrap_or(Level::Allow)
    }

    /// The rules that limit what is done with some files.
    fn limiting(&self, subject: &Subject) -> impl Iterator<Item = &'r Rule> {
        let rules = self.rules.iter();
        rules.filter(move |rule| {
            rule.subject == *subject && rule.pattern().is_some() && rule.level > Level::Allow
        })
    }

    fn command(&self, command: &Command) -> Vec<Decision> {
        let Some((program, arguments)) = command.program() else {
            return Vec::new();
        };
        let is_reader = READERS.contains(&program);
        let is_writer = WRITERS.contains(&program);
        let mut found = Vec::new();
        for word in arguments {
            if is_writer && !word.text().starts_with('-') {
                found.push(self.write(word));
            }
            if is_reader && !word.is_known() {
                found.push(self.read(word));
            }
            for path in paths_in(word.text()) {
                let is_pattern = word.is_pattern();
                if is_reader {
                    found.extend(self.named(&Subject::Read, path, is_pattern));
                    continue;
                }
                let subjects: &[Subject] = if is_writer {
                    &[Subject::Read]
                } else {
                    &[Subject::Read, Subject::Write]
                };
                for subject in subjects {
                    // What every file needs is not asked of every word.
                    if self.limiting(subject).next().is_some() {
                        let named = self.named(subject, path, is_pattern);
                        found.extend(named.map(Decision::asking));
                    }
                }
            }
        }
        found.extend(self.tree(program, arguments));
        found
    }

    /// What a rule says of a path that a command names.
    fn named(&self, subject: &Subject, path: &str, is_pattern: bool) -> Option<Decision> {
        let path = resolved(path, self.folder, self.base.as_deref());
        let action = match subject {
            Subject::Read => Action::Read(&[]),
            _ => Action::Write(&[]),
        };
        let mut rules = self.limiting(subject);
        let Some(path) = path else {
            let any = rules.next()?;
            return Some(Decision::unclear(any.level, UNKNOWN_FILE).asking());
        };
        if is_pattern {
            let met = rules.find(|rule| may_meet(&path, rule.pattern().unwrap_or_default()))?;
            let reason = format!("`{path}` may stand for a file of `{met}`");
            return Some(Decision::unclear(Level::Ask, &reason));
        }
        let decision = self.path(action, &path, Level::Allow);
        (decision.level > Level::Allow).then_some(decision)
    }

    /// Whether a command reads a whole folder in which a file may be that a rule is about.
    fn tree(&self, program: &str, arguments: &[Word]) -> Option<Decision> {
        let is_flag = |word: &&Word| word.text().starts_with('-');
        let recursive = |word: &Word| {
            let text = word.text();
            let is_short = text.starts_with('-') && !text.starts_with("--");
            is_short && text.contains(['r', 'R']) || text.starts_with("--recursive")
        };
        let is_recursive = arguments.iter().any(recursive);
        let reads = TREE_READERS.contains(&program)
            || is_recursive && RECURSIVE.contains(&program)
            || program == "git" && arguments.first().is_some_and(|one| one.text() == "grep");
        if !reads {
            return None;
        }
        let folders: Vec<Option<String>> = arguments
            .iter()
            .filter(|word| !is_flag(word))
            .map(|word| self.resolved(word))
            .collect();
        let rule = self.limiting(&Subject::Read).find(|rule| {
            let pattern = rule.pattern().unwrap_or_default();
            let is_anywhere = !pattern.trim_end_matches('/').contains('/');
            let meets = |folder: &Option<String>| match folder.as_deref() {
                None | Some("." | "/") => true,
                Some(folder) => {
                    may_meet(&format!("{folder}/*"), pattern) || folder.starts_with("..")
                }
            };
            is_anywhere || folders.len() < 2 || folders.iter().any(meets)
        })?;
        let reason = format!("it reads whole folders, in which there may be a file of `{rule}`");
        Some(Decision::unclear(Level::Ask, &reason))
    }
}

/// The folder that a text works in: where it starts, or where a `cd` at its beginning leads. None where it changes in a
/// way that is not followed.
fn base(script: &Script, folder: &str) -> Option<String> {
    let changes = |command: &Command| {
        let program = command.program().map(|(program, _)| program);
        program.is_some_and(|program| matches!(program, "cd" | "pushd" | "popd"))
    };
    let mut found = script
        .commands
        .iter()
        .enumerate()
        .filter(|(_, one)| changes(one));
    match (found.next(), found.next()) {
        (None, _) => Some(String::new()),
        (Some((0, command)), None) => match command.words.as_slice() {
            [_, target] if target.is_known() && !target.text().starts_with(['-', '~']) => {
                resolved(target.text(), folder, Some(""))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What may be paths in a word: all of it, and the parts between other signs (`--file=x`, `HEAD:x`, `open('x')`).
fn paths_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |one: char| one.is_alphanumeric() || "-_./~*?[]@%+".contains(one);
    let parts = text.split(move |one| !is_part(one));
    let parts = parts.filter(|part| !part.is_empty() && !part.starts_with('-'));
    let whole = (!text.starts_with('-') && text.contains(|one| !is_part(one))).then_some(text);
    whole.into_iter().chain(parts)
}
