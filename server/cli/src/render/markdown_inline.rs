//! Marks of Markdown inside a line: `**bold**`, `*italic*`, `` `code` `` and links.

use anstyle::{AnsiColor, Effects, Style};

use crate::style::{STRONG, paint};

const CODE: Style = AnsiColor::Cyan.on_default();
const ITALIC: Style = Style::new().effects(Effects::ITALIC);
const LINK: Style = Style::new().effects(Effects::UNDERLINE);
/// Text without a style.
pub const PLAIN: Style = Style::new();

/// Whether the text may hold escape sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Styles {
    /// Bold and colours.
    On,
    /// Plain text.
    Off,
}

/// A text of one line, with its marks replaced by styles.
pub fn inline(text: &str, styles: Styles) -> String {
    let piece = |(style, text): (Style, String)| match styles {
        Styles::On if style != PLAIN => paint(style, text),
        _ => text,
    };
    pieces(text, styles).into_iter().map(piece).collect()
}

/// The text in pieces of one style, without its marks. A mark that is not closed is text.
pub fn pieces(text: &str, styles: Styles) -> Vec<(Style, String)> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let found = code(rest, styles)
            .or_else(|| bold(rest))
            .or_else(|| italic(rest, plain.chars().next_back()))
            .or_else(|| link(rest, styles));
        let Some((style, inner, length)) = found else {
            plain.push(letter);
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            continue;
        };
        pieces.push((PLAIN, std::mem::take(&mut plain)));
        // What is bold may be code: `` **`name`** ``.
        if style == STRONG {
            let inner = inner.trim_matches('`');
            pieces.push((STRONG, inner.to_owned()));
        } else {
            pieces.push((style, inner));
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    pieces.push((PLAIN, plain));
    pieces
}

/// `` `code` `` at the beginning of a text: its style, what is shown, and its length.
fn code(text: &str, styles: Styles) -> Option<(Style, String, usize)> {
    let (inner, _) = text.strip_prefix('`')?.split_once('`')?;
    let shown = match styles {
        Styles::On => inner.to_owned(),
        Styles::Off => format!("`{inner}`"),
    };
    Some((CODE, shown, inner.len() + 2))
}

/// `**bold**` at the beginning of a text.
fn bold(text: &str) -> Option<(Style, String, usize)> {
    let (inner, _) = text.strip_prefix("**")?.split_once("**")?;
    Some((STRONG, inner.to_owned(), inner.len() + 4))
}

/// `*italic*` or `_italic_` at the beginning of a text, after a letter. It is part of neither a word nor a calculation.
fn italic(text: &str, before: Option<char>) -> Option<(Style, String, usize)> {
    let mark = text
        .chars()
        .next()
        .filter(|mark| matches!(mark, '*' | '_'))?;
    let (inner, after) = text.strip_prefix(mark)?.split_once(mark)?;
    let is_word = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == mark)
    };
    let is_text = |letter: Option<char>| letter.is_some_and(|letter| !letter.is_whitespace());
    let is_tight = is_text(inner.chars().next()) && is_text(inner.chars().next_back());
    let is_apart = !is_word(before) && !is_word(after.chars().next());
    (is_tight && is_apart).then(|| (ITALIC, inner.to_owned(), inner.len() + 2))
}

/// `[text](address)` at the beginning of a text.
fn link(text: &str, styles: Styles) -> Option<(Style, String, usize)> {
    let (label, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (address, _) = rest.split_once(')')?;
    if label.contains(['[', ']']) || address.contains(' ') {
        return None;
    }
    let shown = match styles {
        Styles::On => label.to_owned(),
        Styles::Off => format!("{label} ({address})"),
    };
    Some((LINK, shown, label.len() + address.len() + 4))
}
