//! Commands that change no file of the project.

use attractor_permissions::{Command, Word};

/// Programs that only read, whatever their arguments are.
const READERS: &[&str] = &[
    ":",
    "[",
    "[[",
    "basename",
    "cat",
    "cd",
    "cmp",
    "column",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "env",
    "exit",
    "export",
    "false",
    "fgrep",
    "file",
    "grep",
    "head",
    "hexdump",
    "id",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "od",
    "printf",
    "ps",
    "pwd",
    "readlink",
    "realpath",
    "rg",
    "set",
    "sha256sum",
    "sleep",
    "stat",
    "strings",
    "tail",
    "test",
    "tr",
    "tree",
    "true",
    "type",
    "uname",
    "uniq",
    "wait",
    "wc",
    "which",
    "whoami",
    "xxd",
];

/// Subcommands of git that leave the files as they are.
const GIT: &[&str] = &[
    "add",
    "blame",
    "branch",
    "commit",
    "describe",
    "diff",
    "grep",
    "log",
    "ls-files",
    "ls-tree",
    "rev-parse",
    "shortlog",
    "show",
    "status",
    "tag",
];

/// Whether a command changes no file, by what is known of it.
pub(super) fn only_reads(command: &Command) -> bool {
    let mut words = command.words.iter().map(Word::text);
    let Some(program) = words.next() else {
        // Assignments alone.
        return true;
    };
    let mut arguments = words;
    match program {
        "git" => arguments
            .find(|one| !one.starts_with('-'))
            .is_some_and(|subcommand| GIT.contains(&subcommand)),
        "find" => !arguments.any(|one| {
            one == "-delete"
                || one.starts_with("-exec")
                || one.starts_with("-ok")
                || one.starts_with("-fprint")
        }),
        "sed" => !arguments.any(|one| one.starts_with("-i") || one.starts_with("--in-place")),
        "sort" => !arguments.any(|one| one.starts_with("-o") || one.starts_with("--output")),
        "awk" => !arguments.any(|one| one.contains('>') || one.contains("system(")),
        _ => READERS.contains(&program),
    }
}

/// Whether a file that a redirection writes is none of the project.
pub(super) fn is_outside(file: &Word) -> bool {
    file.is_known() && (file.text().starts_with("/dev/") || file.text().starts_with("/tmp/"))
}
