//! Control characters: neutralised before a terminal or an editor takes them for commands.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// How terminals are reported colours.
static COLOURS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\x1b\[[0-9;:]*m").ok());

/// A text that no terminal or editor takes for a command: colours are dropped, other control characters
/// and direction overrides become visible signs. Line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    let plain = match COLOURS.as_ref() {
        Some(colours) => colours.replace_all(text, ""),
        None => Cow::Borrowed(text),
    };
    let plain = plain.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(
        plain
            .chars()
            .map(|letter| {
                if is_control(letter) {
                    sign(letter)
                } else {
                    letter
                }
            })
            .collect(),
    )
}

fn is_control(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}

/// The picture Unicode has for a control character.
fn sign(letter: char) -> char {
    match letter {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ => '\u{fffd}',
    }
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_become_signs() {
        assert_eq!(
            printable("\u{1b}[31mred\u{1b}[0m\tok\r\nnext"),
            "red\tok\nnext"
        );
        assert_eq!(printable("\u{1b}]0;x\u{7}"), "␛]0;x␇");
        assert_eq!(printable("a\u{202e}b\u{9b}c"), "a\u{fffd}b\u{fffd}c");
    }
}
