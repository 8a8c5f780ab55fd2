//! What looks like DOT and not like prose.

/// Whether a line begins like a pair, a statement or the end of a list or block.
pub(super) fn looks_like_code(line: &str) -> bool {
    let line = line.trim();
    if matches!(line, "]" | "];" | "}" | "};" | "],") {
        return true;
    }
    let word = match line.strip_prefix('"') {
        Some(rest) => rest.find('"').map(|end| end + 2),
        None => line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))),
    };
    let Some((word, after)) = word
        .filter(|&end| end > 0)
        .and_then(|end| line.split_at_checked(end))
    else {
        return false;
    };
    let after = after.trim_start();
    let pair = after.strip_prefix('=').is_some_and(|value| {
        !value.starts_with('=') && line.ends_with([',', ';', '"', ']']) || value.len() == 1
    });
    let keyword = crate::strings::is_keyword(word);
    pair || after.starts_with('[')
        || after.starts_with("->")
        || after.starts_with("--")
        || keyword && after.starts_with('{')
}
