//! Options of shells that `sh` need not know: `set -o pipefail`.

use std::ops::Range;

use super::{QuoteContext, positions};

/// The options of `set -o` that bash, ksh and zsh know and the `sh` of many systems (dash) refuses.
const NOT_IN_SH: &[&str] = &[
    "pipefail",
    "errtrace",
    "functrace",
    "braceexpand",
    "histexpand",
    "history",
    "keyword",
    "onecmd",
    "physical",
    "posix",
    "privileged",
];

/// Words after which a command begins.
const BEFORE_COMMAND: &[&str] = &["then", "do", "else", "elif", "if", "while", "until", "!"];

/// Where a command sets an option that `sh` may not know. A command that asks first, in a subshell or by
/// `BASH_VERSION`, is left alone. Ranges are bytes of `text`.
pub fn options_beyond_sh(text: &str) -> Vec<Range<usize>> {
    // Most commands have none.
    if !NOT_IN_SH.iter().any(|option| text.contains(option)) || asks_first(text) {
        return Vec::new();
    }
    let commands: Vec<usize> = text
        .match_indices("set")
        .map(|(at, _)| at)
        .filter(|at| begins_command(text.get(..*at).unwrap_or_default()))
        .collect();
    let read = positions(text, &commands);
    let plain = commands
        .iter()
        .zip(read)
        .filter(|(_, position)| position.context == QuoteContext::Word && position.here.is_none());
    plain
        .filter_map(|(at, _)| option_of(text, at + "set".len()))
        .collect()
}

fn asks_first(text: &str) -> bool {
    text.contains("BASH_VERSION") || text.contains("(set -o")
}

/// Whether a command may begin after this text.
fn begins_command(before: &str) -> bool {
    let line = before.trim_end_matches([' ', '\t']);
    let word = line.rsplit([' ', '\t', '\n', ';']).next();
    line.is_empty()
        || line.ends_with(['\n', ';', '&', '|', '{'])
        || (line.len() < before.len() && word.is_some_and(|word| BEFORE_COMMAND.contains(&word)))
}

/// The first such option among the arguments of a `set` that ends at `start`.
fn option_of(text: &str, start: usize) -> Option<Range<usize>> {
    let arguments = text.get(start..)?;
    let end = arguments.find(['\n', ';', '&', '|', '}']);
    let arguments = arguments.get(..end.unwrap_or(arguments.len()))?;
    if !arguments.starts_with([' ', '\t']) {
        return None;
    }
    let mut names_option = false;
    let mut at = 0;
    for word in arguments.split([' ', '\t']) {
        if names_option && NOT_IN_SH.contains(&word) {
            let from = start + at;
            return Some(from..from + word.len());
        }
        // `-euo pipefail`: the last letter of several takes the next word.
        names_option = word.starts_with('-') && word.ends_with('o');
        at += word.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::options_beyond_sh;

    fn found(text: &str) -> Vec<&str> {
        let ranges = options_beyond_sh(text).into_iter();
        ranges.map(|range| &text[range]).collect()
    }

    #[test]
    fn options_that_sh_may_not_know() {
        for text in [
            "set -o pipefail; make | tee log",
            "set -euo pipefail\nmake",
            "cd x && set -e -o pipefail && make",
            "if true; then set -o pipefail; fi",
        ] {
            assert_eq!(found(text), ["pipefail"], "{text}");
        }
    }

    #[test]
    fn options_of_other_shells_and_guarded_ones() {
        for text in [
            "set -o errexit; make",
            "set +o pipefail; make",
            "set -o pipefail-like; make",
            "echo set -o pipefail",
            "bash -c 'set -o pipefail; make'",
            "bash -c \"set -o pipefail; make\"",
            "bash <<'EOF'\nset -o pipefail\nEOF\n",
            "if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi",
            "[ -n \"$BASH_VERSION\" ] && set -o pipefail; make",
            "offset -o pipefail",
            "# set -o pipefail",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
