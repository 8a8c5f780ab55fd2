//! Placeholders of a command that are text of the shell or of another program.

use attractor_lang::shell::{self, QuoteContext, ShellPosition};
use attractor_model::Pipeline;

use crate::templates::Key;

/// Whether the braces before the key at this byte of a command are code of the shell or of another program: in single
/// quotes, as of awk, or after a sign, as `@{u}` of Git.
pub(super) fn is_of_shell(command: &str, key: usize) -> bool {
    let before = command.get(..key).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t']).trim_end_matches('{');
    let after_sign = before.ends_with(['@', '^', '$', '%']);
    let positions = shell::positions(command, &[key]);
    let is_code = |position: &ShellPosition| {
        position.reader.is_some()
            || !matches!(position.context, QuoteContext::Word | QuoteContext::Double)
    };
    after_sign || positions.first().is_some_and(is_code)
}

/// Whether the `$name` of a command may be a variable of the shell: the command or its node sets it, or it is code of
/// another program.
pub(super) fn is_variable_of_shell(pipeline: &Pipeline, key: &Key<'_>) -> bool {
    let command = key.site.attribute.value();
    let own = key.site.target.attributes(pipeline);
    let is_in_environment = own.is_some_and(|own| {
        let listed = own.get("tool_env");
        own.has(&format!("env.{}", key.written))
            || listed.is_some_and(|listed| names(listed.value(), key.written))
    });
    let is_code = |position: &ShellPosition| {
        position.reader.is_some()
            || matches!(
                position.context,
                QuoteContext::Single
                    | QuoteContext::DollarSingle
                    | QuoteContext::Verbatim
                    | QuoteContext::Comment
            )
    };
    is_in_environment
        || names(command, key.written)
        || shell::positions(command, &[key.bytes().start])
            .first()
            .is_some_and(is_code)
}

/// Whether a text has the name as a word that no dollar precedes: it is assigned, read, or declared there.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        !before.ends_with(is_part)
            && !after.starts_with(is_part)
            && !before.ends_with('$')
            && !before.ends_with("${")
    })
}
