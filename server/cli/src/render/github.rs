//! `--format github`: workflow commands, which GitHub Actions shows as annotations of the changed lines.

use attractor_model::{Diagnostic, Severity};

use super::Checked;
use super::line_column::Lines;

/// One line per diagnostic.
pub fn report(files: &[Checked]) -> String {
    files.iter().flat_map(lines_of).collect()
}

fn lines_of(checked: &Checked) -> Vec<String> {
    let lines = Lines::new(&checked.source.text);
    checked
        .diagnostics
        .iter()
        .map(|one| command(one, &checked.source.name, &lines))
        .collect()
}

fn command(one: &Diagnostic, path: &str, lines: &Lines<'_>) -> String {
    let word = match one.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "notice",
    };
    let span = lines.span(one.range);
    format!(
        "::{word} file={},line={},col={},endLine={},endColumn={},title={}::{}\n",
        property(path),
        span.start.line,
        span.start.column,
        span.end.line,
        span.end.column,
        property(one.rule),
        message(&one.message),
    )
}

/// Escapes a message: it must stay on one line.
pub fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes the value of a property, which also ends at a comma and a colon.
pub fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{message, property};

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(message("50%\nof"), "50%25%0Aof");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
