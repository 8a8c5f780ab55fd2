//! Just enough of the shell's lexical rules to know where in a command an offset is.
//!
//! Readers: templates, which must quote a value by the context it lands in, and the checks for commands a
//! shell would reject. No process is started and nothing is expanded. The scanner follows POSIX `sh`
//! with the common extensions of bash (`$'…'`, `<<<`, `[[ … ]]`, process substitution); where shells
//! differ it stays silent rather than guess an error.
//!
//! ```
//! use attractor_lang::shell::{QuoteContext, check, positions};
//! let positions = positions(r#"echo "a X" b"#, &[8, 11]);
//! assert!(matches!(&positions[..], [a, b] if a.context == QuoteContext::Double && b.context == QuoteContext::Word));
//! assert_eq!(check("echo 'hello").len(), 1);
//! assert_eq!(check("if true; then echo ok; fi").len(), 0);
//! ```

mod frame;
mod indirect;
mod interpreters;
mod options;
mod position;
mod positional;
mod scanner;
#[cfg(test)]
mod tests;
mod xargs;

pub use indirect::{Indirect, indirect};
pub use options::options_beyond_sh;
pub use position::{QuoteContext, Reader, ShellPosition};

use super::LangError;

/// Where each of `offsets` (bytes, ascending) is in `text`. Linear in the length of `text`.
pub fn positions(text: &str, offsets: &[usize]) -> Vec<ShellPosition> {
    scanner::scan(text, offsets).positions
}

/// What any shell would refuse: quotes, brackets, substitutions and compound commands left open, closed without having
/// been opened, or without their `then` or `do`; and here-documents that the end of the text ends, which shells accept
/// with a warning at most. Ranges are bytes of `text`. Silence does not mean the command is right.
pub fn check(text: &str) -> Vec<LangError> {
    if is_plain(text) {
        return Vec::new();
    }
    scanner::scan(text, &[]).problems
}

/// Whether a command is a name and its arguments without any sign of syntax, as many are.
fn is_plain(text: &str) -> bool {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b" -_./=:,@%+".contains(&byte);
    let first = text.split(' ').find(|word| !word.is_empty());
    text.bytes().all(harmless) && !first.is_some_and(frame::is_keyword)
}
