//! Markdown of hover pages: inline code, ids, shortened text.

use attractor_dot::strings;

/// Text as inline code; a backtick inside does not end it.
pub(super) fn code(text: &str) -> String {
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

/// Text in a block of code, which no fence inside of it ends.
pub(super) fn fenced(text: &str) -> String {
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

/// Text on one line, cut after about `limit` characters.
pub(super) fn brief(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= limit {
        return line;
    }
    let cut: String = line.chars().take(limit).collect();
    format!("{}…", cut.trim_end())
}

/// An id as it is written.
pub(super) fn id(text: &str) -> String {
    code(&strings::quote(text))
}
