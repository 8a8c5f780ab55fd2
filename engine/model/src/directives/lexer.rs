//! The words of a comment for Attractor, and their ranges.

use attractor_dot::TextRange;

use attractor_lang::lists::{self, Separator};

/// How a comment for Attractor begins.
pub(super) const MARK: &str = "attractor:";
/// How a request for a dialect begins.
pub(super) const DIALECT: &str = "dialect=";
/// How a list of allowed rules begins.
pub(super) const ALLOW: &str = "allow(";
/// What separates words.
const BETWEEN: [char; 4] = [' ', '\t', ',', ';'];

/// The name and the syntax of each directive.
pub const REQUESTS: [(&str, &str); 5] = [
    ("pipeline", "pipeline"),
    ("graph", "graph"),
    ("strict-nodes", "strict-nodes"),
    ("dialect", "dialect=NAME"),
    ("allow", "allow(RULE)"),
];

/// The part before the value to fill in.
pub fn head(word: &str) -> &str {
    word.split(['=', '(', ':']).next().unwrap_or(word)
}

/// What follows `attractor:` in the first line of a comment that begins with it.
pub(super) fn body(text: &str, comment: TextRange) -> Option<TextRange> {
    let written = comment.text(text);
    let inner = written.trim_start_matches(['/', '*', '#']).trim_start();
    let rest = inner.strip_prefix(MARK)?;
    let line = rest.lines().next().unwrap_or_default();
    let start = comment.start() + (written.len() - rest.len());
    let end = start + line.trim_end().trim_end_matches("*/").len();
    Some(TextRange::new(start, end))
}

/// The words of a request; `allow(…)` is one.
pub(super) fn words(text: &str, body: TextRange) -> impl Iterator<Item = TextRange> {
    let mut at = body.start();
    std::iter::from_fn(move || {
        let rest = TextRange::new(at, body.end()).text(text);
        let word = rest.trim_start_matches(BETWEEN);
        let start = at + (rest.len() - word.len());
        let length = match word.strip_prefix(ALLOW) {
            Some(list) => ALLOW.len() + list.find(')').map_or(list.len(), |at| at + 1),
            None => word.find(BETWEEN).unwrap_or(word.len()),
        };
        at = start + length;
        (length > 0).then(|| TextRange::new(start, at))
    })
}

/// What follows `prefix` in a word, without quotes and brackets around it.
pub(super) fn after(text: &str, word: TextRange, prefix: &str) -> Option<TextRange> {
    let rest = word.text(text).strip_prefix(prefix)?;
    let inner = rest.trim_start_matches('"');
    let start = word.end() - inner.len();
    let length = inner.trim_end_matches(['"', ')']).len();
    Some(TextRange::new(start, start + length))
}

/// The rules of a list by comma.
pub(super) fn rules(text: &str, list: TextRange) -> impl Iterator<Item = TextRange> {
    let items = lists::items(list.text(text), Separator::Comma).into_iter();
    items.map(move |rule| {
        TextRange::new(
            list.start() + rule.range.start,
            list.start() + rule.range.end,
        )
    })
}
