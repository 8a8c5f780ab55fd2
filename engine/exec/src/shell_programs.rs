//! The programs that a shell text starts, as far as that is known before it runs.

use std::collections::BTreeSet;

use attractor_permissions::{Command, Script};

/// Commands of the shell itself, of `sh` and of `bash`.
const BUILTINS: &[&str] = &[
    ".",
    ":",
    "[",
    "[[",
    "alias",
    "bg",
    "break",
    "builtin",
    "cd",
    "command",
    "continue",
    "declare",
    "dirs",
    "disown",
    "echo",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "getopts",
    "hash",
    "help",
    "history",
    "jobs",
    "kill",
    "let",
    "local",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "select",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "time",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
];

/// Builtins whose arguments are a command, and builtins that ask whether one exists.
const ASKS: &[&str] = &["command", "hash", "type", "which"];

/// The programs that `text` starts, each once. Builtins, functions of the text, programs whose name is known only when
/// it runs, and programs whose existence the text itself checks are left out.
pub fn shell_programs(text: &str) -> BTreeSet<String> {
    let script = Script::parse(text);
    let mut programs = BTreeSet::new();
    let mut checked = BTreeSet::new();
    for command in &script.commands {
        match words(command).as_slice() {
            [ask, rest @ ..] if ASKS.contains(ask) => {
                let names = rest.iter().filter(|word| !word.starts_with('-'));
                checked.extend(names.map(|name| (*name).to_owned()));
            }
            ["exec" | "time" | "builtin", program, ..] | [program, ..] => {
                programs.insert((*program).to_owned());
            }
            [] => {}
        }
    }
    programs.retain(|program| {
        let is_function = || {
            text.contains(&format!("{program}()")) || text.contains(&format!("function {program}"))
        };
        is_name(program)
            && !BUILTINS.contains(&program.as_str())
            && !checked.contains(program)
            && !is_function()
    });
    programs
}

/// The leading words of a command that are known.
fn words(command: &Command) -> Vec<&str> {
    let known = command.words.iter().take_while(|word| word.is_known());
    known.map(attractor_permissions::Word::text).collect()
}

/// Not an assignment, a template or a file that is only there later.
fn is_name(program: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.+/@".contains(c);
    let is_absolute_or_bare = !program.contains('/') || program.starts_with('/');
    !program.is_empty() && program.chars().all(is_plain) && is_absolute_or_bare
}

#[cfg(test)]
mod tests {
    use super::shell_programs;

    #[test]
    fn first_words_that_are_programs() {
        for (text, expected) in [
            ("nosuch --version", "nosuch"),
            ("cd sub && nosuch x | tail -1", "nosuch tail"),
            ("A=1 B=2 nosuch", "nosuch"),
            ("X=$(nosuch)", "nosuch"),
            // What a function does is not looked into.
            ("build() { make; }\nbuild", ""),
            ("if ! grep -q x f; then echo no; fi", "grep"),
            ("command -v node >/dev/null && node x || echo none", ""),
            ("{tool} x; $TOOL y; ./made-later", ""),
            ("/usr/bin/nosuch x", "/usr/bin/nosuch"),
            ("exec nosuch", "nosuch"),
            ("for f in a b; do cat \"$f\"; done", "cat"),
            ("set -e; export A=b; true", ""),
        ] {
            let found: Vec<String> = shell_programs(text).into_iter().collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
