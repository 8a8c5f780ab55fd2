//! Texts of a line, from parts.

/// A text without line breaks.
pub(super) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The first line of a text, and what follows without the empty lines between.
pub(super) fn split_headline(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(['\n', '\r']).trim_end();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    (first.trim_end(), rest.trim_start_matches(['\n', '\r']))
}

/// The first line of a text, of at most `width` characters.
pub(super) fn first_line(text: &str, width: usize) -> String {
    let line = split_headline(text).0.trim();
    match line.char_indices().nth(width) {
        None => line.to_owned(),
        Some(_) => line
            .chars()
            .take(width.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

/// `1 step`, `2 steps`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Facts in a line.
pub(super) fn joined(facts: impl IntoIterator<Item = String>) -> String {
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    facts.join(" · ")
}
