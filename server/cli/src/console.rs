//! Standard output for results, standard error for messages.
//!
//! Colours follow `--color`, `NO_COLOR`, `CLICOLOR` and whether the stream is a terminal. Writing to a
//! closed pipe is an ordinary error, never a panic. Text that came from a model, a
//! tool or a file passes [`plain`] first, so that it cannot drive the terminal.

use std::borrow::Cow;
use std::io::{BufRead as _, IsTerminal, Write};
use std::sync::LazyLock;

use ::console::Term;
use anstream::AutoStream;
use clap::ValueEnum;

use crate::error::Error;
use crate::render::markdown_inline::Styles;
use crate::style::{BAD, paint};

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes this the choice for both streams of this process.
    pub fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::AlwaysAnsi,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Writes `text` to standard output as it is.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = AutoStream::auto(std::io::stdout()).lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|cause| Error::unwritable("standard output", cause))
}

/// Writes bytes of a program of the person's own to standard output, as far as that is possible.
pub fn pass_on(bytes: &[u8]) {
    let mut out = AutoStream::auto(std::io::stdout()).lock();
    out.write_all(bytes).and_then(|()| out.flush()).ok();
}

/// Writes one line to standard output.
pub fn line(text: &str) -> Result<(), Error> {
    print(&format!("{text}\n"))
}

/// Writes a value as JSON and a line end to standard output.
pub fn json<T: serde::Serialize>(value: &T) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|cause| Error::unwritable("standard output", cause.into()))?;
    line(&text)
}

/// Writes a value as JSON on one line to standard output.
pub fn json_line<T: serde::Serialize>(value: &T) -> Result<(), Error> {
    let text = serde_json::to_string(value)
        .map_err(|cause| Error::unwritable("standard output", cause.into()))?;
    line(&text)
}

/// Writes `error: …` to standard error.
pub fn error(error: &Error) {
    let text = error.to_string();
    remark(&format!("{} {}", paint(BAD, "error:"), plain(&text)));
}

/// Writes one line to standard error. That this fails cannot be reported anywhere.
pub fn remark(text: &str) {
    let mut err = AutoStream::auto(std::io::stderr()).lock();
    writeln!(err, "{text}").ok();
}

/// Whether questions can be asked: standard input and standard error are a terminal.
pub fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Writes to the terminal at standard error with the sequences that move its cursor, which have to arrive also where
/// there are no colours.
pub fn control(text: &str) {
    let mut err = std::io::stderr().lock();
    err.write_all(text.as_bytes())
        .and_then(|()| err.flush())
        .ok();
}

/// Whether the terminal at standard error can move its cursor. One that cannot, as in an editor's shell buffer, names
/// itself `dumb`.
pub fn moves_cursor() -> bool {
    can_draw() && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// Whether the terminal wraps the lines that it shows again when it gets narrower, as nearly all do. `XTerm`, GNU Screen
/// and the console of Linux cut them.
pub fn rewraps() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let is_screen = is_set("STY") && !is_set("TMUX");
    let is_console = std::env::var_os("TERM").is_some_and(|name| name == "linux");
    !(is_set("XTERM_VERSION") || is_screen || is_console)
}

/// Whether standard error is a terminal.
pub fn can_draw() -> bool {
    std::io::stderr().is_terminal()
}

/// `text` as standard error takes it: without its colours where there are none.
pub fn coloured(text: String) -> String {
    match anstream::stderr().current_choice() {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(&text).to_string(),
        _ => text,
    }
}

/// Whether standard output takes colours and other styles.
pub fn styles() -> Styles {
    match AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Styles::Off,
        _ => Styles::On,
    }
}

/// Asks at the terminal; anything but yes means no.
pub fn confirmed(question: &str) -> Result<bool, Error> {
    let mut terminal = std::io::stderr().lock();
    let mut answer = String::new();
    terminal
        .write_all(question.as_bytes())
        .and_then(|()| terminal.flush())
        .and_then(|()| std::io::stdin().lock().read_line(&mut answer))
        .map_err(|cause| Error::unreadable("the terminal", cause))?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}

/// Asks for a line that is not shown while it is typed.
pub fn ask_secret(text: &str) -> Result<String, Error> {
    rpassword::prompt_password(text).map_err(|cause| Error::unreadable("the terminal", cause))
}

/// The columns of the output: those of the terminal now, else `COLUMNS`, else 100.
pub fn width() -> usize {
    let terminal = std::io::stdout().is_terminal().then(|| size().0);
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(variable).unwrap_or(100)
}

/// Columns and lines of the terminal, as they are now; 80 and 24 when unknown.
pub fn size() -> (usize, usize) {
    let terminals = [Term::stderr(), Term::stdout()];
    let mut sizes = terminals.iter().filter_map(Term::size_checked);
    let (lines, columns) = sizes
        .find(|(lines, columns)| *lines > 0 && *columns > 0)
        .unwrap_or((24, 80));
    (columns.into(), lines.into())
}

/// `text` with its control characters made visible, so that it cannot move a cursor, set a title or
/// hide what follows. Tabs and line ends stay. In GitHub Actions, no line of it is a command of the runner.
pub fn plain(text: &str) -> Cow<'_, str> {
    if *IN_GITHUB_ACTIONS {
        return Cow::Owned(without_runner_commands(&visible(text)));
    }
    visible(text)
}

/// Whether a runner of GitHub Actions reads the output.
static IN_GITHUB_ACTIONS: LazyLock<bool> =
    LazyLock::new(|| std::env::var_os("GITHUB_ACTIONS").is_some());

/// `::error::…` at the beginning of a line, and `##[error]…` anywhere in one, are commands of the runner, which reads the
/// output.
fn without_runner_commands(text: &str) -> String {
    let line = |line: &str| {
        let start = line.len() - line.trim_start().len();
        let (space, rest) = line.split_at(start);
        let rest = rest.strip_prefix("::").map(|rest| format!(": :{rest}"));
        let line = rest.map_or_else(|| line.to_owned(), |rest| format!("{space}{rest}"));
        line.replace("##[", "# #[")
    };
    text.split_inclusive('\n').map(line).collect()
}

fn visible(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| c == '\n' || c == '\t' || !(c.is_control() || is_bidi(c));
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .filter(|c| *c != '\r')
        .map(|c| match c {
            c if harmless(c) => c,
            // The pictures of the control characters, U+2400 and on.
            c if u32::from(c) < 0x20 => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            _ => '\u{fffd}',
        })
        .collect::<String>()
        .into()
}

/// Characters that reorder what is around them.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{plain, without_runner_commands};

    #[test]
    fn no_line_is_a_command_of_the_runner() {
        let text = "fine ::error::\n\u{a0}::error file=x::y\na ##[group]z\n#1\n";
        let expected = "fine ::error::\n\u{a0}: :error file=x::y\na # #[group]z\n#1\n";
        assert_eq!(without_runner_commands(text), expected);
    }

    #[test]
    fn escape_sequences_become_visible() {
        assert_eq!(plain("a\x1b[2Jb\r\n\tc\x7f"), "a␛[2Jb\n\tc␡");
        assert_eq!(plain("safe\u{202e}elbisiv"), "safe\u{fffd}elbisiv");
    }

    #[test]
    fn ordinary_text_is_untouched() {
        assert!(matches!(
            plain("häuser 🦀\n"),
            std::borrow::Cow::Borrowed(_)
        ));
    }
}
