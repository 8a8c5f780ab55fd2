//! Programs that run another program or a shell text by their arguments.

use super::word::Word;

/// A program that runs another, and its options that take a value as the next word.
struct Wrapper {
    name: &'static str,
    /// Short and long options that take a value.
    with_value: &'static [&'static str],
    /// Words of its own before the program.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    with_value: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper {
        name,
        with_value,
        operands,
    }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper("builtin", &[], 0),
    wrapper("chroot", &[], 1),
    wrapper("command", &[], 0),
    wrapper("doas", &["-u", "-C"], 0),
    wrapper("env", &["-u", "--unset", "-C", "--chdir", "-S"], 0),
    wrapper("exec", &["-a"], 0),
    wrapper("flock", &["-w", "--timeout", "-E"], 1),
    wrapper("ionice", &["-c", "-n"], 0),
    wrapper("nice", &["-n", "--adjustment"], 0),
    wrapper("nohup", &[], 0),
    wrapper("setsid", &[], 0),
    wrapper("stdbuf", &["-i", "-o", "-e"], 0),
    wrapper("strace", &["-o", "-e", "-p"], 0),
    wrapper(
        "sudo",
        &["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "--user"],
        0,
    ),
    wrapper("time", &["-f", "-o"], 0),
    wrapper("timeout", &["-k", "-s", "--signal", "--kill-after"], 1),
    wrapper("unshare", &[], 0),
    wrapper(
        "xargs",
        &["-I", "-n", "-P", "-L", "-d", "-a", "-E", "-s"],
        0,
    ),
];

const SHELLS: &[&str] = &["ash", "bash", "dash", "fish", "ksh", "sh", "zsh"];

/// Options of `find` that are followed by a program.
const FIND_PROGRAMS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// The program that a command runs with its own arguments, as `sudo PROGRAM` does.
pub(super) fn wrapped(words: &[Word]) -> Option<&[Word]> {
    let (program, arguments) = words.split_first()?;
    let name = file_name(program.text());
    if name == "find" {
        let at = arguments
            .iter()
            .position(|word| FIND_PROGRAMS.contains(&word.text()))?;
        return arguments.get(at + 1..).filter(|rest| !rest.is_empty());
    }
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == name)?;
    let mut rest = arguments;
    let mut operands = wrapper.operands;
    while let Some((word, after)) = rest.split_first() {
        let text = word.text();
        let skip = if text == "--" {
            0
        } else if text.starts_with('-') {
            usize::from(wrapper.with_value.contains(&text))
        } else if is_assignment(text) && matches!(name, "env" | "sudo" | "doas") {
            0
        } else if operands > 0 {
            operands -= 1;
            0
        } else {
            return Some(rest);
        };
        rest = after.get(skip..).unwrap_or_default();
    }
    None
}

/// The shell texts that a command runs: `sh -c TEXT`, `eval TEXT`, and programs that read one. `None` is a text that
/// is not known before it runs.
pub(super) fn inner_texts(words: &[Word]) -> Vec<Option<String>> {
    let mut words = words;
    while let Some(inner) = wrapped(words).filter(|inner| inner.len() < words.len()) {
        words = inner;
    }
    let Some((program, arguments)) = words.split_first() else {
        return Vec::new();
    };
    match file_name(program.text()) {
        "eval" | "source" | "." | "trap" if arguments.is_empty() => Vec::new(),
        "source" | "." => vec![None],
        "eval" => {
            let texts: Option<Vec<&str>> = arguments
                .iter()
                .map(|word| word.is_known().then(|| word.text()))
                .collect();
            vec![texts.map(|texts| texts.join(" "))]
        }
        "trap" => vec![known(arguments.first())],
        shell if SHELLS.contains(&shell) => shell_text(arguments),
        _ => Vec::new(),
    }
}

/// Files that are the standard input.
const READS_INPUT: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

fn shell_text(arguments: &[Word]) -> Vec<Option<String>> {
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first() {
        match word.text() {
            "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => {
                rest = after.get(1..).unwrap_or_default();
            }
            "-" => return vec![None],
            "--version" | "--help" => return Vec::new(),
            text if text.starts_with("--") => rest = after,
            text if text.starts_with('-') && text.contains('c') => {
                return vec![known(
                    after.iter().find(|word| !word.text().starts_with('-')),
                )];
            }
            text if text.starts_with(['-', '+']) => rest = after,
            // Its standard input, under another name.
            text if READS_INPUT.contains(&text) => return vec![None],
            // A script: a program like any other.
            _ => return Vec::new(),
        }
    }
    // It reads its commands from its standard input.
    vec![None]
}

fn known(word: Option<&Word>) -> Option<String> {
    word.filter(|word| word.is_known())
        .map(|word| word.text().to_owned())
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether a word is `NAME=…`.
pub(super) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        name.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_')
            && name
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || one == '_')
    })
}
